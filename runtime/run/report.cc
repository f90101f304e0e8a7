// SPDX-License-Identifier: Apache-2.0
#include "runtime/run/report.h"

#include <algorithm>
#include <string>

namespace dimorder {
namespace {

std::string MakerOf(const Graph& graph, ValueId id) {
  const auto node = std::ranges::find(graph.nodes, id, &Node::output);
  return node == graph.nodes.end() ? "input" : node->name;
}

std::string ReadersOf(const Graph& graph, ValueId id) {
  std::string readers;
  const auto add = [&](const std::string& reader) { readers += (readers.empty() ? "" : ", ") + reader; };
  for (const Node& node : graph.nodes) {
    if (std::ranges::count(node.inputs, id)) add(node.name);
  }
  if (std::ranges::count(graph.outputs, id)) add("output");
  return readers;
}

}  // namespace

void ReportCopies(const Graph& graph, std::span<const std::unique_ptr<Kernel>> kernels, CompileReport& report) {
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (!kernels[n] || !IsCopyOp(node.op) || node.inputs.empty() || kernels[n]->BytesMoved() == 0) continue;
    const Value& value = graph.values[static_cast<size_t>(node.inputs[0])];
    report.copies.push_back({node.name, value.name, value.type,
                             graph.values[static_cast<size_t>(node.output)].type.dim_order,
                             MakerOf(graph, node.inputs[0]), ReadersOf(graph, node.output), kernels[n]->BytesMoved(),
                             kernels[n]->EstimatedCost()});
    report.copied_bytes += kernels[n]->BytesMoved();
  }
}

}  // namespace dimorder
