// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_LOWERING_MEMORY_ORDER_H_
#define DIMORDER_RUNTIME_LOWERING_MEMORY_ORDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "dimorder/tensor_type.h"

// Backends know no dim orders: they take dense tensors whose axes are listed as they lie in memory. So shapes, axes and
// whatever else a node says by logical axes are composed with an order first.
namespace dimorder {

// One order for all tensors of the same sizes that are laid out alike: NHWC for an image that is laid out like it, else
// the logical order for what is laid out like it, else the order with the axes of size 1 outermost.
DimOrder CanonicalOrder(const TensorType& type);

// The sizes of the axes as `order` has them in memory. Tensors of lower rank count as broadcast: their sizes follow
// ones.
std::vector<size_t> MemorySizes(std::span<const int64_t> sizes, const DimOrder& order);

// Where `axis` stands in `order`.
size_t MemoryAxis(const DimOrder& order, int64_t axis);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_LOWERING_MEMORY_ORDER_H_
