// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_TWO_PASS_H_
#define DIMORDER_DISPATCH_TWO_PASS_H_

#include <cstdint>

#include "dispatch/classify.h"

namespace dimorder {
inline namespace v1 {

// What kTwoPass moves at a time.
struct TwoPassBox {
  int64_t element_bytes;
  int num_axes;               // 2 to kInnerAxes
  Axis axes[kInnerAxes];      // of the shape, with all their steps: inner[0], inner[1], some of the outer ones
  int64_t steps[kInnerAxes];  // of each in a box
  int cut;                    // the only axis that may have more; a last box has what is left of it

  int64_t Bytes() const;
};

// A box for a shape of kTile or kShuffle, grown from its rows and columns; false where there is none: where L1 does not
// hold it, or an axis is broadcast, which the order of a source leaves open.
bool FindTwoPassBox(const Shape& shape, TwoPassBox* box) noexcept;

// Orders of a box's dense copy as Choice::copy has them.
struct Copies {
  static constexpr int kMax = 11;  // of four axes: the source's, and ten that an exchange makes of it
  int64_t list[kMax];
  int count = 0;

  const int64_t* begin() const { return list; }
  const int64_t* end() const { return list + count; }
};

// Those by way of which two passes move a box.
Copies CopiesOf(const TwoPassBox& box) noexcept;

// The one of them that takes the least time, and about how many nanoseconds both passes take for 64 bytes; infinity
// where there is none.
double ChooseCopy(const TwoPassBox& box, int64_t* copy) noexcept;

// The two passes over a box with so many steps of the axis that is cut, by way of one of its copies.
void SetPasses(const TwoPassBox& box, int64_t copy, int64_t steps, int64_t target, Pass* passes) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_TWO_PASS_H_
