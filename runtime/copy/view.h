// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_COPY_VIEW_H_
#define DIMORDER_RUNTIME_COPY_VIEW_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder {

// A way to see the bytes of a tensor: logical sizes, a byte stride for each axis, the offset of element (0,...,0).
// Nothing is moved by changing one; a copy op is a move between the view that it takes of its input and its output.
struct View {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  int64_t offset = 0;

  size_t rank() const { return sizes.size(); }
};

// All of a tensor.
View DenseView(const TensorType& type);

View PermuteView(const View& view, std::span<const int64_t> dims);
// Every step-th element of an axis from `start` on.
View SliceView(View view, size_t axis, int64_t start, int64_t step, int64_t length);
// Without the axis.
View SelectView(View view, size_t axis, int64_t index);
View FlipView(View view, std::span<const int64_t> axes);
// numpy's broadcast_to.
View ExpandView(const View& view, std::span<const int64_t> sizes);
View UnsqueezeView(View view, size_t axis);
// The axis as two, the outer of size / inner.
View SplitAxisView(View view, size_t axis, int64_t inner);

// The same elements in row-major order under other sizes, if strides can say that.
std::optional<View> ReshapeView(const View& view, std::span<const int64_t> sizes);
// The same for both views at once: under the coarsest sizes that refine the sizes of both, if there are such.
std::optional<std::pair<View, View>> RefineViews(const View& a, const View& b);

// Whether both step through memory alike: their strides agree wherever there is a next element.
bool SameStrides(const View& a, const View& b);

// The dim_order of a view that is all of a dense tensor.
std::optional<DimOrder> DenseOrder(const View& view, int64_t element_bytes);

Layout ToLayout(const View& view);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_COPY_VIEW_H_
