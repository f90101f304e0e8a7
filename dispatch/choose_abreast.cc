// SPDX-License-Identifier: Apache-2.0
// In cache, columns of a transpose that go down many rows side by side: half of what L1 holds where they collide, those
// of whole source lines, half lines where vectors are lines, or single microtiles.
#include "dispatch/box_in_l1.h"
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Where L1 holds a few columns more than a microtile has, as many as half of what it holds go down long panels, and
// others are not between: a core reads ahead in each that it writes to. 2048x49 floats 2.1 -> 1.4 times a copy,
// 1024x100 0.55 of the time of packing them, 3072x100 of 2 bytes 0.7; half of a microtile 0.75 to 0.85. So many rows,
// which L1 must hold, or a half of them of whole microtiles (of half of the rows 1.0 to 1.6 times as long, of twice as
// many 1.1).
constexpr int64_t kAbreastRows = 128;
constexpr int64_t kHalfAbreastRows = 256;
// See AreRowsLost.
constexpr int64_t kRowsOfLost = 32;
// Where L1 holds few rows, columns of 4 and 8 bytes go by whole lines of these, which are used up before they are lost
// (256x256 floats 0.87 of the time, 49x1280 0.77; where L1 holds fewer rows 1.0 to 2). Rows that are two pages apart or
// more gained nothing then. Measured where the last level is near. Where L1 has spare ways such columns took 1.06 to
// 1.1 times as long.
constexpr int64_t kMostLineRowStride = 2 * kPageBytes;
// Where cores want runs, only rows up to this of moves that L2 holds both sides of (256x256 floats in 0.85 of the time,
// 256x64 doubles 0.87; 3136x64 of them 1.2 times, 49x1280 floats 1.1).
constexpr int64_t kMostLineRowBytes = 1024;
// Where L2 is large, also rows of which L1 holds many, of moves that leave L1 (measured from 16 KB to 8 MB). Of 4 and 8
// bytes so many or more (32 to 127 in 0.91 to 1.0 of the time in the mean of 30 moves each, by vectors of half a line
// and of a line); of moves that fill L2 so many for each byte of an element (fewer that are long up to 1.15 times as
// long).
constexpr int64_t kFewestLineRows = 32;
constexpr int64_t kFewestFarLineRowsPerByte = 16;
// By vectors of half a line 64 or more of bytes (408 moves in 0.94 of the time in the mean), 128 of 2 bytes (306 in
// 0.93), but more of 2 bytes if the move fills L2, and L1 holds lines of more than 16 rows for each way (fewer gained
// nothing, and lost up to 8 percent where they are long). By vectors of a line the larger number in any case (171 of
// bytes in 0.96, 162 of 2 bytes in 0.93).
constexpr int64_t kFewestSmallLineRowsPerByte = 64;
constexpr int64_t kManyLineRows = 512;
// See OddLinesPanel.
constexpr int64_t kOddLineRows = 64;

// Whether L1 holds a line of no more than eight rows for each way.
bool AreRowsFew(const InL1& in_l1) { return in_l1.rows <= 8 * L1Ways(); }

// Whether columns are of bytes, on three places of L1 or near them: of two microtiles' columns side by side it would
// lose some (1366x449 3.9 -> 2.6 times a copy by one, 2730x484 4.0 -> 2.3, 5461x100 3.95 -> 2.25).
bool GoesByMicrotiles(const Shape& shape, int64_t vector_bytes) {
  if (shape.element_bytes != 1 || shape.inner[1].n < kTwoTilesBytes || vector_bytes < kLineBytes / 2) return false;
  return LieOnThreePlaces(shape.inner[1].os, kLineBytes / 4);
}

