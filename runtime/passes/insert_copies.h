// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_INSERT_COPIES_H_
#define DIMORDER_RUNTIME_PASSES_INSERT_COPIES_H_

#include <vector>

#include "runtime/passes/layout_problem.h"

namespace dimorder {

// Gives every value the order that the answer says and puts a clone_dim_order where a consumer wants another; right
// behind the node that makes the value, and once per order. Consumers elsewhere may share it. A graph output that is
// made in another order than the caller's is made under a name of its own and copied. `claims` gets an entry for each
// new node. Returns the values in which others leave their delegates, for CancelCopies: those made for hubs.
std::vector<ValueId> InsertCopies(Graph& graph, const LayoutProblem& problem, const LayoutAnswer& answer,
                                  std::vector<Claim>& claims);

// Lays each constant out as the nodes' choices say: once per order, as constants of the graph, so that no run ever
// does. Returns how many.
int LayOutConstants(Graph& graph, const LayoutProblem& problem, const LayoutAnswer& answer);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_INSERT_COPIES_H_
