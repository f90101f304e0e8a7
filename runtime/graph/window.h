// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_GRAPH_WINDOW_H_
#define DIMORDER_RUNTIME_GRAPH_WINDOW_H_

#include <array>
#include <cstdint>
#include <span>

#include "dimorder/graph.h"

namespace dimorder {

// The window that a convolution or a pool slides over height (0) and width (1).
struct Window {
  std::array<int64_t, 2> kernel = {1, 1};
  std::array<int64_t, 2> stride = {1, 1};
  std::array<int64_t, 2> dilation = {1, 1};
  std::array<int64_t, 2> before = {0, 0};          // padding at the top and the left
  std::array<int64_t, 2> after = {0, 0};           // and at the bottom and the right
  std::array<int64_t, 2> output_padding = {0, 0};  // conv_transpose2d
  bool ceil = false;                               // pools: count a last window that hangs over
};

// From the attributes stride, padding (top, left, bottom, right), dilation, output_padding, and kernel or the weights'
// sizes. Throw Error on what is no window.
Window ConvWindow(const Attributes& attributes, std::span<const int64_t> weight_sizes);
Window PoolWindow(const Attributes& attributes);

// Output size on an axis for an input of `size`.
int64_t ConvOutput(const Window& window, size_t axis, int64_t size);
int64_t PoolOutput(const Window& window, size_t axis, int64_t size);
int64_t ConvTransposeOutput(const Window& window, size_t axis, int64_t size);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_GRAPH_WINDOW_H_