// Columns that go abreast where L1 has spare ways: those of one microtile, where all ways hold them but not two of
// them, and no rows collide. Instead of packing them: 38 random boxes of bytes in 0.83 of the time, 62 of 2 bytes in
// 0.65, with vectors of 16, 32 and 64 bytes; rows of 128 bytes 1.1 times as long. (One microtile of floats, of which L1
// holds three, 0.9 to 1.35.) And of bytes on three places, if rows are on many: 157 boxes in 0.78 of the time with
// vectors of a line, 155 in 0.57 with those of half a line (others 0.3 to 1.5).
int64_t AbreastOfSpareWays(const Shape& shape, int64_t vector_bytes) {
  const int64_t columns = 16 / shape.element_bytes;
  const int64_t is = shape.inner[0].is;
  if (RowsInL1(is) <= kHalfAbreastRows || shape.inner[1].n <= columns) return 0;
  if (GoesByMicrotiles(shape, vector_bytes) && !LieOnFewPlaces(is, kLineBytes / 2)) return columns;
  const int64_t held = RowsInL1(shape.inner[1].os, MachineL1().all_ways);
  return held > columns && held < 2 * columns ? columns : 0;
}

// Whether L1 holds few of the rows, and L2 keeps them, if the core needs that.
bool HoldsFewRows(const Shape& shape, const InL1& in_l1) {
  const Axis& rows = shape.inner[0];
  const int64_t is = Max(Magnitude(rows.is), 1);
  if (rows.n <= in_l1.rows || !AreRowsFew(in_l1) || is >= kMostLineRowStride) return false;
  return !StreamsWantRuns() ||
         (shape.num_outer == 0 && is <= kMostLineRowBytes && rows.n <= MachineCaches().l2 / 2 / is);
}

// Whether whole lines gain where L1 has spare ways. By vectors of half a line they do, 2901 random moves in 0.82 to
// 0.88 of the time in the mean, but of bytes only if columns cut lines (others 0.99). By vectors of a line 192 of 2
// bytes took 0.94, 244 of 4 bytes 0.82 (bytes and doubles gained nothing; 96 rows of 12544 floats, of which L1 holds
// few, 1.4 times as long).
bool GainsByLines(const Shape& shape, int64_t vector_bytes, const InL1& in_l1) {
  const int64_t element = shape.element_bytes;
  if (vector_bytes == kLineBytes) return (element == 2 || element == 4) && !AreRowsFew(in_l1);
  return element > 1 || !WholeLines(shape.inner[1].os);
}

// Fewest rows that go by whole lines where L2 is large.
int64_t FewestLineRows(int64_t element, int64_t bytes, int64_t vector_bytes, const InL1& in_l1) {
  const bool far = FillsL2(bytes);
  if (element >= 4) return far ? kFewestFarLineRowsPerByte * element : kFewestLineRows;
  const bool many = vector_bytes == kLineBytes || (element == 2 && far && in_l1.rows > 16 * L1Ways());
  return many ? kManyLineRows : kFewestSmallLineRowsPerByte * element;
}

// Whether columns go by whole lines of their rows: where L1 holds the rows of some microtiles, and their columns.
bool TakesLines(const Shape& shape, int64_t bytes, int64_t vector_bytes, const InL1& in_l1) {
  const Axis& rows = shape.inner[0];
  const int64_t element = shape.element_bytes;
  const int64_t columns = kLineBytes / element;
  if (!LevelIsNear() || rows.is == 0 || !WholeLines(rows.is)) return false;
  const int64_t held_rows = (element >= 4 ? 4 : 8) * L1Ways();
  if (shape.inner[1].n < columns || in_l1.rows < held_rows || in_l1.columns < 2 * columns) return false;
  const bool few = element >= 4 && HoldsFewRows(shape, in_l1);
  if (HasSpareWays() && (few || !GainsByLines(shape, vector_bytes, in_l1))) return false;
  if (few) return true;
  if (!HasLargeL2() || vector_bytes < kLineBytes / 2 || bytes <= MachineCaches().l1 / 2) return false;
  return rows.n >= FewestLineRows(element, bytes, vector_bytes, in_l1);
}

// Whether half lines are, where line tiles are not: where three quarters of L1 hold one side, and L1 a line of each row
// of a tile and of each of its columns.
bool TakesHalfLines(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  const int64_t side = kLineBytes / shape.element_bytes;
  if (rows.n < side || cols.n < side / 2 || vector_bytes != kLineBytes || !HasSpareWays()) return false;
  return bytes <= MachineCaches().l1 / 4 * 3 && RowsInL1(rows.is) >= side && RowsInL1(cols.os) >= side / 2;
}

