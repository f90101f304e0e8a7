// SPDX-License-Identifier: Apache-2.0
// Transposes whose rows, columns or both are several axes.
#include "dispatch/choose.h"
#include "dispatch/integers.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Joined columns that may be so long are packed, and streamed from there. 64 bytes: 2.5 times slower than not
// streaming.
constexpr int64_t kMinJoinedStreamBytes = 128;

// The axis that continues so many rows in the destination.
Axis NextRows(const Shape& shape, int64_t rows) { return NextAxis(shape, &Axis::os, rows * shape.element_bytes); }

// Whether joined rows are packed though they do not stream, since L1 cannot hold a line of each: those of all axes that
// continue each other, whose places in the source are multiples of a large power of two. But where the last level is
// far, small elements and whole lines at once are fetched again from L2 in less time: ten kinds of 1 and 2 bytes in
// 0.50 to 0.89 of the time of packing them (with vectors of 32 bytes 0.55 to 1.4).
bool PacksJoinedRows(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  if (shape.family != Family::kTile || bytes <= MachineCaches().l1 / 2) return false;
  if (!LevelIsNear() && shape.element_bytes <= 2 && vector_bytes >= kLineBytes) return false;
  int64_t rows = 1;
  int64_t places = 0;
  Axis axis = shape.inner[0];
  for (int64_t most = kMostJoined; axis.n > 1 && most > 1; most = kMostJoined / rows) {
    places |= Magnitude(axis.is);
    rows *= Min(axis.n, most);
    if (axis.n > most) break;
    axis = NextRows(shape, rows);
  }
  return rows > 2 * RowsInL1(places & -places);
}

// Whether the next box goes on within the line that its runs end in. Then, where the last level is near, they are
// stored as they are: the lines that runs cut stay in the cache until they are whole (12 and 24 rows of floats that
// others continue 5.5 -> 3.2 and 6.4 -> 3.0 times a copy).
bool RunsGoOn(const Shape& shape) {
  int64_t rows = 1;
  for (int64_t n = shape.inner[0].n; n > 1; n = NextRows(shape, rows).n) {
    const int64_t most = kMostJoined / rows;
    const int64_t shares = CeilDivide(n, most);
    const int64_t block = CeilDivide(n, shares);
    rows *= block;
    if (block < n) return LevelIsNear() && !WholeLines(rows * shape.element_bytes);
  }
  return false;
}

}  // namespace

bool CanJoin(const Shape& shape) noexcept {
  if (FindKernelId(Family::kJoined, shape.element_bytes) == kNumKernels) return false;
  return shape.family == Family::kTile ||
         (shape.family == Family::kGeneric && shape.inner[0].os == shape.element_bytes);
}

bool Joins(const Shape& shape, bool may_stage) noexcept {
  if (!CanJoin(shape)) return false;
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  if (may_stage && column_bytes >= kStageRunBytes && HasLongRows(shape)) return false;
  for (int i = 0; i < shape.num_outer; ++i) {
    if (column_bytes < kLineBytes && shape.outer[i].os == column_bytes) return true;
    if (shape.family == Family::kTile && row_bytes < kLineBytes && shape.outer[i].is == row_bytes) return true;
  }
  // Two axes alone are what the generic kernel walks in one call, too.
  return shape.family == Family::kGeneric && shape.num_outer != 0 && column_bytes < kLineBytes &&
         shape.inner[1].os == column_bytes;
}

int64_t JoinedSteps(const Shape& shape, int side) noexcept {
  int64_t Axis::*const along = side == 0 ? &Axis::os : &Axis::is;
  int64_t Axis::*const across = side == 0 ? &Axis::is : &Axis::os;
  const int64_t other_bytes = shape.inner[1 - side].n * shape.element_bytes;
  const bool rows_first = shape.inner[0].n < shape.inner[1].n;
  const bool first = rows_first == (side == 0);
  int64_t steps = Min(shape.inner[side].n, kMostJoined);
  for (Axis next = shape.inner[side]; steps < kMostJoined && next.n > 1;) {
    next = NextAxis(shape, along, steps * shape.element_bytes);
    if (!first && next.*across == other_bytes) break;
    steps = Min(steps * Min(next.n, kMostJoined), kMostJoined);
  }
  return steps;
}

void ChooseJoined(const Shape& shape, int64_t bytes, int64_t vector_bytes, bool streams, Choice* choice) noexcept {
  choice->family = Family::kJoined;
  const bool long_runs = JoinedSteps(shape, 0) * shape.element_bytes >= kMinJoinedStreamBytes;
  if (long_runs && shape.family == Family::kTile && streams && !RunsGoOn(shape)) {
    choice->pack = Pack::kColumns;
  } else if (PacksJoinedRows(shape, bytes, vector_bytes)) {
    choice->pack = Pack::kRows;
  }
}

}  // namespace v1
}  // namespace dimorder
