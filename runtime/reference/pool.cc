// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "runtime/graph/window.h"
#include "runtime/reference/ops.h"
#include "runtime/with_type.h"

namespace dimorder {
namespace {

// Calls fn(plane's offset in x, output's offset, output's index) for each output element.
template <class Fn>
void ForEachOutput(const Tensor& x, const Tensor& output, Fn&& fn) {
  std::vector<int64_t> planes(x.rank(), 0);
  std::copy_n(x.strides.begin(), 2, planes.begin());
  std::vector<int64_t> index(x.rank(), 0);
  ForEachIndex(output.sizes(), std::array{planes, output.strides}, [&](const auto& at) {
    fn(at[0], at[1], index);
    for (size_t axis = index.size(); axis-- > 0 && ++index[axis] == output.size(axis);) index[axis] = 0;
  });
}

// The positions k of a window, on one axis, whose element start + k * dilation lies in [0, size); and how many lie
// before `size` plus the padding after it. Found without walking the window, which a hostile model may make huge.
struct Under {
  int64_t begin;
  int64_t end;
  int64_t padded;
};

Under PositionsUnder(const Window& window, size_t axis, int64_t size, int64_t output_index) {
  const int64_t start = output_index * window.stride[axis] - window.before[axis];
  const int64_t step = window.dilation[axis];
  const auto up_to = [&](int64_t limit) {
    return std::clamp<int64_t>(limit <= start ? 0 : (limit - start + step - 1) / step, 0, window.kernel[axis]);
  };
  const int64_t end = up_to(size);
  return {std::min(up_to(0), end), end, up_to(size + window.after[axis])};
}

// An image under a window: sizes of its spatial axes, and K strides for each.
template <size_t K>
class Windowed {
 public:
  Windowed(const Window& window, const Tensor& x, const std::array<std::vector<int64_t>, K>& strides)
      : window_(window), sizes_(x.sizes().begin() + 2, x.sizes().end()), strides_(strides), steps_(strides) {
    for (auto& steps : steps_) {
      for (size_t axis = 0; axis < steps.size(); ++axis) {
        // A wider step than the image lies nowhere twice in it, and may overflow.
        steps[axis] = window.dilation[axis] < sizes_[axis] ? steps[axis] * window.dilation[axis] : 0;
      }
    }
  }

  // Calls fn(index times strides) for each element under the window of the output at `index`, batch and channel left
  // out, and returns how many positions of the window lie in the image or its padding.
  template <class Fn>
  double ForEach(std::span<const int64_t> index, Fn&& fn) const {
    std::array<int64_t, kMaxRank> counts;
    std::array<int64_t, K> first{};
    double padded = 1;
    for (size_t axis = 0; axis < sizes_.size(); ++axis) {
      const Under under = PositionsUnder(window_, axis, sizes_[axis], index[axis]);
      counts[axis] = under.end - under.begin;
      padded *= static_cast<double>(under.padded);
      if (counts[axis] == 0) continue;  // the first position lies far outside then
      const int64_t at =
          index[axis] * window_.stride[axis] + under.begin * window_.dilation[axis] - window_.before[axis];
      for (size_t k = 0; k < K; ++k) first[k] += at * strides_[k][axis];
    }
    ForEachIndex({counts.data(), sizes_.size()}, steps_, [&](std::array<int64_t, K> at) {
      for (size_t k = 0; k < K; ++k) at[k] += first[k];
      fn(at);
    });
    return padded;
  }

