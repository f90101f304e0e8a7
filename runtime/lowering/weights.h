// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_LOWERING_WEIGHTS_H_
#define DIMORDER_RUNTIME_LOWERING_WEIGHTS_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "dimorder/delegate.h"

namespace dimorder {

// Readable bytes behind weights: as many as behind tensors of the arena.
inline constexpr auto kWeightsTail = static_cast<size_t>(kReadableTail);

// Depthwise weights (C*M,1,H,W) as memory (H,W,C,M).
inline constexpr DimOrder kDepthwiseWeights = {2, 3, 0, 1};
// Weights (I,O,H,W) of a transposed convolution as memory (O,H,W,I).
inline constexpr DimOrder kTransposedWeights = {1, 2, 3, 0};

// A constant as a backend wants it: dense, axes as they lie in memory, kWeightsTail bytes behind it.
struct Weights {
  std::vector<size_t> sizes;
  std::unique_ptr<std::byte[]> data;
};

// Moves a constant into `order`; `sizes` is its shape to the backend.
Weights LayOutWeights(const Value& constant, const DimOrder& order, std::vector<size_t> sizes);

// The weights (G*I,O,H,W) of a transposed convolution in G groups, which lie in their logical order, as (G*O,H,W,I).
Weights LayOutGroupedTransposed(const Value& constant, int64_t groups);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_LOWERING_WEIGHTS_H_
