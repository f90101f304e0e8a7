// SPDX-License-Identifier: Apache-2.0
#include "runtime/graph/quantization.h"

#include <limits>
#include <string>

#include "runtime/error.h"
#include "runtime/graph/infer.h"

namespace dimorder {

TensorType QuantizedType(const Attributes& attributes, TensorType type) {
  Quantization& q = type.quantization;
  for (double scale : attributes.Floats("scale")) q.scales.push_back(static_cast<float>(scale));
  if (q.scales.empty()) Fail("has no scale");
  for (int64_t zero_point : attributes.Ints("zero_point")) {
    if (zero_point < std::numeric_limits<int32_t>::min() || zero_point > std::numeric_limits<int32_t>::max()) {
      Fail("zero_point " + std::to_string(zero_point) + " is beyond 32 bits");
    }
    q.zero_points.push_back(static_cast<int32_t>(zero_point));
  }
  if (q.zero_points.empty()) q.zero_points.resize(q.scales.size(), 0);
  if (q.scales.size() > 1) q.axis = static_cast<int>(NormalizeAxis(attributes.Int("axis"), type.rank()));
  Check(CheckTensorType(type));
  return type;
}

bool ComputesWithNumbers(Op op) { return !IsCopyOp(op) && op != Op::kQuantize && op != Op::kDequantize; }

}  // namespace dimorder
