// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_FOLD_QUANTIZATION_H_
#define DIMORDER_RUNTIME_PASSES_FOLD_QUANTIZATION_H_

#include <span>
#include <string>
#include <vector>

#include "dimorder/delegate.h"

namespace dimorder {

struct FoldedQuantization {
  int nodes = 0;                     // that work on integers now
  std::vector<std::string> refused;  // those that delegates left between dequantize and quantize, and why
};

// Annotates the graph's values (annotate_quantization.h) and makes one node on integers of dequantize -> op ->
// quantize: of a copy whose integers stay what they are, and of any other op where one of the delegates takes the node
// that it becomes.
FoldedQuantization FoldQuantization(Graph& graph, std::span<const Delegate* const> delegates);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_FOLD_QUANTIZATION_H_
