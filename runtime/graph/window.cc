// SPDX-License-Identifier: Apache-2.0
#include "runtime/graph/window.h"

#include <algorithm>
#include <string>

#include "runtime/error.h"

namespace dimorder {
namespace {

// Far beyond any real window, and small enough that no sum or product below overflows.
constexpr int64_t kMost = int64_t{1} << 30;

void Read(const Attributes& attributes, const char* name, int64_t least, std::span<int64_t> to) {
  if (!attributes.Has(name)) return;
  const auto values = attributes.Ints(name);
  if (values.size() != to.size()) Fail(std::string(name) + " " + Join(values) + " has the wrong length");
  for (size_t i = 0; i < to.size(); ++i) {
    if (values[i] < least || values[i] > kMost) Fail(std::string(name) + " " + Join(values) + " is out of range");
    to[i] = values[i];
  }
}

void ReadCommon(const Attributes& attributes, Window& window) {
  const auto axes = static_cast<ptrdiff_t>(window.axes());
  std::vector<int64_t> padding(2 * window.axes(), 0);
  Read(attributes, "stride", 1, window.stride);
  Read(attributes, "dilation", 1, window.dilation);
  Read(attributes, "padding", 0, padding);
  window.before.assign(padding.begin(), padding.begin() + axes);
  window.after.assign(padding.begin() + axes, padding.end());
}

int64_t Extent(const Window& window, size_t axis) { return (window.kernel[axis] - 1) * window.dilation[axis] + 1; }

// What is left to slide over: below zero when the window does not fit.
int64_t Room(const Window& window, size_t axis, int64_t size) {
  if (size > kMost) Fail("a size is beyond 2^30");
  const int64_t room = size + window.before[axis] + window.after[axis] - Extent(window, axis);
  if (room < 0) {
    Fail("a window of " + std::to_string(Extent(window, axis)) + " does not fit into " + std::to_string(size) +
         " with its padding");
  }
  return room;
}

}  // namespace

Window ConvWindow(const Attributes& attributes, std::span<const int64_t> weight_sizes) {
  Window window(weight_sizes.size() - 2);
  ReadCommon(attributes, window);
  Read(attributes, "output_padding", 0, window.output_padding);
  std::ranges::copy(weight_sizes.subspan(2), window.kernel.begin());
  for (int64_t kernel : window.kernel) Require(kernel >= 1 && kernel <= kMost, "kernel is out of range");
  return window;
}

Window PoolWindow(const Attributes& attributes) {
  Window window(attributes.Ints("kernel").size());
  ReadCommon(attributes, window);
  Read(attributes, "kernel", 1, window.kernel);
  window.ceil = attributes.Int("ceil_mode") != 0;
  return window;
}

int64_t ConvOutput(const Window& window, size_t axis, int64_t size) {
  return Room(window, axis, size) / window.stride[axis] + 1;
}

int64_t PoolOutput(const Window& window, size_t axis, int64_t size) {
  const int64_t room = Room(window, axis, size);
  const int64_t stride = window.stride[axis];
  if (!window.ceil) return room / stride + 1;
  const int64_t n = (room + stride - 1) / stride + 1;
  // The last window starts inside the input or its padding before it, not in the padding after it.
  return (n - 1) * stride >= size + window.before[axis] ? n - 1 : n;
}

int64_t ConvTransposeOutput(const Window& window, size_t axis, int64_t size) {
  if (size > kMost) Fail("a size is beyond 2^30");
  if (size == 0) Fail("an axis of size 0 cannot grow");
  const int64_t n = (size - 1) * window.stride[axis] + Extent(window, axis) + window.output_padding[axis] -
                    window.before[axis] - window.after[axis];
  if (n < 0) Fail("the padding is larger than the output");
  return n;
}

}  // namespace dimorder
