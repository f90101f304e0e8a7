// SPDX-License-Identifier: Apache-2.0
// Whose kernels move a shape, where nobody names a target: the best one's, but for transposes on Zen 4.
//
// Zen 4 runs vectors of a line in halves. What it has of them are masks and lookups over the whole of one; but
// gathering them takes longer, and a tile needs twice as many rows, of which L1 presumably loses some. So transposes
// that have no use for masks go by kernels for vectors of half a line, and are planned for these: 64x64 of 1, 2 and 4
// bytes took 1.28, 1.32 and 1.4 times as long by vectors of a line, 1024x1024 1.5. 361 of 1582 random moves of 2 KB to
// 6 MB go so, in 0.91 of the time in the mean, 0.55 to 1.28 each, on one thread, with data in the caches. (8 bytes
// gained nothing, nor did moves that are streamed.)
#include "dispatch/box_in_l1.h"
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"
#include "dispatch/plan.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

// To choose for smaller moves would take longer than it saves.
constexpr int64_t kFewestBytes = 2048;
// Rows and columns that are fewer are wide only if they fill blocks.
constexpr int64_t kFewestWide = 24;
constexpr int64_t kFewestWideOfBytes = 32;
// See GainsByHalves.
constexpr int64_t kFewOddRows = 8;
// See CutsNearLines.
constexpr int64_t FewCutRows(int64_t element_bytes) { return element_bytes == 1 ? 64 : element_bytes == 2 ? 48 : 56; }

// Whether the core runs vectors of a line in halves, as Zen 4 does. (On Zen 5 199 such moves of 1, 2 and 4 bytes took
// 1.02 to 1.06 times as long by shorter vectors, 397 of 5 to 7 bytes 0.97 to 1.01.)
bool RunsHalves() { return HasLargeL2() && !HasSpareWays(); }

// Whether so many elements have no use for masks.
bool IsWide(int64_t n, int64_t element_bytes) {
  return n >= (element_bytes == 1 ? kFewestWideOfBytes : kFewestWide) || n * element_bytes % 16 == 0;
}

// Whether columns are whole half lines. Rows of 2 bytes that cut lines gain nothing then once they leave L2.
bool HasHalfLines(const Shape& shape, int64_t bytes) {
  const bool leaves = bytes > MachineCaches().l2 / 2;
  const bool cuts_far_lines = shape.element_bytes == 2 && leaves && !WholeLines(shape.inner[0].is);
  return shape.inner[1].os % (kLineBytes / 2) == 0 && !cuts_far_lines;
}

// Whether the lines that columns cut stay near: rows are few, or all is in L1 (of floats the latter gained nothing).
bool CutsNearLines(const Shape& shape, int64_t bytes) {
  const bool small = shape.element_bytes <= 2 && bytes <= MachineCaches().l1 / 2;
  return small || shape.inner[0].n < FewCutRows(shape.element_bytes);
}

// Whether L1 holds fewer rows than a tile of vectors of a line has, and columns, too, collide; or no more than those,
// but a tile of half a line, and columns do not. (Fewer rows than that are packed, and gain little, 0.95 to 1.0. Where
// columns collide, but less than rows, these are packed, too: up to 1.35 times as long.)
bool LosesRows(const Shape& shape) {
  const InL1 in_l1 = HeldInL1(shape);
  if (shape.inner[0].n <= in_l1.rows) return false;
  const int64_t row_bytes = in_l1.rows * shape.element_bytes;
  if (in_l1.columns <= in_l1.rows) return row_bytes < kLineBytes;
  return in_l1.columns == L1Lines() && row_bytes >= kLineBytes / 2 && row_bytes <= kLineBytes;
}

// Whether shorter vectors gain. Of 5, 6 and 7 bytes they do in any case but for few rows: 171 random moves in 0.85 of
// the time in the mean, 0.68 to 1.14 each (5 bytes of 8 rows 1.2 to 1.3 times).
bool GainsByHalves(const Shape& shape, int64_t bytes) {
  const int64_t element = shape.element_bytes;
  const int64_t rows = shape.inner[0].n;
  if (element >= 5 && element <= 7) return rows > kFewOddRows;
  if (element > 4 || !FillsVectors(shape) || !IsWide(rows, element) || !IsWide(shape.inner[1].n, element)) return false;
  return HasHalfLines(shape, bytes) || CutsNearLines(shape, bytes) || LosesRows(shape);
}

}  // namespace

int64_t ChooseTarget(const Request& request) noexcept {
  const Shape& shape = request.shape;
  const int64_t bytes = request.problem.bytes;
  if (bytes < kFewestBytes || !RunsHalves() || shape.family != Family::kTile) return request.target;
  if (LeavesNearLevel(bytes) || request.stores == Stores::kNonTemporal || Joins(shape, false)) return request.target;
  return GainsByHalves(shape, bytes) ? Avx2Beside(request.target) : request.target;
}

}  // namespace v1
}  // namespace dimorder
