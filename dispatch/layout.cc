// SPDX-License-Identifier: Apache-2.0
#include "dimorder/layout.h"

#include <cstddef>
#include <cstdint>

#include "dispatch/order.h"

namespace dimorder {
inline namespace v1 {
namespace {

void CopyAxes(const int64_t* from, size_t n, int64_t* to) {
  const size_t kept = n < kMaxRank ? n : kMaxRank;
  for (size_t i = 0; i < kept; ++i) to[i] = from[i];
}

size_t CopyAxes(Dims from, int64_t* to) {
  CopyAxes(from.begin(), from.size(), to);
  return from.size();
}

bool HasValidForm(const Layout& layout) {
  if (layout.rank() > kMaxRank) return false;
  for (size_t axis = 0; axis < layout.rank(); ++axis) {
    if (layout.size(axis) < 0) return false;
  }
  return layout.has_order() ? IsPermutation(layout.order(), layout.rank()) : layout.num_strides() == layout.rank();
}

// Writes the byte strides of a layout of valid form; false when they do not fit into 63 bits.
bool ByteStrides(const Layout& layout, int64_t element_bytes, int64_t* strides) {
  int64_t sizes[kMaxRank];
  for (size_t axis = 0; axis < layout.rank(); ++axis) {
    sizes[axis] = layout.size(axis);
    if (!layout.has_order()) strides[axis] = layout.stride(axis);
  }
  if (!layout.has_order()) return true;
  const Dims dims(std::span<const int64_t>(sizes, layout.rank()));
  return DimOrderToStrides(dims, layout.order(), element_bytes, strides).ok();
}

bool HasAtMostOneElement(const Layout& layout) {
  bool all_ones = true;
  for (size_t axis = 0; axis < layout.rank(); ++axis) {
    if (layout.size(axis) == 0) return true;
    all_ones = all_ones && layout.size(axis) == 1;
  }
  return all_ones;
}

}  // namespace

Layout::Layout(Dims sizes, const DimOrder& order) noexcept : order_(order) { rank_ = CopyAxes(sizes, sizes_); }

Layout::Layout(const Layout& other) noexcept
    : rank_(other.rank_),
      num_strides_(other.num_strides_),
      has_order_(other.has_order_),
      order_(other.order_),
      byte_offset_(other.byte_offset_) {
  CopyAxes(other.sizes_, rank_, sizes_);
  CopyAxes(other.strides_, num_strides_, strides_);
}

Layout& Layout::operator=(const Layout& other) noexcept {
  if (this == &other) return *this;
  rank_ = other.rank_;
  num_strides_ = other.num_strides_;
  has_order_ = other.has_order_;
  order_ = other.order_;
  byte_offset_ = other.byte_offset_;
  CopyAxes(other.sizes_, rank_, sizes_);
  CopyAxes(other.strides_, num_strides_, strides_);
  return *this;
}

Layout Layout::Contiguous(Dims sizes) noexcept { return InOrder(sizes, IdentityOrder(sizes.size())); }

Layout Layout::InOrder(Dims sizes, const DimOrder& order) noexcept { return Layout(sizes, order); }

Layout Layout::Strided(Dims sizes, Dims strides, int64_t byte_offset) noexcept {
  Layout layout;
  layout.rank_ = CopyAxes(sizes, layout.sizes_);
  layout.has_order_ = false;
  layout.num_strides_ = CopyAxes(strides, layout.strides_);
  layout.byte_offset_ = byte_offset;
  return layout;
}

bool LaidOutAlike(const Layout& a, const Layout& b, int64_t element_bytes) noexcept {
  if (element_bytes < 1 || a.rank() != b.rank() || !HasValidForm(a) || !HasValidForm(b)) return false;
  for (size_t axis = 0; axis < a.rank(); ++axis) {
    if (a.size(axis) != b.size(axis)) return false;
  }
  if (HasAtMostOneElement(a)) return true;

  int64_t a_strides[kMaxRank];
  int64_t b_strides[kMaxRank];
  if (!ByteStrides(a, element_bytes, a_strides) || !ByteStrides(b, element_bytes, b_strides)) return false;
  for (size_t axis = 0; axis < a.rank(); ++axis) {
    if (a.size(axis) > 1 && a_strides[axis] != b_strides[axis]) return false;
  }
  return true;
}

}  // namespace v1
}  // namespace dimorder
