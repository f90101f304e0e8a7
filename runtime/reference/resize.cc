// SPDX-License-Identifier: Apache-2.0
//
// Every mode is separable: an output element is the sum over all axes' taps of input elements times the product of the
// taps' weights. So each axis gets, for each of its output indices, a short list of {input index, weight}: one tap for
// nearest, two for linear, four for cubic. Coordinates are ONNX's.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

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

std::vector<Taps> AxisTaps(const Attributes& attributes, const Axis& axis) {
  const std::string coordinates = attributes.String("coordinates", "half_pixel");
  const bool exclude = attributes.Int("exclude_outside") != 0;
  std::vector<Taps> all;
  for (int64_t i = 0; i < axis.out; ++i) {
    if (axis.in == axis.out && axis.scale == 1 && coordinates != "tf_crop_and_resize") {
      all.push_back({{i, 1}});
      continue;
    }
    const double x = Coordinate(coordinates, axis, i);
    Taps taps;
    if (coordinates != "tf_crop_and_resize" || (x >= 0 && x <= static_cast<double>(axis.in - 1))) {
      taps = TapsAt(attributes, x);
      KeepInside(taps, axis.in, exclude);
    }
    all.push_back(std::move(taps));
  }
  return all;
}

double Sum(std::span<const Taps* const> taps, std::span<const int64_t> strides, const float* x) {
  if (taps.empty()) return static_cast<double>(*x);
  double sum = 0;
  for (const Tap& tap : *taps[0]) {
    if (tap.weight != 0) sum += tap.weight * Sum(taps.subspan(1), strides.subspan(1), x + tap.index * strides[0]);
  }
  return sum;
}

}  // namespace

void ReferenceResize(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& x = inputs[0];
  const size_t rank = x.rank();
  const auto scales = attributes.Floats("scales");
  const auto roi = attributes.Floats("roi");
  std::vector<std::vector<Taps>> all(rank);
  for (size_t a = 0; a < rank; ++a) {
    const double ratio = static_cast<double>(output.size(a)) / static_cast<double>(x.size(a));
    all[a] = AxisTaps(attributes, {x.size(a), output.size(a), scales.empty() ? ratio : scales[a],
                                   roi.size() == 2 * rank ? roi[a] : 0, roi.size() == 2 * rank ? roi[a + rank] : 1});
  }
  std::vector<int64_t> index(rank, 0);
  std::vector<const Taps*> taps(rank);
  ForEachIndex(output.sizes(), std::array{output.strides}, [&](const auto& at) {
    bool outside = false;
    for (size_t a = 0; a < rank; ++a) {
      taps[a] = &all[a][static_cast<size_t>(index[a])];
      outside = outside || taps[a]->empty();
    }
    output.as<float>()[at[0]] =
        static_cast<float>(outside ? attributes.Float("extrapolation") : Sum(taps, x.strides, x.as<float>()));
    for (size_t a = rank; a-- > 0;) {
      if (++index[a] < output.size(a)) break;
      index[a] = 0;
    }
  });
}

}  // namespace dimorder
