// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_GRAPH_QUANTIZATION_H_
#define DIMORDER_RUNTIME_GRAPH_QUANTIZATION_H_

#include "dimorder/graph.h"

namespace dimorder {

// The data types that a quantized tensor may have.
constexpr bool IsQuantizedType(DataType dtype) {
  return dtype == DataType::kI8 || dtype == DataType::kU8 || dtype == DataType::kI16 || dtype == DataType::kI32;
}

// `type` with the quantization that the attributes scale, zero_point and axis of quantize and dequantize say; throws
// Error where they say none for it.
TensorType QuantizedType(const Attributes& attributes, TensorType type);

// Whether the op takes quantized operands for the numbers that they stand for: all but copies, quantize and dequantize,
// for which integers are integers.
bool ComputesWithNumbers(Op op);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_GRAPH_QUANTIZATION_H_
