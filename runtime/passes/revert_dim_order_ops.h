// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_REVERT_DIM_ORDER_OPS_H_
#define DIMORDER_RUNTIME_PASSES_REVERT_DIM_ORDER_OPS_H_

#include "dimorder/graph.h"

namespace dimorder {

// For delegates that know only to_copy with a memory format: replaces to_dim_order_copy and clone_dim_order. Throws an
// Error that names node and order where the order has no memory format; the graph is then unchanged.
void RevertDimOrderOps(Graph& graph);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_REVERT_DIM_ORDER_OPS_H_
