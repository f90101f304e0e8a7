// SPDX-License-Identifier: Apache-2.0
#include "dispatch/order.h"

#include <cstddef>
#include <cstdint>

#include "dimorder/layout.h"
#include "dimorder/status.h"
#include "dispatch/status_values.h"

namespace dimorder {
inline namespace v1 {
namespace {

uint64_t Magnitude(int64_t stride) {
  return stride < 0 ? 0 - static_cast<uint64_t>(stride) : static_cast<uint64_t>(stride);
}

Status BadOrder(Rule rule, int64_t v0, int64_t v1, int64_t v2 = 0) {
  return Status(StatusCode::kInvalidArgument, rule, v0, v1, v2);
}

}  // namespace

DimOrder IdentityOrder(size_t rank) noexcept {
  int32_t axes[kMaxRank];
  const size_t n = rank < kMaxRank ? rank : kMaxRank;
  for (size_t i = 0; i < n; ++i) axes[i] = static_cast<int32_t>(i);
  return DimOrder(axes, n);
}

Status OrderFault(const AxisList& order, size_t rank, bool by_perm) noexcept {
  if (order.size() != rank) {
    return BadOrder(by_perm ? Rule::kPermLength : Rule::kDimOrderLength, static_cast<int64_t>(order.size()),
                    static_cast<int64_t>(rank));
  }
  for (size_t i = 0; i < rank; ++i) {
    if (order[i] < 0 || static_cast<size_t>(order[i]) >= rank) {
      return BadOrder(by_perm ? Rule::kPermRange : Rule::kDimOrderRange, static_cast<int64_t>(i), order[i],
                      static_cast<int64_t>(rank));
    }
  }
  size_t i = 0;
  for (uint64_t seen = 0; (seen >> order[i] & 1) == 0; ++i) seen |= uint64_t{1} << order[i];
  return BadOrder(by_perm ? Rule::kPermRepeated : Rule::kDimOrderRepeated, static_cast<int64_t>(i), order[i]);
}

Status DimOrderToStrides(Dims sizes, const DimOrder& order, int64_t unit, int64_t* strides) noexcept {
  const size_t rank = sizes.size();
  if (const Status status = CheckRank(rank); !status.ok()) return status;
  if (const Status status = ValidateOrder(order, rank, /*by_perm=*/false); !status.ok()) return status;
  if (unit < 1) return Status(StatusCode::kInvalidArgument, Rule::kElementBytes, unit);
  for (size_t axis = 0; axis < rank; ++axis) {
    if (sizes[axis] < 0) {
      return Status(StatusCode::kInvalidArgument, Rule::kSizeNegative, static_cast<int64_t>(axis), sizes[axis]);
    }
  }
  int64_t stride = unit;
  for (size_t i = rank; i-- > 0;) {
    const int axis = order[i];
    strides[axis] = stride;
    const int64_t size = sizes[static_cast<size_t>(axis)];
    // The outermost axis' own size makes no stride.
    if (i != 0 && __builtin_mul_overflow(stride, size == 0 ? 1 : size, &stride)) {
      return Status(StatusCode::kOverflow, Rule::kBytesOverflow, axis, size);
    }
  }
  return Status();
}

Result<DimOrder> StridesToDimOrder(Dims strides) noexcept {
  const size_t rank = strides.size();
  if (const Status status = CheckRank(rank); !status.ok()) return status;
  // Insertion sort: stable, and the rank is small.
  int32_t axes[kMaxRank];
  for (size_t axis = 0; axis < rank; ++axis) {
    size_t i = axis;
    for (; i > 0 && Magnitude(strides[static_cast<size_t>(axes[i - 1])]) < Magnitude(strides[axis]); --i) {
      axes[i] = axes[i - 1];
    }
    axes[i] = static_cast<int32_t>(axis);
  }
  return DimOrder(axes, rank);
}

}  // namespace v1
}  // namespace dimorder
