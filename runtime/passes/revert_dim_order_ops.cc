// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "dimorder/delegate.h"
#include "runtime/error.h"

namespace dimorder {
inline namespace v1 {
namespace {

// The memory format that lays the output out like its order does; "preserve" where the input is laid out like that,
// whichever order it is.
std::string FormatOf(const TensorType& in, const TensorType& out) {
  const auto lies_in = [&](const DimOrder& order) { return SameLayout(out, TensorType(out.dtype, out.sizes, order)); };
  if (lies_in(IdentityOrder(out.rank()))) return "contiguous";
  if (out.rank() == 4 && lies_in(kNHWC)) return "channels_last";
  if (out.rank() == 5 && lies_in(kNDHWC)) return "channels_last_3d";
  if (lies_in(in.dim_order)) return "preserve";
  FailUnsupported("no memory format has dim order " + DimOrderToString(out.dim_order));
}

Graph Reverted(const Graph& graph) {
  Graph reverted = graph;
  for (Node& node : reverted.nodes) {
    if (node.op != Op::kToDimOrderCopy && node.op != Op::kCloneDimOrder) continue;
    const TensorType& in = graph.values[static_cast<size_t>(node.inputs[0])].type;
    const TensorType& out = graph.values[static_cast<size_t>(node.output)].type;
    Attributes attributes;
    attributes.SetString("memory_format", In("node '" + node.name + "'", [&] { return FormatOf(in, out); }));
    if (in.dtype != out.dtype) attributes.SetInt("dtype", static_cast<int64_t>(out.dtype));
    node.op = Op::kToCopy;
    node.attributes = std::move(attributes);
  }
  return reverted;
}

}  // namespace

GraphStatus RevertDimOrderOps(Graph& graph) noexcept {
  return Guarded([&]() -> GraphStatus {
    Check(Verify(graph));
    graph = Reverted(graph);
    return {};
  });
}

}  // namespace v1
}  // namespace dimorder
