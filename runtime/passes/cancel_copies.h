// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_CANCEL_COPIES_H_
#define DIMORDER_RUNTIME_PASSES_CANCEL_COPIES_H_

#include <string>
#include <vector>

#include "dimorder/graph.h"
#include "runtime/passes/claim.h"

namespace dimorder {

// Makes copies that only say an order into ones that layout assignment is free to place: to_dim_order_copy, to_copy and
// clone_dim_order of the same data type become clone_dim_order without attributes, casts keep their data type only.
void NormalizeCopies(Graph& graph);

// Removes copies that are not needed: one into the layout that its input has, one that another copy only passes on
// (the two become one; so do two permutes), one that exists already, and one that nobody reads. Nodes that delegates
// have claimed are left alone. The readers of a value in `handed_over` are to get it and not what it is a copy of: no
// copy is merged with the one that makes it. Returns a line for each that went: which, and why.
std::vector<std::string> CancelCopies(Graph& graph, std::vector<Claim>& claims,
                                      const std::vector<ValueId>& handed_over = {});

// Removes nodes whose output nobody reads and that is no graph output, and those that only they read.
void DropUnreadNodes(Graph& graph);

// Removes values that nothing refers to, and renumbers the others.
void DropUnusedValues(Graph& graph);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_CANCEL_COPIES_H_
