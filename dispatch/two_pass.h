// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_TWO_PASS_H_
#define DIMORDER_DISPATCH_TWO_PASS_H_

#include <cstdint>

#include "dispatch/classify.h"

namespace dimorder {
inline namespace v1 {

// What kTwoPass moves at a time, and the copy of it in between.
struct TwoPassBox {
  int64_t element_bytes;
  int num_axes;               // 2 to kInnerAxes
  Axis axes[kInnerAxes];      // of the shape, with all their steps: inner[0], inner[1], some of the outer ones
  int64_t steps[kInnerAxes];  // of each in a box
  int cut;                    // the only axis that may have more; a last box has what is left of it
  int order[kInnerAxes];      // the axes of the copy, outermost first
  double line_ns;             // about what both passes take for 64 bytes

  int64_t Bytes() const;
};

// A box for a shape of kTile, grown from its rows and columns, and the best order of its copy; false where there is
// none: where L1 does not hold it, an axis is broadcast, which the order of a source leaves open, or two passes do not
// do.
bool FindTwoPassBox(const Shape& shape, TwoPassBox* box) noexcept;

// The two passes over a box with so many steps of the axis that is cut.
void SetPasses(const TwoPassBox& box, int64_t steps, int64_t target, Pass* passes) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_TWO_PASS_H_
