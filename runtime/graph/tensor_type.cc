// SPDX-License-Identifier: Apache-2.0
#include "dimorder/tensor_type.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

#include "runtime/error.h"
#include "runtime/graph/quantization.h"

namespace dimorder {
inline namespace v1 {
namespace {

struct DataTypeFacts {
  const char* name;
  int64_t bytes;
};
constexpr DataTypeFacts kDataTypes[] = {{"f32", 4}, {"f16", 2}, {"bf16", 2}, {"i8", 1},  {"u8", 1},
                                        {"i16", 2}, {"i32", 4}, {"i64", 8},  {"bool", 1}};
static_assert(std::size(kDataTypes) == kNumDataTypes);

std::string Number(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(value));
  return text;
}
std::string Number(int32_t value) { return std::to_string(value); }

// The first few of a list; just the number where it is one.
template <class T>
std::string Some(const std::vector<T>& numbers) {
  if (numbers.size() == 1) return Number(numbers[0]);
  constexpr size_t kShown = 4;
  std::string text = "[";
  for (size_t i = 0; i < std::min(numbers.size(), kShown); ++i) text += (i ? ", " : "") + Number(numbers[i]);
  return text + (numbers.size() > kShown ? ", ... of " + std::to_string(numbers.size()) : "") + "]";
}

std::string ToString(const Quantization& q) {
  return "{scale " + Some(q.scales) + ", zero_point " + Some(q.zero_points) +
         (q.scales.size() > 1 ? ", axis " + std::to_string(q.axis) : "") + "}";
}

void CheckZeroPoint(DataType dtype, int64_t zero_point) {
  const int64_t values = int64_t{1} << (8 * DataTypeBytes(dtype));
  const int64_t least = dtype == DataType::kU8 ? 0 : -values / 2;
  if (zero_point < least || zero_point >= least + values) {
    Fail("zero_point " + std::to_string(zero_point) + " is no " + DataTypeName(dtype));
  }
}

void CheckQuantization(const TensorType& type) {
  const Quantization& q = type.quantization;
  if (!IsQuantizedType(type.dtype)) Fail(std::string(DataTypeName(type.dtype)) + " is not quantized");
  if (q.zero_points.size() != q.scales.size()) {
    Fail("has " + std::to_string(q.zero_points.size()) + " zero_points for " + std::to_string(q.scales.size()) +
         " scales");
  }
  for (float scale : q.scales) {
    if (!(scale > 0) || std::isinf(scale)) Fail("scale " + Number(scale) + " is not positive and finite");
  }
  for (int32_t zero_point : q.zero_points) CheckZeroPoint(type.dtype, zero_point);
  if (q.scales.size() == 1 && q.axis == 0) return;
  if (q.axis < 0 || static_cast<size_t>(q.axis) >= type.rank()) {
    Fail("is quantized along axis " + std::to_string(q.axis) + " of rank " + std::to_string(type.rank()));
  }
  const int64_t size = type.sizes[static_cast<size_t>(q.axis)];
  if (static_cast<int64_t>(q.scales.size()) != size) {
    Fail("has " + std::to_string(q.scales.size()) + " scales for an axis of " + std::to_string(size));
  }
}

}  // namespace

int64_t DataTypeBytes(DataType dtype) noexcept { return kDataTypes[static_cast<size_t>(dtype)].bytes; }
const char* DataTypeName(DataType dtype) noexcept { return kDataTypes[static_cast<size_t>(dtype)].name; }

int64_t NumElements(const TensorType& type) noexcept {
  int64_t n = 1;
  for (int64_t size : type.sizes) n *= size;
  return n;
}

int64_t NumBytes(const TensorType& type) noexcept { return NumElements(type) * DataTypeBytes(type.dtype); }

std::string ToString(const TensorType& type) {
  std::string text = DataTypeName(type.dtype);
  text += "[";
  for (size_t i = 0; i < type.sizes.size(); ++i) text += (i ? "," : "") + std::to_string(type.sizes[i]);
  return text + "]" + DimOrderToString(type.dim_order) + (type.quantized() ? ToString(type.quantization) : "");
}

GraphStatus CheckTensorType(const TensorType& type) noexcept {
  return Guarded([&]() -> GraphStatus {
    const auto code = static_cast<size_t>(type.dtype);
    if (code >= std::size(kDataTypes)) Fail("unknown data type " + std::to_string(code));
    if (type.rank() > kMaxRank) Fail("rank " + std::to_string(type.rank()) + " is more than 32");
    int64_t strides[kMaxRank];
    Check(DimOrderToStrides(type.sizes, type.dim_order, DataTypeBytes(type.dtype), strides));
    // A size of 0 counts as 1, as in strides: so that no product of some of the sizes overflows either.
    int64_t bytes = DataTypeBytes(type.dtype);
    for (int64_t size : type.sizes) {
      if (__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes)) {
        throw Error(StatusCode::kOverflow, "sizes " + Join(type.sizes) + " are of more bytes than fit into 63 bits");
      }
    }
    if (type.quantized() || !type.quantization.zero_points.empty()) CheckQuantization(type);
    return {};
  });
}

bool SameLayout(const TensorType& a, const TensorType& b) noexcept {
  return LaidOutAlike(Layout::InOrder(a.sizes, a.dim_order), Layout::InOrder(b.sizes, b.dim_order),
                      DataTypeBytes(a.dtype));
}

}  // namespace v1
}  // namespace dimorder
