// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_LOWERING_ACTIVATION_H_
#define DIMORDER_RUNTIME_LOWERING_ACTIVATION_H_

#include <limits>
#include <optional>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder {

// The values that a node lets through: all others become the nearer end. Empty for what is neither relu nor clip.
struct ActivationRange {
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();
};
std::optional<ActivationRange> RangeOf(const Node& node);
// The range with ends that a tensor of the type can hold: those of a quantized one with a single scale are rounded as
// its numbers are.
ActivationRange RoundedRange(const ActivationRange& range, const TensorType& type);
// Whether more than one number of the type is left.
bool IsProperRange(const ActivationRange& range, const TensorType& type);

// A node and the activations behind it that became a part of it.
struct FusedNode {
  NodeId node = 0;
  ActivationRange range;
  ValueId output = kNoValue;  // of the last of them
};

// The nodes of the graph in their order. A relu or a clip becomes a part of the node whose output only it reads, where
// `can_fuse` says so of that node's op and the range that is left is one.
std::vector<FusedNode> FuseActivations(const Graph& graph, bool (*can_fuse)(Op));

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_LOWERING_ACTIVATION_H_
