// SPDX-License-Identifier: Apache-2.0
//
// A convolution and its transpose are one computation seen from either side. One tensor is dense: each of its positions
// o meets, under each position k of the kernel, position o * stride + k * dilation - before of the other, the strided
// one. conv2d sums over the strided tensor into the dense one, conv_transpose2d the other way round. Outputs are summed
// up in doubles, an image at a time: for each kernel position, row by row over what lies in both tensors, all input
// channels of a row in one go. Where channels are inside of width in memory, each output of the row is a sum along
// channels instead, 7 times faster for ResNet-50's layers.
#include <algorithm>
#include <vector>

#include "runtime/graph/window.h"
#include "runtime/reference/ops.h"

namespace dimorder {
namespace {

// The dense positions o in [begin, end) for which o * stride + shift lies in [0, size).
struct Range {
  int64_t begin;
  int64_t end;
};

Range Inside(int64_t dense, int64_t stride, int64_t shift, int64_t size) {
  const int64_t begin = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
  const int64_t end = shift >= size ? 0 : (size - shift + stride - 1) / stride;
  return {begin, std::max(begin, std::min(dense, end))};
}

// An image of one output channel: sizes and strides of its spatial axes, and the sums.
class Image {
 public:
  explicit Image(const Tensor& output)
      : sizes_(output.sizes().begin() + 2, output.sizes().end()), strides_(sizes_.size(), 1) {
    int64_t count = 1;
    for (size_t axis = sizes_.size(); axis-- > 0; count *= sizes_[axis]) strides_[axis] = count;
    sums_.resize(static_cast<size_t>(count));
  }

  void Begin(double bias) { std::ranges::fill(sums_, bias); }
  void End(const Tensor& output, float* to) const {
    const std::array strides = {strides_, std::vector<int64_t>(output.strides.begin() + 2, output.strides.end())};
    ForEachIndex(sizes_, strides,
                 [&](const auto& at) { to[at[1]] = static_cast<float>(sums_[static_cast<size_t>(at[0])]); });
  }
  double* sums() { return sums_.data(); }
  const std::vector<int64_t>& sizes() const { return sizes_; }
  const std::vector<int64_t>& strides() const { return strides_; }

