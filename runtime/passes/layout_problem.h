// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_LAYOUT_PROBLEM_H_
#define DIMORDER_RUNTIME_PASSES_LAYOUT_PROBLEM_H_

#include <span>
#include <vector>

#include "dimorder/graph.h"
#include "runtime/passes/claim.h"

namespace dimorder {

// "Any order", or "no such": where an index into a value's orders stands.
inline constexpr int kFree = -1;

// One way to run a node: indices into the orders of its inputs and its output.
struct LayoutChoice {
  std::vector<int> inputs;  // kFree: takes what comes (and for constants, which lie as is best for the node)
  int output = 0;
  double cost = 0;
  std::vector<DimOrder> constants;  // the order of each input that is a constant; empty when no matter
};

// The question which order each value is made in, and which way each node is run, so that the copies in between cost
// the least. A value is made once, in one order; each other order in which a consumer wants it is one copy of it,
// shared by all that want it. Constants cost nothing. Graph inputs and outputs have the order that they are declared
// in: that is `given` and `wanted`.
struct LayoutProblem {
  std::vector<std::vector<DimOrder>> orders;                // per value; no two lay its sizes out alike
  std::vector<std::vector<std::vector<double>>> copy;       // per value: cost of a copy [from][to]
  std::vector<std::vector<LayoutChoice>> choices;           // per node, at least one
  std::vector<int> given;                                   // per value: a graph input's order; else kFree
  std::vector<int> wanted;                                  // per value: a graph output's order; else kFree
  std::vector<int> producer;                                // per value: its node; else -1
  std::vector<std::vector<std::pair<int, int>>> consumers;  // per value: node and input
  std::vector<int> delegate;                                // per node, as claimed
  std::vector<bool> listed;                                 // per node: has preferences, the first choice first
};

// An answer: the choice of each node. With hubs, a value leaves its delegate only in its hub's order, and consumers
// elsewhere that want another copy from there, even one like the order in which it is made (policy boundary).
struct LayoutAnswer {
  std::vector<int> choices;
  std::vector<int> hubs;  // per value; kFree: none
  double cost = 0;
  double bound = 0;  // no answer without hubs costs less; equal to cost where the answer is proven the best
  bool exact = false;
};

// `claims` has one entry per node. A value's orders are those that any node or caller names for it, and those that
// nodes between make of their neighbours': nobody wants any other.
LayoutProblem MakeLayoutProblem(const Graph& graph, std::span<const Claim> claims);

// The order in which a value is made.
int MadeOrder(const LayoutProblem& problem, std::span<const int> choices, size_t value);
// The order in which a value reaches its consumer in node `consumer`, or the caller (-1), if not that it is made in.
int HubFor(const LayoutProblem& problem, const LayoutAnswer& answer, size_t value, int consumer);
// A copy that an answer needs: of `value`, between two of its orders.
struct NeededCopy {
  size_t value;
  int from;
  int to;
  bool from_hub;
};
// Those of one value stand together, the one to its hub first.
std::vector<NeededCopy> NeededCopies(const LayoutProblem& problem, const LayoutAnswer& answer);
// Of all copies and choices.
double CostOf(const LayoutProblem& problem, const LayoutAnswer& answer);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_LAYOUT_PROBLEM_H_
