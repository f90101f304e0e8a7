// SPDX-License-Identifier: Apache-2.0
// Transposes whose rows, columns or both are several axes.
#include <algorithm>

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

// Whether joined rows are packed though they do not stream, since L1 cannot hold a line of each: those of all axes that
// continue each other, whose places in the source are multiples of a large power of two. But where the last level is
// far, small elements and whole lines at once are fetched again from L2 in less time: ten kinds of 1 and 2 bytes in
// 0.50 to 0.89 of the time of packing them (with vectors of 32 bytes 0.55 to 1.4).
bool PacksJoinedRows(const Shape& shape, const JoinedSide& rows, int64_t bytes, int64_t vector_bytes) {
  if (bytes <= MachineCaches().l1 / 2) return false;
  if (!LevelIsNear() && shape.element_bytes <= 2 && vector_bytes >= kLineBytes) return false;
  int64_t places = 0;
  for (const Axis& axis : rows.Axes()) places |= Magnitude(axis.is);
  return rows.steps > 2 * RowsInL1(places & -places);
}

// Whether the next box goes on within the line that its runs end in. Then, where the last level is near, they are
// stored as they are: the lines that runs cut stay in the cache until they are whole (12 and 24 rows of floats that
// others continue 5.5 -> 3.2 and 6.4 -> 3.0 times a copy).
bool RunsGoOn(const Shape& shape, const JoinedSide& rows) {
  return rows.IsCut() && LevelIsNear() && !WholeLines(rows.steps * shape.element_bytes);
}

// Whether columns are joined: those of less than a line, and where the last level is far those of more that are too
// short to be asked for. 33 moves of floats and doubles, 0.3 to 6 MB, took 0.54 to 0.99 of the time so, with vectors of
// half a line 0.52 to 1.1, of 16 bytes 0.61 to 1.2 (of 2 bytes 0.9 to 1.3, of whole lines 0.8 to 1.2). Instead of a
// stage only doubles: 11 moves of 5 to 55 MB in 0.71 to 0.89, with half lines in 0.81 to 0.98; floats up to 1.3 times.
bool HasShortColumns(const Shape& shape, bool may_stage) {
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  if (column_bytes < kLineBytes) return true;
  if (LevelIsNear() || shape.family != Family::kTile || shape.element_bytes < (may_stage ? 8 : 4)) return false;
  return column_bytes > kLineBytes && column_bytes < kMinAskedColumnBytes;
}

// The axes that continue one side of a shape, without what the other side has.
JoinedSide JoinAlong(const Shape& shape, int side, const JoinedSide& other) {
  int64_t Axis::*const along = side == 0 ? &Axis::os : &Axis::is;
  const Axis* const end = shape.outer + shape.num_outer;
  JoinedSide joined;
  const auto next = [&](const Axis& axis) {
    int64_t span;  // of an outermost axis it may be too much
    const bool full = joined.IsCut() || 2 * joined.steps > kMostJoined;
    if (full || __builtin_mul_overflow(axis.*along, axis.n, &span) || span == 0) return end;
    return std::find_if(shape.outer, end, [&](const Axis& one) { return one.*along == span && !other.Has(one); });
  };
  for (const Axis* axis = &shape.inner[side]; axis != end; axis = next(*axis)) {
    joined.axes[joined.count++] = *axis;
    const int64_t most = kMostJoined / joined.steps;
    joined.block = axis->n <= most ? axis->n : CeilDivide(axis->n, CeilDivide(axis->n, most));
    joined.steps *= joined.block;
  }
  return joined;
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
  const bool short_columns = HasShortColumns(shape, may_stage);
  for (int i = 0; i < shape.num_outer; ++i) {
    if (short_columns && shape.outer[i].os == column_bytes) return true;
    if (shape.family == Family::kTile && row_bytes < kLineBytes && shape.outer[i].is == row_bytes) return true;
  }
  // Two axes alone are what the generic kernel walks in one call, too.
  return shape.family == Family::kGeneric && shape.num_outer != 0 && column_bytes < kLineBytes &&
         shape.inner[1].os == column_bytes;
}

JoinedSides JoinSides(const Shape& shape) noexcept {
  JoinedSides sides;
  const bool rows_first = shape.inner[0].n < shape.inner[1].n;
  if (rows_first) sides.rows = JoinAlong(shape, 0, sides.columns);
  sides.columns = JoinAlong(shape, 1, sides.rows);
  if (!rows_first) sides.rows = JoinAlong(shape, 0, sides.columns);
  return sides;
}

void ChooseJoined(const Shape& shape, int64_t bytes, int64_t vector_bytes, bool streams, Choice* choice) noexcept {
  choice->family = Family::kJoined;
  if (shape.family != Family::kTile) return;
  const JoinedSide rows = JoinSides(shape).rows;
  const int64_t run = rows.IsCut() ? kMostJoined : rows.steps;  // of rows that are cut, the next box goes on with it
  const bool long_runs = run * shape.element_bytes >= kMinJoinedStreamBytes;
  if (long_runs && streams && !RunsGoOn(shape, rows)) {
    choice->pack = Pack::kColumns;
  } else if (PacksJoinedRows(shape, rows, bytes, vector_bytes)) {
    choice->pack = Pack::kRows;
  }
}

}  // namespace v1
}  // namespace dimorder
