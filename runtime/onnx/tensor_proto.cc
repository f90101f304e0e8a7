// SPDX-License-Identifier: Apache-2.0
#include "runtime/onnx/tensor_proto.h"

#include <cstring>
#include <string>

#include "runtime/bool_bytes.h"
#include "runtime/error.h"

namespace dimorder {
namespace {

template <class T, class Field>
void CopyField(const Field& field, TensorData& tensor) {
  if (field.size() != NumElements(tensor.type)) {
    Fail("has " + std::to_string(field.size()) + " elements for " + ToString(tensor.type));
  }
  tensor.bytes.resize(static_cast<size_t>(NumBytes(tensor.type)));
  for (int i = 0; i < field.size(); ++i) {
    const T value = static_cast<T>(field[i]);
    std::memcpy(tensor.bytes.data() + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
  }
}

// Small integers and halves stand in the field of 32 bits.
void CopyTyped(const onnx::TensorProto& proto, TensorData& tensor) {
  switch (tensor.type.dtype) {
    case DataType::kF32:
      return CopyField<float>(proto.float_data(), tensor);
    case DataType::kI64:
      return CopyField<int64_t>(proto.int64_data(), tensor);
    case DataType::kI32:
      return CopyField<int32_t>(proto.int32_data(), tensor);
    case DataType::kF16:
    case DataType::kBF16:
    case DataType::kI16:
      return CopyField<uint16_t>(proto.int32_data(), tensor);
    case DataType::kI8:
    case DataType::kU8:
    case DataType::kBool:
      return CopyField<uint8_t>(proto.int32_data(), tensor);
  }
}

}  // namespace

DataType FromOnnxType(int32_t type) {
  switch (type) {
    case onnx::TensorProto::FLOAT:
      return DataType::kF32;
    case onnx::TensorProto::FLOAT16:
      return DataType::kF16;
    case onnx::TensorProto::BFLOAT16:
      return DataType::kBF16;
    case onnx::TensorProto::INT8:
      return DataType::kI8;
    case onnx::TensorProto::UINT8:
      return DataType::kU8;
    case onnx::TensorProto::INT16:
      return DataType::kI16;
    case onnx::TensorProto::INT32:
      return DataType::kI32;
    case onnx::TensorProto::INT64:
      return DataType::kI64;
    case onnx::TensorProto::BOOL:
      return DataType::kBool;
    default:
      FailUnsupported("ONNX data type " + std::to_string(type) + " is not supported");
  }
}

namespace {

TensorData Read(const onnx::TensorProto& proto) {
  if (proto.data_location() == onnx::TensorProto::EXTERNAL) FailUnsupported("external data is not supported");
  if (proto.has_segment()) FailUnsupported("segments are not supported");
  TensorData tensor;
  tensor.type = TensorType(FromOnnxType(proto.data_type()), {proto.dims().begin(), proto.dims().end()});
  Check(CheckTensorType(tensor.type));
  if (!proto.has_raw_data()) {
    CopyTyped(proto, tensor);
    return tensor;
  }
  const std::string& raw = proto.raw_data();
  if (static_cast<int64_t>(raw.size()) != NumBytes(tensor.type)) {
    Fail("has " + std::to_string(raw.size()) + " bytes for " + ToString(tensor.type));
  }
  tensor.bytes.resize(raw.size());
  std::memcpy(tensor.bytes.data(), raw.data(), raw.size());
  return tensor;
}

}  // namespace

TensorData FromTensorProto(const onnx::TensorProto& proto) {
  return In("tensor '" + proto.name() + "'", [&] {
    TensorData tensor = Read(proto);
    NormalizeBools(tensor);
    return tensor;
  });
}

}  // namespace dimorder
