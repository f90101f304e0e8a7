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

inline InL1 HeldInL1(const Shape& shape) {
  const int64_t rows = RowsInL1(shape.inner[0].is);
  return {rows, RowsInL1(shape.inner[1].os), HasSpareWays() && rows >= kFewestForSpareWays};
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
