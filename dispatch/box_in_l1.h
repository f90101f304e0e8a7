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

// How many rows, and columns, L1 holds a line of each at once.
struct InL1 {
  int64_t rows;
  int64_t columns;
  bool spare;  // whether it has spare ways, which are the columns' then, since rows do not collide
};

// Columns that are written have several lines each at once, which meet those of their neighbours, but so many of bytes
// have few: 50 moves in 0.72 of the time in the mean (0.48 to 1.15) with vectors of half a line, 32 in 0.73 with those
// of a line; up to 38 columns 1.03 to 1.46 times.
inline constexpr int64_t kFewestDriftingColumns = 40;

// (Doubles gain nothing by ReadRowsInL1.)
inline InL1 HeldInL1(const Shape& shape) {
  const Axis& cols = shape.inner[1];
  const int64_t is = shape.inner[0].is;
  const bool drift = shape.element_bytes == 1 && cols.n >= kFewestDriftingColumns;
  const int64_t rows = shape.element_bytes <= 4 ? ReadRowsInL1(is) : RowsInL1(is);
  const int64_t columns = drift ? DriftingRowsInL1(cols.os, kLineBytes / 4) : RowsInL1(cols.os);
  return {rows, columns, HasSpareWays() && rows >= kFewestForSpareWays};
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
