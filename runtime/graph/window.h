// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_GRAPH_WINDOW_H_
#define DIMORDER_RUNTIME_GRAPH_WINDOW_H_

#include <cstdint>
#include <span>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder {

// The window that a convolution or a pool slides over the spatial axes: of images, height (0) and width (1).
struct Window {
  explicit Window(size_t axes)
      : kernel(axes, 1), stride(axes, 1), dilation(axes, 1), before(axes, 0), after(axes, 0), output_padding(axes, 0) {}

  size_t axes() const { return kernel.size(); }

  std::vector<int64_t> kernel;
  std::vector<int64_t> stride;
  std::vector<int64_t> dilation;
  std::vector<int64_t> before;          // padding: of images, at the top and the left
  std::vector<int64_t> after;           // and at the bottom and the right
  std::vector<int64_t> output_padding;  // conv_transpose2d
  bool ceil = false;                    // pools: count a last window that hangs over
};

// From the attributes stride, padding (all befores, then all afters), dilation, output_padding, and kernel or the
// weights' sizes. Throw Error on what is no window.
Window ConvWindow(const Attributes& attributes, std::span<const int64_t> weight_sizes);
Window PoolWindow(const Attributes& attributes);

// Output size on a spatial axis for an input of `size`.
int64_t ConvOutput(const Window& window, size_t axis, int64_t size);
int64_t PoolOutput(const Window& window, size_t axis, int64_t size);
int64_t ConvTransposeOutput(const Window& window, size_t axis, int64_t size);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_GRAPH_WINDOW_H_
