// SPDX-License-Identifier: Apache-2.0
#include "runtime/lowering/bytes.h"

namespace dimorder {

void ByteWriter::Raw(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

void ByteWriter::Type(const TensorType& type) {
  Number(static_cast<int32_t>(type.dtype));
  Numbers(type.sizes);
  Numbers(std::vector<int32_t>(type.dim_order.begin(), type.dim_order.end()));
  Numbers(type.quantization.scales);
  Numbers(type.quantization.zero_points);
  Number<int32_t>(type.quantization.axis);
}

std::span<const std::byte> ByteReader::Raw(size_t n) {
  if (n > rest_.size()) Fail("the bytes end too early");
  const auto bytes = rest_.first(n);
  rest_ = rest_.subspan(n);
  return bytes;
}

TensorType ByteReader::Type() {
  TensorType type;
  const auto dtype = Number<int32_t>();
  if (dtype < 0 || dtype >= kNumDataTypes) Fail("data type " + std::to_string(dtype) + " is none");
  type.dtype = static_cast<DataType>(dtype);
  type.sizes = Numbers<int64_t>();
  const auto order = Numbers<int32_t>();
  type.dim_order = DimOrder(order.data(), order.size());
  type.quantization.scales = Numbers<float>();
  type.quantization.zero_points = Numbers<int32_t>();
  type.quantization.axis = Number<int32_t>();
  Check(CheckTensorType(type));
  return type;
}

}  // namespace dimorder
