// SPDX-License-Identifier: Apache-2.0
#include "bench/models/plain_values.h"

#include <xnnpack.h>

#include <numeric>

namespace dimorder::bench {
namespace {

size_t Index(ValueId id) { return static_cast<size_t>(id); }

const std::vector<int64_t> kToNhwc = {0, 2, 3, 1};

}  // namespace

bool IsView(const Node& node) {
  return node.op == Op::kViewCopy || node.op == Op::kPermuteCopy || node.op == Op::kDropout;
}

PlainValues::PlainValues(const Graph& graph)
    : graph_(graph), roots_(graph.values.size()), nhwc_(graph.values.size()), buffers_(graph.values.size()) {
  std::iota(roots_.begin(), roots_.end(), 0);
  for (ValueId input : graph.inputs) nhwc_[Index(input)] = graph.values[Index(input)].type.rank() == 4;
  for (const Node& node : graph.nodes) Place(node);
}

void PlainValues::Place(const Node& node) {
  const ValueId from = node.inputs[0];
  const auto& sizes = graph_.values[Index(from)].type.sizes;
  const bool nhwc = nhwc_[Index(from)];
  nhwc_[Index(node.output)] = nhwc && graph_.values[Index(node.output)].type.rank() == 4;
  if (!IsView(node)) return;
  roots_[Index(node.output)] = root(from);
  if (node.op == Op::kDropout) return;
  nhwc_[Index(node.output)] = false;
  const bool one_pixel = sizes.size() == 4 && sizes[2] * sizes[3] == 1;
  const bool same_bytes =
      node.op == Op::kViewCopy ? !nhwc || one_pixel : nhwc && node.attributes.Ints("dims") == kToNhwc;
  if (!same_bytes) error_ = "'" + node.name + "' (" + OpName(node.op) + ") would move bytes";
}

std::vector<size_t> PlainValues::Axes(ValueId value) const {
  if (nhwc_[Index(value)]) return {0, 2, 3, 1};
  std::vector<size_t> axes(graph_.values[Index(value)].type.rank());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

std::vector<size_t> PlainValues::Sizes(ValueId value) const {
  std::vector<size_t> sizes;
  for (size_t axis : Axes(value)) sizes.push_back(static_cast<size_t>(graph_.values[Index(value)].type.sizes[axis]));
  return sizes;
}

std::vector<float>& PlainValues::Buffer(ValueId value) {
  std::vector<float>& buffer = buffers_[Index(root(value))];
  const auto count = static_cast<size_t>(NumElements(graph_.values[Index(value)].type));
  if (buffer.empty()) buffer.resize(count + XNN_EXTRA_BYTES / sizeof(float));
  return buffer;
}

}  // namespace dimorder::bench
