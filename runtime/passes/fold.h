// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_FOLD_H_
#define DIMORDER_RUNTIME_PASSES_FOLD_H_

#include "dimorder/graph.h"

namespace dimorder {

// Runs the nodes all of whose inputs are constants, once: their outputs become constants. A graph output stays a
// node's. Returns how many nodes went.
int FoldConstants(Graph& graph);

// A batch_norm of constants behind a conv2d of constants that nobody else reads becomes part of its weight and bias.
// Returns how many went.
int FoldBatchNorms(Graph& graph);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_FOLD_H_
