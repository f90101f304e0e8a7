// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_BOOL_BYTES_H_
#define DIMORDER_RUNTIME_BOOL_BYTES_H_

#include <cstddef>

#include "dimorder/npy.h"

namespace dimorder {

// Makes the bytes of a bool tensor of a file 0 or 1: a bool of C++ may be no other one.
inline void NormalizeBools(TensorData& tensor) {
  if (tensor.type.dtype != DataType::kBool) return;
  for (std::byte& byte : tensor.bytes) byte = std::byte(byte != std::byte{0});
}

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_BOOL_BYTES_H_
