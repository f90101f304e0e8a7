// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_ONNX_TENSOR_PROTO_H_
#define DIMORDER_RUNTIME_ONNX_TENSOR_PROTO_H_

#include <onnx/onnx_pb.h>

#include <cstdint>

#include "dimorder/npy.h"

namespace dimorder {

// ONNX's number for a data type; throws Error for one that there is not here.
DataType FromOnnxType(int32_t type);

// A tensor of a model file: raw or in the field of its type. Throws Error where sizes and data disagree, before it
// allocates more than the data.
TensorData FromTensorProto(const onnx::TensorProto& proto);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_ONNX_TENSOR_PROTO_H_
