// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_LAYOUT_RULES_H_
#define DIMORDER_RUNTIME_PASSES_LAYOUT_RULES_H_

#include <optional>

#include "dimorder/graph.h"
#include "runtime/passes/claim.h"

namespace dimorder {

// How the orders of a node's inputs and output hang together.
enum class NodeRule {
  kAny,     // not at all
  kSame,    // all alike
  kListed,  // as the delegate lists them
  kRename,  // the output is the input seen in another way: each order of one makes one of the other
  kMove,    // a copy that moves bytes whatever the orders are, faster in some
};

NodeRule RuleOf(const Graph& graph, const Node& node, const Claim& claim);

// The order that the output has when input `k` is in `order`, and the other way round; none where nothing follows.
std::optional<DimOrder> OutputOrder(const Graph& graph, const Node& node, NodeRule rule, size_t k,
                                    const DimOrder& order);
std::optional<DimOrder> InputOrder(const Graph& graph, const Node& node, NodeRule rule, size_t k,
                                   const DimOrder& order);

bool IsIdentity(const DimOrder& order);
// (0,2,..,1) of rank 3 to 5.
bool IsChannelsLast(const DimOrder& order);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_LAYOUT_RULES_H_
