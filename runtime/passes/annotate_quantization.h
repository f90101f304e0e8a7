// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_ANNOTATE_QUANTIZATION_H_
#define DIMORDER_RUNTIME_PASSES_ANNOTATE_QUANTIZATION_H_

#include "dimorder/graph.h"

namespace dimorder {

// Says in the types of values what their integers stand for, wherever all nodes around them are quantize and dequantize
// nodes that agree on it. In a graph with constants of i8 among those, what is u8 between such nodes becomes i8 with a
// zero point less by 128, which stands for the same numbers: exporters have activations of u8 and weights of i8, but
// who computes with integers wants them alike.
void AnnotateQuantization(Graph& graph);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_ANNOTATE_QUANTIZATION_H_
