// SPDX-License-Identifier: Apache-2.0
#include "runtime/lowering/activation.h"

#include <algorithm>

namespace dimorder {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// How often each value is read, by nodes or as an output.
std::vector<int> CountReaders(const Graph& graph) {
  std::vector<int> readers(graph.values.size(), 0);
  for (const Node& node : graph.nodes) {
    for (ValueId id : node.inputs) {
      if (id != kNoValue) ++readers[Index(id)];
    }
  }
  for (ValueId id : graph.outputs) ++readers[Index(id)];
  return readers;
}

}  // namespace

std::optional<ActivationRange> RangeOf(const Node& node) {
  ActivationRange range;
  if (node.op == Op::kRelu) {
    range.min = 0;
    return range;
  }
  if (node.op != Op::kClip) return std::nullopt;
  range.min = static_cast<float>(node.attributes.Float("min", static_cast<double>(range.min)));
  range.max = static_cast<float>(node.attributes.Float("max", static_cast<double>(range.max)));
  return range;
}

std::vector<FusedNode> FuseActivations(const Graph& graph, bool (*can_fuse)(Op)) {
  const std::vector<int> readers = CountReaders(graph);
  std::vector<FusedNode> fused;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    const auto range = RangeOf(node);
    const auto before = range ? std::ranges::find(fused, node.inputs[0], &FusedNode::output) : fused.end();
    if (before != fused.end() && readers[Index(node.inputs[0])] == 1 && can_fuse(graph.nodes[Index(before->node)].op)) {
      const ActivationRange both = {std::min(std::max(before->range.min, range->min), range->max),
                                    std::min(std::max(before->range.max, range->min), range->max)};
      if (both.min < both.max) {
        before->range = both;
        before->output = node.output;
        continue;
      }
    }
    fused.push_back({static_cast<NodeId>(n), range.value_or(ActivationRange()), node.output});
  }
  return fused;
}

}  // namespace dimorder