// Whether columns that collide go down rows of which L1 soon loses some: those that lie on no more than eight places
// (2048x683 of 2 bytes 9.1 -> 4.3 times a copy by short panels, 1024x205 floats 3.3 -> 2.5, 2048x819 bytes 6.2 -> 4.0,
// with vectors of a line 8.7 -> 4.0, 3.2 -> 2.1 and 5.9 -> 5.0; but 1366x1366 bytes, whose columns do so, 4.3 -> 5.1).
// (Where L1 has spare ways four boxes of 1 and 2 bytes took 1.45 to 2.7 times as long.)
bool AreRowsLost(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  if (!HasLargeL2() || HasSpareWays() || vector_bytes < kLineBytes / 2 || in_l1.rows < L1Lines()) return false;
  return LieOnFewPlaces(shape.inner[0].is, kLineBytes / 16) && !GoesByMicrotiles(shape, vector_bytes);
}

}  // namespace

int64_t ColumnsAbreast(const Shape& shape, int64_t bytes, int64_t vector_bytes, int64_t panel) noexcept {
  if (shape.family != Family::kTile || !CanPack(shape)) return 0;
  if (TakesHalfLines(shape, bytes, vector_bytes)) return kLineBytes / 2 / shape.element_bytes;
  if (LiesInWay(shape)) return 0;
  const InL1 in_l1 = HeldInL1(shape);
  const int64_t line = kLineBytes / shape.element_bytes;
  const bool line_panel = panel == line && panel < shape.inner[0].n;
  if (TakesLines(shape, bytes, vector_bytes, in_l1)) return line_panel ? 0 : line;
  if (HasSpareWays()) return AbreastOfSpareWays(shape, vector_bytes);
  const int64_t columns = GoesByMicrotiles(shape, vector_bytes) ? 16 : in_l1.columns / 2;
  const int64_t tile_bytes = columns * shape.element_bytes;
  if (shape.element_bytes == 8 || shape.inner[1].n <= columns || (tile_bytes != 16 && tile_bytes != 8)) return 0;
  const int64_t fewest_rows = tile_bytes == 16 ? kAbreastRows / 2 : kHalfAbreastRows;
  return in_l1.rows >= fewest_rows ? columns : 0;
}

// Of half lines all. Of whole lines, too, where L2 is large (in 0.95 to 1.0 of the time of 256 rows), but by vectors of
// a line not where L1 holds few (3000 rows 1.04 to 1.08 times).
int64_t AbreastRows(const Shape& shape, const InL1& in_l1, int64_t columns, int64_t vector_bytes) noexcept {
  const int64_t bytes = columns * shape.element_bytes;
  const bool all_of_lines = HasLargeL2() && (vector_bytes == kLineBytes / 2 || !AreRowsFew(in_l1));
  if (bytes == kLineBytes) return all_of_lines ? shape.inner[0].n : kHalfAbreastRows;
  if (bytes == kLineBytes / 2) return shape.inner[0].n;
  if (AreRowsLost(shape, in_l1, vector_bytes)) return kRowsOfLost;
  const bool few = bytes == 16 && !HasSpareWays();
  return Min(few ? kAbreastRows : kHalfAbreastRows, WholePanel(in_l1.rows));
}

// What is before the first whole line and after the last one goes by microtiles, which find its rows in L1 again only
// if these are few. (3136x64 floats 16 bytes behind a line in 0.85 of the time of 256 rows, 1000x16 doubles in 0.75;
// all rows of 3136x64 bytes 1.8 times.) Elements of 1 and 2 bytes, which gain nothing by lines then, go by panels of
// two destination lines, or of one where rows share few sets of L1 (784x512 bytes in 0.87 of the time of two, 784x256
// of 2 bytes in 0.94; elsewhere 1.04 and 1.1 times).
int64_t OddLinesPanel(const Shape& shape) noexcept {
  const int64_t element = shape.element_bytes;
  if (element >= 4) return kOddLineRows;
  const bool share = shape.inner[0].is % (4 * kLineBytes * element) == 0;
  return (share ? 1 : 2) * kLineBytes / element;
}

}  // namespace v1
}  // namespace dimorder
