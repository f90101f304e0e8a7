// SPDX-License-Identifier: Apache-2.0
#include "runtime/lowering/activation.h"

#include <algorithm>
#include <cmath>

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

ActivationRange RoundedRange(const ActivationRange& range, const TensorType& type) {
  if (!type.quantized()) return range;
  const float scale = type.quantization.scales[0];
  const int zero_point = type.quantization.zero_points[0];
  const int64_t values = int64_t{1} << (8 * DataTypeBytes(type.dtype));
  const int64_t least = (type.dtype == DataType::kU8 ? 0 : -values / 2) - zero_point;
  const auto round = [&](float x) {
    const auto most = static_cast<float>(least + values - 1);
    return std::clamp(std::nearbyint(x / scale), static_cast<float>(least), most) * scale;
  };
  return {round(range.min), round(range.max)};
}

bool IsProperRange(const ActivationRange& range, const TensorType& type) {
  const ActivationRange rounded = RoundedRange(range, type);
  return rounded.min < rounded.max;
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
      if (IsProperRange(both, graph.values[Index(node.output)].type)) {
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
