// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "runtime/copy/value_change.h"
#include "runtime/reference/ops.h"

namespace dimorder {
namespace {

constexpr int64_t kOutside = -1;

// Which input index an output index of an axis shows.
int64_t SourceIndex(int64_t i, int64_t size, const std::string& mode) {
  if (i >= 0 && i < size) return i;
  if (mode == "edge") return i < 0 ? 0 : size - 1;
  if (mode == "reflect") return i < 0 ? -i : 2 * (size - 1) - i;
  return kOutside;
}

}  // namespace

void ReferencePad(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& x = inputs[0];
  const auto pads = attributes.Ints("pads");
  const std::string mode = attributes.String("mode", "constant");
  const auto bytes = static_cast<size_t>(DataTypeBytes(x.type->dtype));
  std::byte fill[8];
  CastNumber(attributes.Float("value"), x.type->dtype, fill);

  std::vector<std::vector<int64_t>> source(x.rank());
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    for (int64_t i = 0; i < output.size(axis); ++i) {
      source[axis].push_back(SourceIndex(i - pads[axis], x.size(axis), mode));
    }
  }
  std::vector<int64_t> index(x.rank(), 0);
  ForEachIndex(output.sizes(), std::array{output.strides}, [&](const auto& at) {
    const std::byte* from = x.as<std::byte>();
    for (size_t axis = 0; axis < x.rank() && from; ++axis) {
      const int64_t i = source[axis][static_cast<size_t>(index[axis])];
      from = i == kOutside ? nullptr : from + i * x.strides[axis] * static_cast<int64_t>(bytes);
    }
    std::memcpy(output.as<std::byte>() + at[0] * static_cast<int64_t>(bytes), from ? from : fill, bytes);
    for (size_t axis = x.rank(); axis-- > 0;) {
      if (++index[axis] < output.size(axis)) break;
      index[axis] = 0;
    }
  });
}

}  // namespace dimorder
