// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_WITH_TYPE_H_
#define DIMORDER_RUNTIME_WITH_TYPE_H_

#include <cstdint>
#include <string>
#include <type_traits>

#include "dimorder/tensor_type.h"
#include "runtime/error.h"
#include "runtime/half.h"

namespace dimorder {

// Calls fn(T()) with the C++ type of `dtype`.
template <class Fn>
void WithType(DataType dtype, Fn&& fn) {
  switch (dtype) {
    case DataType::kF32:
      return fn(float());
    case DataType::kF16:
      return fn(Half());
    case DataType::kBF16:
      return fn(BFloat16());
    case DataType::kI8:  // NOLINT(bugprone-branch-clone): the types differ
      return fn(int8_t());
    case DataType::kU8:
      return fn(uint8_t());
    case DataType::kI16:
      return fn(int16_t());
    case DataType::kI32:
      return fn(int32_t());
    case DataType::kI64:
      return fn(int64_t());
    case DataType::kBool:
      return fn(bool());
  }
}

// Of the types that C++ computes with: floats of 16 bits are computed as f32, and bool is no number.
template <class Fn>
void WithArithmeticType(DataType dtype, Fn&& fn) {
  WithType(dtype, [&](auto t) {
    if constexpr (std::is_arithmetic_v<decltype(t)> && !std::is_same_v<decltype(t), bool>) {
      fn(t);
    } else {
      FailUnsupported(std::string("no arithmetic with ") + DataTypeName(dtype));
    }
  });
}

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_WITH_TYPE_H_
