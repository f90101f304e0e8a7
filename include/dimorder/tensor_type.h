// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TENSOR_TYPE_H_
#define DIMORDER_TENSOR_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dimorder/export.h"
#include "dimorder/graph_status.h"
#include "dimorder/layout.h"

namespace dimorder {
inline namespace v1 {

enum class DataType : int32_t { kF32, kF16, kBF16, kI8, kU8, kI16, kI32, kI64, kBool };
inline constexpr int kNumDataTypes = 9;

// Bytes of one element.
DIMORDER_EXPORT int64_t DataTypeBytes(DataType dtype) noexcept;
// "f32", "i8", "bool", ...
DIMORDER_EXPORT const char* DataTypeName(DataType dtype) noexcept;

// What the integers q of a quantized tensor stand for: (q - zero_point) * scale. There is one scale and zero point for
// the whole tensor, or one of each per index of a logical axis.
struct Quantization {
  std::vector<float> scales;
  std::vector<int32_t> zero_points;  // as many
  int axis = 0;                      // 0, too, where there is one scale

  bool operator==(const Quantization&) const = default;
};

// What a tensor of the graph is: element type, logical sizes, and the order of its axes in memory. Always dense. Sizes
// are never permuted by an order: an NHWC image of 3 channels has sizes {1,3,224,224} and dim_order {0,2,3,1}. Ops that
// compute take a quantized tensor for the real numbers that its integers stand for, ops that copy move the integers.
struct TensorType {
  TensorType() = default;
  // In the order of the logical axes.
  TensorType(DataType type, std::vector<int64_t> shape)
      : dtype(type), sizes(std::move(shape)), dim_order(IdentityOrder(sizes.size())) {}
  TensorType(DataType type, std::vector<int64_t> shape, const DimOrder& order)
      : dtype(type), sizes(std::move(shape)), dim_order(order) {}

  size_t rank() const { return sizes.size(); }
  bool quantized() const { return !quantization.scales.empty(); }

  DataType dtype = DataType::kF32;
  std::vector<int64_t> sizes;
  DimOrder dim_order;
  Quantization quantization;  // without scales: the numbers are what they are
};

// The number of elements; 0 where a size is 0. The type must be valid.
DIMORDER_EXPORT int64_t NumElements(const TensorType& type) noexcept;
// Elements times their bytes. The type must be valid.
DIMORDER_EXPORT int64_t NumBytes(const TensorType& type) noexcept;
// "f32[1,3,224,224](0,2,3,1)", "i8[4](0){scale 0.5, zero_point 3}"
DIMORDER_EXPORT std::string ToString(const TensorType& type);

// Rank at most kMaxRank, no negative size, a dim_order that is a permutation of the axes, bytes that fit into 63 bits;
// if it is quantized, i8, u8, i16 or i32, scales that are positive and finite, zero points that the data type holds.
DIMORDER_EXPORT GraphStatus CheckTensorType(const TensorType& type) noexcept;

// Whether the bytes of both are laid out alike: LaidOutAlike for dense tensors. Sizes must agree; size-1 axes do not
// count, and a tensor of at most one element is laid out like any other.
DIMORDER_EXPORT bool SameLayout(const TensorType& a, const TensorType& b) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_TENSOR_TYPE_H_
