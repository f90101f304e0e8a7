// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include "runtime/graph/window.h"
#include "runtime/reference/ops.h"

namespace dimorder {
namespace {

// Calls fn(plane's offset in x, output's offset, oy, ox) for each output element.
template <class Fn>
void ForEachOutput(const Tensor& x, const Tensor& output, Fn&& fn) {
  for (int64_t n = 0; n < output.size(0); ++n) {
    for (int64_t c = 0; c < output.size(1); ++c) {
      const int64_t plane = n * x.strides[0] + c * x.strides[1];
      const int64_t to = n * output.strides[0] + c * output.strides[1];
      for (int64_t oy = 0; oy < output.size(2); ++oy) {
        for (int64_t ox = 0; ox < output.size(3); ++ox) {
          fn(plane, to + oy * output.strides[2] + ox * output.strides[3], oy, ox);
        }
      }
    }
  }
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

// Calls fn(offset in the plane) for each element of the input under the window at (oy, ox), and returns how many
// positions of the window lie in the input or its padding.
template <class Fn>
int64_t ForEachUnder(const Window& window, const Tensor& x, int64_t oy, int64_t ox, Fn&& fn) {
  const Under rows = PositionsUnder(window, 0, x.size(2), oy);
  const Under columns = PositionsUnder(window, 1, x.size(3), ox);
  for (int64_t ky = rows.begin; ky < rows.end; ++ky) {
    const int64_t iy = oy * window.stride[0] + ky * window.dilation[0] - window.before[0];
    for (int64_t kx = columns.begin; kx < columns.end; ++kx) {
      const int64_t ix = ox * window.stride[1] + kx * window.dilation[1] - window.before[1];
      fn(iy * x.strides[2] + ix * x.strides[3]);
    }
  }
  return rows.padded * columns.padded;
}

template <class T>
void MaxPool(const Attributes& attributes, const Tensor& x, const Tensor& output) {
  const Window window = PoolWindow(attributes);
  ForEachOutput(x, output, [&](int64_t plane, int64_t to, int64_t oy, int64_t ox) {
    T most =
        std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
    ForEachUnder(window, x, oy, ox, [&](int64_t at) { most = std::max(most, x.as<T>()[plane + at]); });
    output.as<T>()[to] = most;
  });
}

// Calls fn(output offset, input strides) with one reduced image at a time.
template <class Start, class Step, class End>
void GlobalPool(const Tensor& x, const Tensor& output, Start start, Step step, End end) {
  const std::vector<int64_t> image(x.sizes().begin() + 2, x.sizes().end());
  const std::array strides = {std::vector<int64_t>(x.strides.begin() + 2, x.strides.end())};
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
  switch (output.type->dtype) {
    case DataType::kF32:
      return MaxPool<float>(attributes, inputs[0], output);
    case DataType::kI8:
      return MaxPool<int8_t>(attributes, inputs[0], output);
    case DataType::kU8:
      return MaxPool<uint8_t>(attributes, inputs[0], output);
    default:
      FailUnsupported(std::string("no max_pool2d of ") + DataTypeName(output.type->dtype));
  }
}

void ReferenceAvgPool2d(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Window window = PoolWindow(attributes);
  const bool count_padding = attributes.Int("count_include_pad") != 0;
  const Tensor& x = inputs[0];
  ForEachOutput(x, output, [&](int64_t plane, int64_t to, int64_t oy, int64_t ox) {
    double sum = 0;
    int64_t count = 0;
    const int64_t padded = ForEachUnder(window, x, oy, ox, [&](int64_t at) {
      sum += static_cast<double>(x.as<float>()[plane + at]);
      ++count;
    });
    output.as<float>()[to] = static_cast<float>(sum / static_cast<double>(count_padding ? padded : count));
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
