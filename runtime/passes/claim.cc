// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/claim.h"

#include <utility>

#include "runtime/error.h"

namespace dimorder {
namespace {

void CheckOrder(const Graph& graph, ValueId id, const DimOrder& order) {
  if (id == kNoValue) return;
  const TensorType& type = graph.values[static_cast<size_t>(id)].type;
  Check(CheckTensorType(TensorType(type.dtype, type.sizes, order)));
}

void CheckSupport(const Graph& graph, const Node& node, const Support& support) {
  if (support.rule != LayoutRule::kListed) return;
  if (support.layouts.empty()) Fail("lists no layouts");
  for (const LayoutSignature& layout : support.layouts) {
    if (layout.inputs.size() != node.inputs.size()) Fail("has not one order per input");
    for (size_t i = 0; i < node.inputs.size(); ++i) CheckOrder(graph, node.inputs[i], layout.inputs[i]);
    CheckOrder(graph, node.output, layout.output);
    if (!(layout.cost >= 0)) Fail("has a negative cost");
  }
}

}  // namespace

std::vector<Claim> ClaimNodes(const Graph& graph, std::span<const Delegate* const> delegates) {
  std::vector<Claim> claims(graph.nodes.size());
  for (size_t i = 0; i < claims.size(); ++i) {
    const Node& node = graph.nodes[i];
    for (size_t d = 0; d < delegates.size() && claims[i].delegate == kNobody; ++d) {
      Support support = delegates[d]->Query(graph, node);
      if (!support.supported) {
        claims[i].refusals += std::string(delegates[d]->name()) + ": " + support.reason + "; ";
        continue;
      }
      In(std::string("delegate ") + delegates[d]->name() + ", node '" + node.name + "'",
         [&] { CheckSupport(graph, node, support); });
      claims[i].delegate = static_cast<int>(d);
      claims[i].rule = support.rule;
      claims[i].layouts = std::move(support.layouts);
    }
  }
  return claims;
}

}  // namespace dimorder
