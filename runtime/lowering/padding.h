// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_LOWERING_PADDING_H_
#define DIMORDER_RUNTIME_LOWERING_PADDING_H_

#include "runtime/graph/window.h"

namespace dimorder {

// The padding behind an axis of `in` elements with which the window's steps end exactly at the last of `out` outputs:
// less than the window's own where the last step is cut off (floor), more where it hangs over (ceil), and negative
// where the last elements are never seen.
inline int64_t ExactPaddingAfter(const Window& window, size_t axis, int64_t in, int64_t out) {
  const int64_t extent = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
  return (out - 1) * window.stride[axis] + extent - in - window.before[axis];
}

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_LOWERING_PADDING_H_
