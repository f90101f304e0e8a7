// SPDX-License-Identifier: Apache-2.0
#include "runtime/lowering/memory_order.h"

#include <algorithm>

namespace dimorder {

DimOrder CanonicalOrder(const TensorType& type) {
  const auto alike = [&](const DimOrder& order) { return SameLayout(type, TensorType(type.dtype, type.sizes, order)); };
  if (type.rank() == kNHWC.size() && alike(kNHWC)) return kNHWC;
  const DimOrder logical = IdentityOrder(type.rank());
  if (alike(logical)) return logical;
  std::vector<int> axes;
  for (int axis : logical) {
    if (type.sizes[static_cast<size_t>(axis)] == 1) axes.push_back(axis);
  }
  for (int axis : type.dim_order) {
    if (type.sizes[static_cast<size_t>(axis)] != 1) axes.push_back(axis);
  }
  return DimOrder(axes.data(), axes.size());
}

std::vector<size_t> MemorySizes(std::span<const int64_t> sizes, const DimOrder& order) {
  const size_t ones = order.size() - sizes.size();
  std::vector<size_t> ordered;
  for (int32_t entry : order) {
    const auto axis = static_cast<size_t>(entry);
    ordered.push_back(axis < ones ? 1 : static_cast<size_t>(sizes[axis - ones]));
  }
  return ordered;
}

size_t MemoryAxis(const DimOrder& order, int64_t axis) {
  return static_cast<size_t>(std::find(order.begin(), order.end(), axis) - order.begin());
}

}  // namespace dimorder
