// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_BOX_IN_L1_H_
#define DIMORDER_DISPATCH_BOX_IN_L1_H_

#include <cstdint>

#include "dispatch/choice.h"
#include "dispatch/integers.h"
#include "dispatch/l1.h"

// What L1 holds of the rows and columns of a transpose.
namespace dimorder {
inline namespace v1 {

// Rows that L1 must hold for the columns to have its spare ways.
inline constexpr int64_t kFewestForSpareWays = 64;

// Source rows. Those of 12 to 32 bytes more or less than pages were packed: 171 transposes of 1, 2 and 4 bytes took
// 0.74 of the time in the mean without (0.57 to 1.03) with vectors of half a line, 86 took 0.72 (0.51 to 0.98) with
// those of a line; staged ones of 1 and 2 bytes 0.92 and 0.90, with vectors of a line 0.93 and 0.78. By longer panels
// 14 of pixels of 3 bytes took 0.62. Larger elements gain nothing; vectors of 16 bytes go the same way unmeasured.
inline int64_t SourceRowsInL1(const Shape& shape) {
  const int64_t is = shape.inner[0].is;
  return shape.element_bytes <= 4 ? DriftingRowsInL1(is, kLineBytes / 16 * 3) : RowsInL1(is);
}

// Destination columns have several lines each at once, which meet those of their neighbours, but so many of bytes have
// few: 50 moves in 0.72 of the time in the mean (0.48 to 1.15) with vectors of half a line, 32 in 0.73 with those of a
// line; up to 38 columns 1.03 to 1.46 times. (On Zen 5 260 in 0.64, 269 in 0.63.)
inline constexpr int64_t kFewestDriftingColumns = 40;
inline int64_t ColumnsInL1(const Shape& shape) {
  const Axis& cols = shape.inner[1];
  const bool drift = shape.element_bytes == 1 && cols.n >= kFewestDriftingColumns;
  return drift ? DriftingRowsInL1(cols.os, kLineBytes / 4) : RowsInL1(cols.os);
}

// How many rows, and columns, L1 holds a line of each at once.
struct InL1 {
  int64_t rows;
  int64_t columns;
  bool spare;  // whether it has spare ways, which are the columns' then, since rows do not collide
};

inline InL1 HeldInL1(const Shape& shape) {
  const int64_t rows = SourceRowsInL1(shape);
  return {rows, ColumnsInL1(shape), HasSpareWays() && rows >= kFewestForSpareWays};
}

// Whether lines lie on no more than eight places of L1, or within so many bytes of these.
inline bool LieOnFewPlaces(int64_t stride, int64_t within) { return RowsUntilLost(stride, within) <= 8 * L1Ways(); }

// Whether three steps, but no fewer, are whole pages but for so many bytes, where that was measured.
inline bool LieOnThreePlaces(int64_t stride, int64_t within) {
  return HasLargeL2() && RowsUntilLost(stride, within) == 3 * L1Ways();
}

// Whether so many steps lie within one way of L1.
inline bool LiesInWay(int64_t n, int64_t step) {
  int64_t span;
  return !__builtin_mul_overflow(n, step, &span) && span <= kL1WayBytes;
}

// Whether both sides of a box do: then nothing in it collides, which plans of small moves are told at once.
inline bool LiesInWay(const Shape& shape) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  return LiesInWay(rows.n, Magnitude(rows.is)) && LiesInWay(cols.n, cols.os);
}

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_BOX_IN_L1_H_