 private:
  std::vector<int64_t> sizes_;
  std::vector<int64_t> strides_;
  std::vector<double> sums_;
};

// What the channels of an input add to a row of sums.
struct Channels {
  int64_t count;
  int64_t from_stride;
  int64_t weight_stride;
};
struct Row {
  int64_t count;
  int64_t to_stride;
  int64_t from_stride;
};

// In four parts, so that one addition need not wait for the last.
double Dot(const float* a, const float* b, const Channels& channels) {
  const auto product = [&](int64_t c) {
    return static_cast<double>(a[c * channels.from_stride]) * static_cast<double>(b[c * channels.weight_stride]);
  };
  double sums[4] = {};
  int64_t c = 0;
  for (; c + 4 <= channels.count; c += 4) {
    for (int64_t k = 0; k < 4; ++k) sums[k] += product(c + k);
  }
  for (; c < channels.count; ++c) sums[0] += product(c);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

void AddRow(const Row& row, const Channels& channels, const float* from, const float* weight, double* to) {
  if (channels.from_stride < row.from_stride && channels.count > 1) {
    for (int64_t i = 0; i < row.count; ++i) to[i * row.to_stride] += Dot(from + i * row.from_stride, weight, channels);
    return;
  }
  for (int64_t c = 0; c < channels.count; ++c, from += channels.from_stride, weight += channels.weight_stride) {
    const auto w = static_cast<double>(*weight);
    for (int64_t i = 0; i < row.count; ++i) {
      to[i * row.to_stride] += w * static_cast<double>(from[i * row.from_stride]);
    }
  }
}

enum class Sum { kIntoDense, kIntoStrided };

// Sums over the spatial axes for one output channel.
class Slide {
 public:
  Slide(const Window& window, const Tensor& x, const Tensor& weight, Sum sum)
      : window_(window),
        sum_(sum),
        x_sizes_(x.sizes().begin() + 2, x.sizes().end()),
        x_strides_(x.strides.begin() + 2, x.strides.end()),
        weight_strides_({std::vector<int64_t>(weight.strides.begin() + 2, weight.strides.end())}) {}

  void Add(const float* from, const float* weight, const Channels& channels, Image& image) const {
    std::vector<int64_t> tap(window_.axes(), 0);
    ForEachIndex(window_.kernel, weight_strides_, [&](const auto& at) {
      AddTap(tap, from, weight + at[0], channels, image);
      for (size_t axis = tap.size(); axis-- > 0 && ++tap[axis] == window_.kernel[axis];) tap[axis] = 0;
    });
  }

 private:
  void AddTap(const std::vector<int64_t>& tap, const float* from, const float* weight, const Channels& channels,
              Image& image) const {
    const bool into_dense = sum_ == Sum::kIntoDense;
    const auto& dense_sizes = into_dense ? image.sizes() : x_sizes_;
    const auto& strided_sizes = into_dense ? x_sizes_ : image.sizes();
    std::vector<int64_t> counts;
    std::array strides = {image.strides(), x_strides_};
    double* to = image.sums();
    for (size_t axis = 0; axis < tap.size(); ++axis) {
      const int64_t shift = tap[axis] * window_.dilation[axis] - window_.before[axis];
      const Range range = Inside(dense_sizes[axis], window_.stride[axis], shift, strided_sizes[axis]);
      const int64_t strided_begin = range.begin * window_.stride[axis] + shift;
      counts.push_back(range.end - range.begin);
      if (counts.back() == 0) return;
      to += (into_dense ? range.begin : strided_begin) * image.strides()[axis];
      from += (into_dense ? strided_begin : range.begin) * x_strides_[axis];
      // The stride of one position means nothing, and may overflow.
      if (counts.back() > 1) strides[into_dense ? 1 : 0][axis] *= window_.stride[axis];
    }
    const Row row = {counts.back(), strides[0].back(), strides[1].back()};
    counts.pop_back();
    ForEachIndex(counts, strides, [&](const auto& at) { AddRow(row, channels, from + at[1], weight, to + at[0]); });
  }

  const Window& window_;
  Sum sum_;
  std::vector<int64_t> x_sizes_;
  std::vector<int64_t> x_strides_;
  std::array<std::vector<int64_t>, 1> weight_strides_;
};

// Weights are (output channels, input channels of a group, ...) of a conv2d, and of its transpose (input channels,
// output channels of a group, ...).
void Convolve(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output, Sum sum) {
  const Tensor& x = inputs[0];
  const Tensor& weight = inputs[1];
  const Tensor* bias = inputs.size() > 2 && inputs[2] ? &inputs[2] : nullptr;
  const Window window = ConvWindow(attributes, weight.sizes());
  const bool into_dense = sum == Sum::kIntoDense;
  const int64_t groups = attributes.Int("groups", 1);
  const int64_t out_per_group = output.size(1) / groups;
  const int64_t in_per_group = x.size(1) / groups;
  const Channels channels = {in_per_group, x.strides[1], weight.strides[into_dense ? 1 : 0]};
  const Slide slide(window, x, weight, sum);
  const bool empty = NumElements(*x.type) == 0;
  Image image(output);
  for (int64_t n = 0; n < output.size(0); ++n) {
    for (int64_t oc = 0; oc < output.size(1); ++oc) {
      image.Begin(bias ? static_cast<double>(bias->as<float>()[oc * bias->strides[0]]) : 0.0);
      const int64_t first = oc / out_per_group * in_per_group;
      const int64_t w =
          into_dense ? oc * weight.strides[0] : first * weight.strides[0] + oc % out_per_group * weight.strides[1];
      const float* from = x.as<float>() + n * x.strides[0] + first * x.strides[1];
      // Without a channel there is no weight, however large the kernel says it is, and nothing to add without a pixel.
      if (!empty) slide.Add(from, weight.as<float>() + w, channels, image);
      image.End(output, output.as<float>() + n * output.strides[0] + oc * output.strides[1]);
    }
  }
}

}  // namespace

void ReferenceConv2d(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  Convolve(attributes, inputs, output, Sum::kIntoDense);
}

void ReferenceConvTranspose2d(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  Convolve(attributes, inputs, output, Sum::kIntoStrided);
}

}  // namespace dimorder
