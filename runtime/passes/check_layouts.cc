// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/check_layouts.h"

#include <string>

#include "runtime/error.h"
#include "runtime/passes/layout_rules.h"

namespace dimorder {
namespace {

const Value& At(const Graph& graph, ValueId id) { return graph.values[static_cast<size_t>(id)]; }

// Empty if the value lies like `order`, else what to say.
std::string Mismatch(const Value& value, const DimOrder& order) {
  const TensorType& type = value.type;
  if (SameLayout(type, TensorType(type.dtype, type.sizes, order))) return {};
  return "value '" + value.name + "' lies in dim order " + DimOrderToString(type.dim_order) + ", taken is " +
         DimOrderToString(order);
}

std::string MismatchOf(const Graph& graph, const Node& node, const LayoutSignature& layout) {
  for (size_t k = 0; k < node.inputs.size(); ++k) {
    if (node.inputs[k] == kNoValue) continue;
    std::string mismatch = Mismatch(At(graph, node.inputs[k]), layout.inputs[k]);
    if (!mismatch.empty()) return mismatch;
  }
  return Mismatch(At(graph, node.output), layout.output);
}

void CheckListed(const Graph& graph, const Node& node, const Claim& claim) {
  std::string first;
  for (const LayoutSignature& layout : claim.layouts) {
    const std::string mismatch = MismatchOf(graph, node, layout);
    if (mismatch.empty()) return;
    if (first.empty()) first = mismatch;
  }
  Fail(first);
}

void CheckSame(const Graph& graph, const Node& node) {
  const DimOrder& order = At(graph, node.output).type.dim_order;
  for (size_t k = 0; k < node.inputs.size(); ++k) {
    if (node.inputs[k] == kNoValue) continue;
    const auto expected = InputOrder(graph, node, NodeRule::kSame, k, order);
    if (!expected) continue;
    const std::string mismatch = Mismatch(At(graph, node.inputs[k]), *expected);
    if (!mismatch.empty()) Fail(mismatch);
  }
}

}  // namespace

void CheckLayouts(const Graph& graph, std::span<const Claim> claims) {
  for (size_t n = 0; n < claims.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (claims[n].delegate == kNobody) continue;
    In("node '" + node.name + "' (" + OpName(node.op) + ")", [&] {
      if (claims[n].rule == LayoutRule::kListed) CheckListed(graph, node, claims[n]);
      if (claims[n].rule == LayoutRule::kSame) CheckSame(graph, node);
    });
  }
}

}  // namespace dimorder
