// SPDX-License-Identifier: Apache-2.0
//
// Every mode is separable: an output element is the sum over all axes' taps of input elements times the product of the
// taps' weights. So each axis gets, for each of its output indices, a short list of {input index, weight}: one tap for
// nearest, two for linear, four for cubic. A tensor is resized along one axis after another, first where it shrinks, so
// that nothing in between is larger than both input and output, and the work grows with the number of axes and not with
// the product of their taps. All that stays as it is outside of the first such axis is done an image at a time.
// Coordinates are ONNX's.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "runtime/reference/ops.h"

namespace dimorder {
namespace {

struct Tap {
  int64_t index;
  double weight;
};
// No taps where the coordinate is outside of the region of interest: the output is the extrapolation value.
using Taps = std::vector<Tap>;

struct Axis {
  int64_t in;
  int64_t out;
  double scale;
  double roi_begin;
  double roi_end;
};

double Coordinate(const std::string& how, const Axis& axis, int64_t index) {
  const auto i = static_cast<double>(index);
  const auto in = static_cast<double>(axis.in);
  const auto out = static_cast<double>(axis.out);
  if (how == "asymmetric") return i / axis.scale;
  if (how == "half_pixel") return (i + 0.5) / axis.scale - 0.5;
  if (how == "pytorch_half_pixel") return axis.out > 1 ? (i + 0.5) / axis.scale - 0.5 : 0;
  if (how == "align_corners") return axis.out > 1 ? i * (in - 1) / (out - 1) : 0;
  if (how == "tf_half_pixel_for_nn") return (i + 0.5) / axis.scale;
  if (how == "tf_crop_and_resize") {
    if (axis.out == 1) return 0.5 * (axis.roi_begin + axis.roi_end) * (in - 1);
    return axis.roi_begin * (in - 1) + i * (axis.roi_end - axis.roi_begin) * (in - 1) / (out - 1);
  }
  Fail("coordinates '" + how + "' are none");
}

double RoundNearest(const std::string& how, double x) {
  if (how == "round_prefer_floor") return std::ceil(x - 0.5);
  if (how == "round_prefer_ceil") return std::floor(x + 0.5);
  if (how == "floor") return std::floor(x);
  if (how == "ceil") return std::ceil(x);
  Fail("nearest '" + how + "' is none");
}

// Keys' kernel at the distances of the four neighbours.
Taps CubicTaps(double x, double a) {
  const double floor = std::floor(x);
  Taps taps;
  for (int k = -1; k <= 2; ++k) {
    const double d = std::fabs(x - floor - k);
    const double w = d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
    taps.push_back({static_cast<int64_t>(floor) + k, w});
  }
  return taps;
}

Taps TapsAt(const Attributes& attributes, double x) {
  const std::string mode = attributes.String("mode", "nearest");
  if (mode == "nearest") {
    return {{static_cast<int64_t>(RoundNearest(attributes.String("nearest", "round_prefer_floor"), x)), 1}};
  }
  if (mode == "linear") {
    const double floor = std::floor(x);
    const auto i = static_cast<int64_t>(floor);
    return {{i, 1 - (x - floor)}, {i + 1, x - floor}};
  }
  if (mode == "cubic") return CubicTaps(x, attributes.Float("cubic_a", -0.75));
  Fail("mode '" + mode + "' is none");
}

// Taps outside the input count as its border, or, with exclude_outside, not at all.
void KeepInside(Taps& taps, int64_t size, bool exclude) {
  if (exclude) {
    double sum = 0;
    for (Tap& tap : taps) {
      if (tap.index < 0 || tap.index >= size) tap.weight = 0;
      sum += tap.weight;
    }
    for (Tap& tap : taps) tap.weight /= sum;
  }
  for (Tap& tap : taps) tap.index = std::clamp<int64_t>(tap.index, 0, size - 1);
}

// For each output index of an axis; no list where the axis stays as it is.
std::vector<Taps> AxisTaps(const Attributes& attributes, const Axis& axis) {
  const std::string coordinates = attributes.String("coordinates", "half_pixel");
  const bool crops = coordinates == "tf_crop_and_resize";
  const bool exclude = attributes.Int("exclude_outside") != 0;
  const auto in = static_cast<double>(axis.in);
  if (axis.in == axis.out && (crops ? axis.roi_begin == 0 && axis.roi_end == 1 : axis.scale == 1)) return {};
  std::vector<Taps> all;
  for (int64_t i = 0; i < axis.out; ++i) {
    const double x = Coordinate(coordinates, axis, i);
    Taps taps;
    if (!crops || (x >= 0 && x <= in - 1)) {
      taps = TapsAt(attributes, std::clamp(x, -4.0, in + 4));  // all the same farther out
      KeepInside(taps, axis.in, exclude);
    }
    all.push_back(std::move(taps));
  }
  return all;
}

std::vector<std::vector<Taps>> AllTaps(const Attributes& attributes, const Tensor& x, const Tensor& output) {
  const size_t rank = x.rank();
  const auto scales = attributes.Floats("scales");
  const auto roi = attributes.Floats("roi");
  std::vector<std::vector<Taps>> all;
  for (size_t a = 0; a < rank; ++a) {
    const double ratio = static_cast<double>(output.size(a)) / static_cast<double>(x.size(a));
    all.push_back(
        AxisTaps(attributes, {x.size(a), output.size(a), scales.empty() ? ratio : scales[a],
                              roi.size() == 2 * rank ? roi[a] : 0, roi.size() == 2 * rank ? roi[a + rank] : 1}));
  }
  return all;
}

// Numbers in row-major order.
struct Image {
  std::vector<int64_t> sizes;
  std::vector<double> numbers;
};

int64_t Product(std::span<const int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

// Each row along the axis becomes one of weighted sums.
Image Resized(const Image& from, size_t axis, const std::vector<Taps>& taps) {
  const std::span<const int64_t> sizes = from.sizes;
  const int64_t outer = Product(sizes.first(axis));
  const int64_t inner = Product(sizes.subspan(axis + 1));
  Image to{from.sizes, std::vector<double>(static_cast<size_t>(outer * inner) * taps.size(), 0.0)};
  to.sizes[axis] = static_cast<int64_t>(taps.size());
  double* sums = to.numbers.data();
  for (int64_t o = 0; o < outer; ++o) {
    const double* row = from.numbers.data() + o * sizes[axis] * inner;
    for (const Taps& element : taps) {
      for (const Tap& tap : element) {
        if (tap.weight == 0) continue;
        for (int64_t i = 0; i < inner; ++i) sums[i] += tap.weight * row[tap.index * inner + i];
      }
      sums += inner;
    }
  }
  return to;
}

// Along all axes that change, those that shrink first.
Image ResizedAlongAll(Image image, std::span<const std::vector<Taps>> taps) {
  for (const bool shrinks : {true, false}) {
    for (size_t axis = 0; axis < taps.size(); ++axis) {
      const bool fits = static_cast<int64_t>(taps[axis].size()) <= image.sizes[axis];
      if (!taps[axis].empty() && fits == shrinks) image = Resized(image, axis, taps[axis]);
    }
  }
  return image;
}

// What lies outside of the region of interest on some axis.
void Extrapolate(float value, const std::vector<std::vector<Taps>>& taps, const Tensor& output) {
  for (size_t axis = 0; axis < taps.size(); ++axis) {
    std::vector<int64_t> slice = output.sizes();
    slice[axis] = 1;
    for (size_t i = 0; i < taps[axis].size(); ++i) {
      if (!taps[axis][i].empty()) continue;
      float* to = output.as<float>() + static_cast<int64_t>(i) * output.strides[axis];
      ForEachIndex(slice, std::array{output.strides}, [&](const auto& at) { to[at[0]] = value; });
    }
  }
}

}  // namespace

void ReferenceResize(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& x = inputs[0];
  const auto taps = AllTaps(attributes, x, output);
  const auto changes = std::ranges::find_if(taps, [](const auto& axis) { return !axis.empty(); });
  // Where nothing changes, all of it is one image.
  const ptrdiff_t outer = changes == taps.end() ? 0 : changes - taps.begin();
  const auto tail = [&](const std::vector<int64_t>& axes) {
    return std::vector<int64_t>(axes.begin() + outer, axes.end());
  };
  const std::array from_strides = {tail(x.strides)};
  const std::array to_strides = {tail(output.strides)};
  const auto images = std::span(output.sizes()).first(static_cast<size_t>(outer));
  ForEachIndex(images, std::array{x.strides, output.strides}, [&](const auto& image_at) {
    const float* from = x.as<float>() + image_at[0];
    float* to = output.as<float>() + image_at[1];
    Image image{tail(x.sizes()), {}};
    image.numbers.reserve(static_cast<size_t>(Product(image.sizes)));
    ForEachIndex(image.sizes, from_strides,
                 [&](const auto& at) { image.numbers.push_back(static_cast<double>(from[at[0]])); });
    image = ResizedAlongAll(std::move(image), std::span(taps).subspan(static_cast<size_t>(outer)));
    size_t n = 0;
    ForEachIndex(image.sizes, to_strides, [&](const auto& at) { to[at[0]] = static_cast<float>(image.numbers[n++]); });
  });
  Extrapolate(static_cast<float>(attributes.Float("extrapolation")), taps, output);
}

}  // namespace dimorder
