// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_LAYOUT_POLICY_H_
#define DIMORDER_RUNTIME_PASSES_LAYOUT_POLICY_H_

#include "dimorder/program.h"
#include "runtime/passes/layout_problem.h"

namespace dimorder {

// Exact as long as no table of the search has more entries: at least for all graphs with 20 two-way choices, in
// practice for layered graphs of any length.
inline constexpr size_t kMaxLayoutTable = size_t{1} << 20;

// What the policy answers; cost, bound and exact are filled in. The optimal answer is never costlier than any other.
LayoutAnswer AssignLayouts(const Graph& graph, const LayoutProblem& problem, LayoutPolicy policy);

// The best answer without hubs. The bound is proven; so is that the answer is the best, where `exact`.
LayoutAnswer OptimalLayouts(const LayoutProblem& problem, size_t max_table);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_LAYOUT_POLICY_H_
