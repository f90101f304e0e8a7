// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/graph/infer.h"
#include "runtime/reference/ops.h"

namespace dimorder {

void ReferenceSoftmax(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& x = inputs[0];
  const auto axis = static_cast<size_t>(NormalizeAxis(attributes.Int("dim", -1), x.rank()));
  std::vector<int64_t> others = x.sizes();
  others[axis] = std::min<int64_t>(others[axis], 1);
  const std::array strides = {output.strides, x.strides};
  const int64_t x_step = x.strides[axis];
  const int64_t y_step = output.strides[axis];
  ForEachIndex(others, strides, [&](const auto& at) {
    const float* from = x.as<float>() + at[1];
    float* to = output.as<float>() + at[0];
    float most = -std::numeric_limits<float>::infinity();
    for (int64_t i = 0; i < x.size(axis); ++i) most = std::max(most, from[i * x_step]);
    double sum = 0;
    for (int64_t i = 0; i < x.size(axis); ++i) sum += std::exp(static_cast<double>(from[i * x_step] - most));
    for (int64_t i = 0; i < x.size(axis); ++i) {
      to[i * y_step] = static_cast<float>(std::exp(static_cast<double>(from[i * x_step] - most)) / sum);
    }
  });
}

void ReferenceBatchNorm(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& x = inputs[0];
  const double epsilon = attributes.Float("epsilon", 1e-5);
  // Each parameter broadcasts along all axes but the channels.
  const auto along_channels = [&](const Tensor& parameter) {
    std::vector<int64_t> strides(x.rank(), 0);
    strides[1] = parameter.strides[0];
    return strides;
  };
  const std::array strides = {output.strides,
                              x.strides,
                              along_channels(inputs[1]),
                              along_channels(inputs[2]),
                              along_channels(inputs[3]),
                              along_channels(inputs[4])};
  ForEachIndex(output.sizes(), strides, [&](const auto& at) {
    const double scale = inputs[1].as<float>()[at[2]];
    const double bias = inputs[2].as<float>()[at[3]];
    const double mean = inputs[3].as<float>()[at[4]];
    const double variance = inputs[4].as<float>()[at[5]];
    const double value = (x.as<float>()[at[1]] - mean) / std::sqrt(variance + epsilon) * scale + bias;
    output.as<float>()[at[0]] = static_cast<float>(value);
  });
}

void ReferenceMean(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& x = inputs[0];
  std::vector<bool> reduced(x.rank(), !attributes.Has("dims"));
  for (int64_t axis : NormalizeAxes(attributes.Ints("dims"), x.rank())) reduced[static_cast<size_t>(axis)] = true;
  const bool keep = attributes.Int("keepdim", 1) != 0;
  std::vector<int64_t> kept_sizes;
  std::vector<int64_t> kept_strides;
  std::vector<int64_t> reduced_sizes;
  std::vector<int64_t> reduced_strides;
  for (size_t i = 0; i < x.rank(); ++i) {
    if (reduced[i]) {
      reduced_sizes.push_back(x.size(i));
      reduced_strides.push_back(x.strides[i]);
    }
    if (reduced[i] ? keep : true) {
      kept_sizes.push_back(reduced[i] ? 1 : x.size(i));
      kept_strides.push_back(x.strides[i]);
    }
  }
  const std::array outer = {output.strides, kept_strides};
  const std::array inner = {reduced_strides};
  ForEachIndex(kept_sizes, outer, [&](const auto& at) {
    double sum = 0;
    int64_t count = 0;
    ForEachIndex(reduced_sizes, inner, [&](const auto& in) {
      sum += static_cast<double>(x.as<float>()[at[1] + in[0]]);
      ++count;
    });
    output.as<float>()[at[0]] = static_cast<float>(sum / static_cast<double>(count));
  });
}

}  // namespace dimorder
