// SPDX-License-Identifier: Apache-2.0
#include "dimorder/tensor_type.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "runtime/error.h"

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
  return text + "]" + DimOrderToString(type.dim_order);
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
    return {};
  });
}

bool SameLayout(const TensorType& a, const TensorType& b) noexcept {
  return LaidOutAlike(Layout::InOrder(a.sizes, a.dim_order), Layout::InOrder(b.sizes, b.dim_order),
                      DataTypeBytes(a.dtype));
}

}  // namespace v1
}  // namespace dimorder
