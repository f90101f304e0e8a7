// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/layout_rules.h"

#include "runtime/copy/lower.h"
#include "runtime/graph/trailing_order.h"

namespace dimorder {
namespace {

const TensorType& TypeOf(const Graph& graph, ValueId id) { return graph.values[static_cast<size_t>(id)].type; }

}  // namespace

NodeRule RuleOf(const Graph& graph, const Node& node, const Claim& claim) {
  if (claim.delegate != kNobody) {
    if (claim.rule == LayoutRule::kListed) return NodeRule::kListed;
    if (claim.rule == LayoutRule::kSame) return NodeRule::kSame;
    return NodeRule::kAny;
  }
  switch (node.op) {
    case Op::kToDimOrderCopy:
    case Op::kCloneDimOrder:
    case Op::kToCopy:
      // A cast goes through memory as it lies.
      return TypeOf(graph, node.inputs[0]).dtype == TypeOf(graph, node.output).dtype ? NodeRule::kRename
                                                                                     : NodeRule::kSame;
    case Op::kPermuteCopy:
    case Op::kTransposeCopy:
    case Op::kTCopy:
    case Op::kViewCopy:
    case Op::kSqueezeCopy:
    case Op::kUnsqueezeCopy:
    case Op::kDropout:
      return NodeRule::kRename;
    case Op::kQuantize:
    case Op::kDequantize:
      return NodeRule::kSame;
    case Op::kEmptyDimOrder:
      return NodeRule::kAny;
    default:
      return IsCopyOp(node.op) ? NodeRule::kMove : NodeRule::kAny;
  }
}

std::optional<DimOrder> OutputOrder(const Graph& graph, const Node& node, NodeRule rule, size_t k,
                                    const DimOrder& order) {
  const TensorType& in = TypeOf(graph, node.inputs[k]);
  const TensorType& out = TypeOf(graph, node.output);
  if (rule == NodeRule::kRename) return RenameOutputOrder(node, TensorType(in.dtype, in.sizes, order), out);
  if (rule != NodeRule::kSame && rule != NodeRule::kMove) return std::nullopt;
  return in.rank() == out.rank() ? std::optional(order) : std::nullopt;
}

std::optional<DimOrder> InputOrder(const Graph& graph, const Node& node, NodeRule rule, size_t k,
                                   const DimOrder& order) {
  const TensorType& in = TypeOf(graph, node.inputs[k]);
  const TensorType& out = TypeOf(graph, node.output);
  if (rule == NodeRule::kRename) return RenameInputOrder(node, in, TensorType(out.dtype, out.sizes, order));
  if (rule == NodeRule::kSame && in.rank() <= out.rank()) return TrailingOrder(order, in.rank());
  if (rule == NodeRule::kMove && in.rank() == out.rank()) return order;
  return std::nullopt;
}

bool IsIdentity(const DimOrder& order) { return order == IdentityOrder(order.size()); }

bool IsChannelsLast(const DimOrder& order) { return order == kNWC || order == kNHWC || order == kNDHWC; }

}  // namespace dimorder
