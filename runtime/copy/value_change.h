// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_COPY_VALUE_CHANGE_H_
#define DIMORDER_RUNTIME_COPY_VALUE_CHANGE_H_

#include <cstdint>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder {

// Elements of one type made into elements of another, in the order in which they lie in memory. This is the seam at
// which a conversion that is fused into the move will go in.
struct ValueChange {
  enum class Kind { kCast, kQuantize, kDequantize };

  Kind kind = Kind::kCast;
  DataType from = DataType::kF32;
  DataType to = DataType::kF32;
  int64_t elements = 0;
  // Quantization: element i uses parameter (i / run) % count, so that parameters may run along any axis of a dense
  // tensor, in any order.
  int64_t run = 1;
  Quantization quantization;
  // Bounds of what is made when quantizing.
  int64_t least = 0;
  int64_t most = 0;
};

// A cast as ExecuTorch's copy ops do it: static_cast, a float to bool is whether it is not zero; but a float that the
// integer type cannot hold saturates and NaN becomes 0, where C++ leaves both undefined.
ValueChange CastChange(DataType from, const TensorType& to);
// Between f32 and a quantized tensor that is laid out alike. ONNX's QuantizeLinear: x / scale rounded to nearest even,
// plus zero_point, saturated; DequantizeLinear: (x - zero_point) * scale.
ValueChange QuantizeChange(const TensorType& to);
ValueChange DequantizeChange(const TensorType& from);

// One number as an element of type `to` at `dst`, cast in the same way.
void CastNumber(double number, DataType to, void* dst);

void ApplyValueChange(const ValueChange& change, const void* src, void* dst);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_COPY_VALUE_CHANGE_H_