 private:
  const Window& window_;
  std::vector<int64_t> sizes_;
  std::array<std::vector<int64_t>, K> strides_;
  std::array<std::vector<int64_t>, K> steps_;  // from one position of the window to the next
};

std::vector<int64_t> SpatialStrides(const Tensor& x) { return {x.strides.begin() + 2, x.strides.end()}; }

// Of an image: the first axis or the last has stride 1.
std::vector<int64_t> CountingStrides(std::span<const int64_t> sizes, bool first_is_fastest) {
  std::vector<int64_t> strides(sizes.size(), 1);
  int64_t stride = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t axis = first_is_fastest ? i : sizes.size() - 1 - i;
    strides[axis] = stride;
    stride *= sizes[axis];
  }
  return strides;
}

// Calls fn(output's offset, output's index, the largest element, its image's offset by `count` strides).
template <class T, class Fn>
void ForEachMaximum(const Attributes& attributes, const Tensor& x, const std::vector<int64_t>& count,
                    const Tensor& output, Fn&& fn) {
  const Window window = PoolWindow(attributes);
  const Windowed<2> windowed(window, x, {SpatialStrides(x), count});
  using Limits = std::numeric_limits<T>;
  ForEachOutput(x, output, [&](int64_t plane, int64_t to, std::span<const int64_t> index) {
    T most = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    int64_t where = -1;
    windowed.ForEach(index.subspan(2), [&](const std::array<int64_t, 2>& at) {
      const T value = x.as<T>()[plane + at[0]];
      if (where < 0 || value > most) {
        most = value;
        where = at[1];
      }
    });
    fn(to, index, most, where);
  });
}

// Calls fn(output offset, input strides) with one reduced image at a time.
template <class Start, class Step, class End>
void GlobalPool(const Tensor& x, const Tensor& output, Start start, Step step, End end) {
  const std::vector<int64_t> image(x.sizes().begin() + 2, x.sizes().end());
  const std::array strides = {SpatialStrides(x)};
  for (int64_t n = 0; n < x.size(0); ++n) {
    for (int64_t c = 0; c < x.size(1); ++c) {
      const float* plane = x.as<float>() + n * x.strides[0] + c * x.strides[1];
      double value = start;
      ForEachIndex(image, strides, [&](const auto& at) { value = step(value, static_cast<double>(plane[at[0]])); });
      output.as<float>()[n * output.strides[0] + c * output.strides[1]] = static_cast<float>(end(value));
    }
  }
}

}  // namespace

void ReferenceMaxPool2d(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& x = inputs[0];
  WithArithmeticType(x.type->dtype, [&](auto t) {
    using T = decltype(t);
    ForEachMaximum<T>(attributes, x, SpatialStrides(x), output,
                      [&](int64_t to, std::span<const int64_t>, T most, int64_t) { output.as<T>()[to] = most; });
  });
}

// An element's number is that in the whole input, images one after another.
void ReferenceMaxPoolIndices(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& x = inputs[0];
  const std::span<const int64_t> image(x.sizes().begin() + 2, x.sizes().end());
  const auto count = CountingStrides(image, attributes.Int("column_major") != 0);
  const int64_t pixels = std::accumulate(image.begin(), image.end(), int64_t{1}, std::multiplies<>());
  WithArithmeticType(x.type->dtype, [&](auto t) {
    ForEachMaximum<decltype(t)>(attributes, x, count, output,
                                [&](int64_t to, std::span<const int64_t> index, auto, int64_t where) {
                                  output.as<int64_t>()[to] = (index[0] * x.size(1) + index[1]) * pixels + where;
                                });
  });
}

void ReferenceAvgPool2d(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const bool count_padding = attributes.Int("count_include_pad") != 0;
  const Tensor& x = inputs[0];
  const Window window = PoolWindow(attributes);
  const Windowed<1> windowed(window, x, {SpatialStrides(x)});
  ForEachOutput(x, output, [&](int64_t plane, int64_t to, std::span<const int64_t> index) {
    double sum = 0;
    double count = 0;
    const double padded = windowed.ForEach(index.subspan(2), [&](const std::array<int64_t, 1>& at) {
      sum += static_cast<double>(x.as<float>()[plane + at[0]]);
      ++count;
    });
    output.as<float>()[to] = static_cast<float>(sum / (count_padding ? padded : count));
  });
}

void ReferenceGlobalMaxPool(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  GlobalPool(
      inputs[0], output, -std::numeric_limits<double>::infinity(), [](double a, double b) { return std::max(a, b); },
      [](double a) { return a; });
}

void ReferenceGlobalAvgPool(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  const auto& sizes = inputs[0].sizes();
  const auto count = static_cast<double>(
      std::accumulate(sizes.begin() + 2, sizes.end(), int64_t{1}, [](int64_t a, int64_t b) { return a * b; }));
  GlobalPool(
      inputs[0], output, 0.0, [](double a, double b) { return a + b; }, [&](double a) { return a / count; });
}

}  // namespace dimorder
