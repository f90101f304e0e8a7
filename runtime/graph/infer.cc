// SPDX-License-Identifier: Apache-2.0
#include "runtime/graph/infer.h"

#include <algorithm>
#include <string>

#include "runtime/error.h"

namespace dimorder {

int64_t NormalizeAxis(int64_t axis, size_t rank) {
  const auto n = static_cast<int64_t>(rank);
  if (axis < -n || axis >= n) Fail("axis " + std::to_string(axis) + " is outside rank " + std::to_string(rank));
  return axis < 0 ? axis + n : axis;
}

std::vector<int64_t> NormalizeAxes(std::span<const int64_t> axes, size_t rank) {
  std::vector<int64_t> normal;
  for (int64_t axis : axes) {
    normal.push_back(NormalizeAxis(axis, rank));
    if (std::count(normal.begin(), normal.end(), normal.back()) > 1) Fail("axes " + Join(axes) + " repeat one");
  }
  return normal;
}

std::vector<int64_t> ResolveView(std::vector<int64_t> sizes, int64_t elements) {
  int64_t product = 1;
  int64_t* open = nullptr;
  for (int64_t& size : sizes) {
    if (size == -1 && !open) {
      open = &size;
    } else if (size < 0 || __builtin_mul_overflow(product, size, &product)) {
      Fail("size " + Join(sizes) + " is no shape");
    }
  }
  if (open) {
    if (product == 0 || elements % product != 0) {
      Fail("size " + Join(sizes) + " does not fit " + std::to_string(elements) + " elements");
    }
    *open = elements / product;
    product = elements;
  }
  if (product != elements) Fail("size " + Join(sizes) + " does not fit " + std::to_string(elements) + " elements");
  return sizes;
}

std::vector<int64_t> BroadcastSizes(std::span<const int64_t> a, std::span<const int64_t> b) {
  std::vector<int64_t> sizes(std::max(a.size(), b.size()));
  for (size_t i = 0; i < sizes.size(); ++i) {  // from the last axis
    const int64_t m = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t n = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (m != n && m != 1 && n != 1) {
      Fail("sizes " + Join(a) + " and " + Join(b) + " do not broadcast");
    }
    sizes[sizes.size() - 1 - i] = m == 1 ? n : m;
  }
  return sizes;
}

DataType DataTypeOf(const Attributes& attributes, const char* name, DataType otherwise) {
  const int64_t code = attributes.Int(name, static_cast<int64_t>(otherwise));
  if (code < 0 || code >= kNumDataTypes) Fail(std::string(name) + " " + std::to_string(code) + " is no data type");
  return static_cast<DataType>(code);
}

SliceRange ResolveSlice(const Attributes& attributes, int64_t size) {
  const int64_t step = attributes.Int("step", 1);
  if (step == 0 || step == INT64_MIN) Fail("step " + std::to_string(step) + " is none");
  const int64_t least = step > 0 ? 0 : -1;
  const int64_t most = step > 0 ? size : size - 1;
  const auto clamp = [&](int64_t i) { return std::clamp(i < 0 ? i + size : i, least, most); };
  const int64_t start = attributes.Has("start") ? clamp(attributes.Int("start")) : (step > 0 ? least : most);
  const int64_t end = attributes.Has("end") ? clamp(attributes.Int("end")) : (step > 0 ? most : least);
  const int64_t span = step > 0 ? end - start : start - end;
  const int64_t stride = step > 0 ? step : -step;
  return {start, step, span <= 0 ? 0 : (span - 1) / stride + 1};
}

}  // namespace dimorder
