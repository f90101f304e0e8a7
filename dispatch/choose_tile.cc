// SPDX-License-Identifier: Apache-2.0
// In cache, a transpose goes down panels of rows that fill whole destination lines, in blocks of columns whose source
// stays in L1.
#include "dispatch/box_in_l1.h"
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Where columns collide in L1, fewer returns to each: at least so many rows (7x7 and 14x14 activations of 512 channels
// 2.1 -> 1.4 and 1.5 -> 1.04 times a copy; doubles 2.4 -> 1.3), and more as long as their source is no more than so
// many eighths of the ways of L1 that are counted on, of 8 and 12 (images of 12 channels of floats 1.9 -> 1.6, 2048x49
// of 2 bytes 2.0 -> 1.7); half of that where there are no more columns than ways (5 channels: 2 percent).
constexpr int64_t kLongPanelRows = 64;
constexpr int64_t kPanelSourceEighths = 3;
// More where L1 has spare ways: 1x2048x7x7 floats 8.4 -> 2.7 times a copy, 2048x500 5.2 -> 1.3, 1024x200 of 2 bytes 8.6
// -> 2.3, 512x100 doubles 0.9 of the time. And so many bytes of all columns that L1 holds, though it holds fewer rows
// (1024x128 floats 2.9 -> 1.9 times a copy; 128 rows of 1024x64 doubles 1.3 times, 128 of 512x128 floats 1.4).
constexpr int64_t kLongPanelRowsOfSpareWays = 128;
constexpr int64_t kLongPanelsBytes = 4096;
constexpr int64_t kLongestPanelBytes = 1024;
// Where columns are at odd places, or of pixels, and cut lines at the ends of each panel, all rows if there are no more
// than these.
constexpr int64_t kMostPanelRows = 384;
// So many rows of 2 bytes and more go by panels of twice as many where L2 is large: 11 moves of 0.4 to 2.6 MB in 0.96
// of the time in the mean, 0.93 to 1.0 each, with both panels in one process (bytes 1.02); by two builds in turn ten of
// them in 0.98, 0.94 to 1.03 each, and 2816x64 by where its pages were.
constexpr int64_t kManyRowsOfPairs = 1024;
// A panel of as many rows as L1 holds leaves no room for their columns: a quarter of them (128 and 256 channels of
// floats in 0.82 to 0.95 of the time), but as many as fill a line, and no fewer than this.
constexpr int64_t kFewestPanelRows = 16;
// See MostCutRows: times the rows that L1 holds, and rows.
constexpr int64_t kFarCutRows = 3;
constexpr int64_t kMostCutRows = 256;
// Of two microtiles' columns L1 may hold a quarter less (49 of 1 and 2 bytes in 0.7 of the time of packing them; many
// were not tried), but not where vectors are parts of lines, each written several times (49 of 2 bytes 1.35 times with
// half lines, 2.6 with quarters).
constexpr int64_t kFewestOfTwoTiles = 24;
// Rows of 1- and 2-byte elements that are many: see HoldsMicrotile.
constexpr int64_t kManySmallRows = 128;

// Where L2 is large, by vectors of half a line, few rows that are long go by panels of a line, and by a page of each,
// if columns are whole lines, and neither collide, in moves that L2 does not hold: 18 of floats in 0.87 of the time in
// the mean, 18 of doubles in 0.93 (by vectors of a line 0.9 to 1.1). Of more rows whole lines take 0.88 to 1.03 of
// their time.
constexpr int64_t kFewestLinePanelRows = 48;
constexpr int64_t kMostLinePanelRows = 192;
constexpr int64_t kMinLinePanelRowBytes = 1536;

// Elements of 16 bytes whose rows and columns collide, where L1 has spare ways, go by blocks of so many of both:
// 256x256 4.5 -> 2.0 times a copy, 512x512 4.5 -> 1.5, nine boxes of 0.5 to 4 MB in 0.29 to 0.79 of the time with
// vectors of 32 and 64 bytes (of 16 bytes 0.65 to 1.1).
constexpr int64_t kCollidingSideOf16 = 16;

// Floats whose columns cut lines. Both sides at least so long: 500x600 to 1100x1100 in 0.92 to 0.98 of the time
// (shorter sides up to 1.09, 1 and 2 bytes up to 1.14). So many columns or more that L1 holds: 33, 49 and 50 rows in
// 0.87 to 0.97 (61 rows, of which it holds fewer, 1.04).
constexpr int64_t kLongCutSide = 400;
constexpr int64_t kCutColumns = 64;
// So many rows then, by vectors of half a line: 44 moves in 0.99 of the time of 32 in the mean, 1000x1000 in 0.98.
constexpr int64_t kCutRows = 40;
constexpr int64_t kFewestShortCutColumns = 128;
// See RowsThatStay.
constexpr int64_t kMostLostPlaces = 5;
// Columns that make rows long: see WantLongPanels and MostCutRows.
constexpr int64_t kFewestLongColumns = 100;

// Whether rows are of 2 bytes, and so many that long panels are best: where L1 has spare ways, if it loses none of
// them, nor columns (1280x49 1.06 times as long else, nine random boxes 0.95 to 1.31).
bool AreManyPairs(const Shape& shape) {
  if (shape.element_bytes != 2 || shape.inner[0].n < kManyRowsOfPairs || !HasLargeL2()) return false;
  const bool stay = RowsUntilLost(shape.inner[0].is) == L1Lines() && RowsInL1(shape.inner[1].os) == L1Lines();
  return stay || !HasSpareWays();
}

// Whether columns that cut lines want as long panels as few rows have: those that lie on few places of L1, if rows do
// not (by vectors of half a line and of a line 23 and 31 moves of floats took 0.95 and 0.89 of the time in the mean, 24
// and 27 of doubles 0.89, 0.58 to 1.06 each; 683 rows of 2 bytes 0.57 to 0.7), and long rows of doubles (59 moves in
// 0.95, 43 in 0.91) and by vectors of a line of floats (48 in 0.91), if columns are not near pages apart (1036x465
// floats 1.3 times). Where L1 has spare ways long rows of doubles gain nothing, and floats whose rows it loses took 1.2
// times as long.
bool WantLongPanels(const Shape& shape, int64_t vector_bytes) {
  const Axis& cols = shape.inner[1];
  const int64_t element = shape.element_bytes;
  if (!HasLargeL2() || vector_bytes < kLineBytes / 2 || element == 1 || !CanPack(shape)) return false;
  if (RowsInL1(cols.os) <= 4 * L1Ways()) return false;
  const bool rows_stay = RowsUntilLost(shape.inner[0].is) == L1Lines();
  if (!rows_stay && LieOnFewPlaces(cols.os, kLineBytes / 2)) return false;
  if (LieOnFewPlaces(cols.os, kLineBytes / 8)) return true;
  if (HasSpareWays() && (element == 8 || !rows_stay)) return false;
  const int64_t step = cols.os % kL1WayBytes;
  const bool near = Min(step, kL1WayBytes - step) < 2 * kLineBytes;
  const bool wide = element == 8 || (element == 4 && vector_bytes == kLineBytes);
  return wide && !near && cols.n >= kFewestLongColumns;
}

// Whether both sides are long, and columns of floats cut lines.
bool CutsLongColumns(const Shape& shape) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  return shape.element_bytes == 4 && !WholeLines(cols.os) && rows.n >= kLongCutSide && cols.n >= kLongCutSide;
}

// Rows of a panel that fill destination lines.
int64_t UsualRows(const Shape& shape, int64_t vector_bytes) {
  if (HasLargeL2() && vector_bytes == kLineBytes / 2 && CutsLongColumns(shape)) return kCutRows;
  return (AreManyPairs(shape) ? 2 : 1) * kPanelBytes / shape.element_bytes;
}

// Rows of a panel, as far as the columns go.
int64_t RowsForColumns(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  const bool cut = !WholeLines(cols.os) || !FillsVectors(shape);
  if (cut && (rows.n <= kMostPanelRows || WantLongPanels(shape, vector_bytes))) return rows.n;
  // More where rows are short, up to a quarter of L1: 9 to 33 columns of 960 to 50000 rows in 0.85 to 0.97 of the time,
  // with vectors of 16, 32 and 64 bytes (half of L1 up to 1.7 times).
  const int64_t short_rows = MachineCaches().l1 / 4 / Max(Magnitude(rows.is), 1);
  const int64_t usual = Max(UsualRows(shape, vector_bytes), WholePanel(short_rows));
  const bool collide = in_l1.columns <= 2 * L1Ways();
  if (!collide) return usual;
  const int64_t source_bytes = L1Ways() * kL1WayBytes / 8 * kPanelSourceEighths;
  const int64_t small = source_bytes / Max(Magnitude(rows.is), 1) / kLongPanelRows * kLongPanelRows;
  const int64_t longest = (cols.n > L1Ways() ? kLongestPanelBytes : kLongestPanelBytes / 2) / shape.element_bytes;
  return Max(Max(usual, in_l1.spare ? kLongPanelRowsOfSpareWays : kLongPanelRows), Min(small, longest));
}

// Whether a box and what becomes of it fill no more than three quarters of L1, nor few sets of it. Where that is nearly
// all of a move, the box is one panel: 960x9 of 2 bytes 0.8, 256x8 and 17x128 floats 0.55 to 0.7, 16-byte elements 0.7
// to 0.8 of the time of panels of two lines. (Boxes of a move that leaves L1: 0.75 to 1.3.)
bool FitsL1(const Shape& shape, int64_t bytes, const InL1& in_l1) {
  const int64_t l1 = MachineCaches().l1;
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  const bool rows_fit = rows.n <= in_l1.rows || Magnitude(rows.is) < kLineBytes;
  const bool columns_fit = cols.n <= in_l1.columns && in_l1.columns > 2 * L1Ways();
  return bytes <= l1 && rows_fit && columns_fit && rows.n * cols.n * shape.element_bytes <= l1 / 8 * 3;
}

// Most rows that are one panel since their columns are at odd places and of small elements, and each vector of a line
// cuts some (48 rows of 2 bytes in 0.7 to 0.8 of the time, 49 in 0.9, 12544 of 1 byte in 0.9; of 16 bytes 1.3 times).
// Where the last level is far, of half a line, too, and more rows than L1 holds (49 to 95 of 2 bytes in 0.70 to 0.85 of
// the time, 77 to 150 bytes in 0.73 to 0.87, with whole lines 0.77 to 1.0; four times what it holds up to 1.15 times).
// Where L2 is large and rows are long, fewer (300 to 500 rows of 1 and 2 bytes by panels of 128 in 0.66 to 0.83 of the
// time; 38 to 72 columns 1.06 to 1.12 times).
int64_t MostCutRows(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  if (shape.element_bytes > 2 || WholeLines(shape.inner[1].os)) return 0;
  if (!LevelIsNear()) return vector_bytes >= kLineBytes / 2 ? kFarCutRows * in_l1.rows : 0;
  if (vector_bytes != kLineBytes) return 0;
  const bool fewer = HasLargeL2() && shape.inner[1].n >= kFewestLongColumns;
  return fewer ? Min(in_l1.rows, kMostCutRows) : in_l1.rows;
}

// Rows of a panel that L1 does not lose before the next columns use the rest of their lines, where there are a quarter
// more than these, or of bytes twice as many, and columns want no long panel; of doubles, whose lines have few columns,
// half of them. By vectors of half a line and of a line floats took 0.89 and 0.88 of the time in the mean, 2 bytes 0.87
// and 0.86, bytes 0.93 and 0.95, doubles 0.84 and 0.85 (91 and 83 moves, 0.55 to 1.12 each; bytes of which L1 keeps
// fewer rows than a vector has were up to 1.1 times as long, pixels of 5 bytes 1.2 times). Where L1 has spare
// ways, these hold rows, too, and those on more than five places stay long enough (2 bytes on seven took 1.05 times as
// long, up to 200 rows 1.0 to 1.5); but panels are no longer.
int64_t RowsThatStay(const Shape& shape, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const int64_t element = shape.element_bytes;
  if (!HasLargeL2() || vector_bytes < kLineBytes / 2 || !CanPack(shape)) return kAllRows;
  const int64_t stay = RowsUntilLost(rows.is);
  if (stay == L1Lines() || stay * element < vector_bytes || RowsInL1(rows.is) < L1Lines()) return kAllRows;
  if (HasSpareWays() && stay > kMostLostPlaces * L1Ways()) return kAllRows;
  const int64_t held = stay / L1Ways() * MachineL1().all_ways;
  const int64_t few = element == 1 ? 2 * held : held + held / 4;
  if (rows.n <= few || AreManyPairs(shape) || LieOnFewPlaces(shape.inner[1].os, kLineBytes / 2)) return kAllRows;
  return WholePanel(element == 8 ? stay / 2 : stay);
}

// Rows of a panel. Where columns collide, too, all that L1 holds: 256x256 floats take 0.8 of the time of a quarter in
// some runs of a program and 1.2 times in others.
int64_t PanelRows(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  const int64_t stay = RowsThatStay(shape, vector_bytes);
  if (shape.inner[0].n <= MostCutRows(shape, in_l1, vector_bytes)) return Min(shape.inner[0].n, stay);
  const int64_t long_rows = in_l1.spare ? kLongPanelsBytes / in_l1.columns / shape.element_bytes : 0;
  const int64_t is = Max(Magnitude(shape.inner[0].is), 1);
  const int64_t rows_of_line = is < kLineBytes ? kLineBytes / is : 1;
  const int64_t most = WholePanel(Max(in_l1.rows * rows_of_line, long_rows));
  const bool collide = in_l1.columns <= 4 * L1Ways();
  const int64_t fewest = collide ? most : Max(kLineBytes / shape.element_bytes, kFewestPanelRows);
  return Min(Min(RowsForColumns(shape, in_l1, vector_bytes), stay), Min(most, Max(most / 4, fewest)));
}

// Whether L1 holds the rows of a microtile, though not of a line, and all columns of a block beside them. Such rows are
// not packed: 1024 and 2048 floats in 0.73 to 0.95 of the time. Of small elements that gains where rows are many (1024
// of 2 bytes 0.85 to 0.96; 49 rows of them 1.15).
bool HoldsMicrotile(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const int64_t element = shape.element_bytes;
  const bool many_rows = element >= 4 || rows.n >= kManySmallRows;
  return many_rows && WholeLines(rows.is) && in_l1.rows * element >= vector_bytes &&
         in_l1.columns >= Min(kTileSourceBytes / element, L1Lines());
}

// Whether L1 holds too few columns for two microtiles side by side.
bool AreColumnsTight(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  const int64_t element = shape.element_bytes;
  const int64_t columns = shape.inner[1].n;
  if (in_l1.spare) {
    const int64_t held = RowsInL1(shape.inner[1].os, MachineL1().all_ways);
    const bool drift = in_l1.columns == L1Lines();  // of bytes; `held` has not heard of it
    return columns > held && held * element < kTwoTilesBytes && !drift;
  }
  const int64_t held = in_l1.columns;
  const bool parts = vector_bytes < kLineBytes;
  // Just enough for two microtiles is too few where columns are many, and of single bytes where rows are tight, too;
  // and where vectors are parts of lines, and come back to each, even for no more columns (8 columns of 2 bytes 2.3
  // -> 1.7 times a copy; lines at once 1.0 to 1.8 times as long), if they do not go down abreast.
  const int64_t stay = parts ? held - 1 : held;
  const int64_t few = parts && element > 1 ? stay : 4 * held;
  const bool tight_rows_of_bytes = element == 1 && in_l1.rows <= kLineBytes;
  const bool just_enough = held * element == kTwoTilesBytes && columns > few && (element > 1 || tight_rows_of_bytes);
  const int64_t enough = parts ? kTwoTilesBytes : kFewestOfTwoTiles;
  return columns > stay && (held * element < enough || just_enough);
}

// Whether rows are of bytes, on three places of L1 but for few bytes, and more than a vector has: packed, 18 such moves
// took 0.70 to 0.96 of the time (5 to 8 bytes from these 0.9 to 1.1, on five places 0.9 to 1.2).
// Where L1 has spare ways only if columns do not collide, and lie on more than eight places (27 moves in 0.73 of the
// time with vectors of a line, 0.88 with those of half a line; others up to twice as long).
bool AreLostBytes(const Shape& shape, int64_t vector_bytes) {
  if (shape.element_bytes != 1 || shape.inner[0].n <= kLineBytes || shape.inner[1].n <= kTwoTilesBytes) return false;
  if (vector_bytes < kLineBytes / 2 || !LieOnThreePlaces(shape.inner[0].is, kLineBytes / 16)) return false;
  const int64_t os = shape.inner[1].os;
  return !HasSpareWays() || (RowsInL1(os) == L1Lines() && !LieOnFewPlaces(os, kLineBytes / 4));
}

// Whether L1 holds too few rows for a line of a column, or columns want longer panels than rows allow. Rows at odd
// places take two lines each.
bool AreRowsTight(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const int64_t element = shape.element_bytes;
  const int64_t row_bytes = in_l1.rows * element;
  if (AreLostBytes(shape, vector_bytes)) return true;
  // A microtile's rows stay in L1 until its neighbour has used them, and soon there are no more rows.
  if (rows.n <= 2 * in_l1.rows && in_l1.rows >= kTwoTilesBytes / element) return false;
  // Three quarters of a line do where rows do not all fall on one set.
  const int64_t enough = in_l1.rows == L1Ways() ? kLineBytes : kLineBytes / 4 * 3;
  if (row_bytes < enough && !HoldsMicrotile(shape, in_l1, vector_bytes)) return true;
  if (in_l1.spare) return false;
  // Where L1 has spare ways, columns that collide want long panels, and rows that collide, too, allow none (512x256
  // doubles 8.4 -> 1.6 times a copy, floats 6 -> 2).
  if (HasSpareWays() && in_l1.columns <= 2 * L1Ways()) return true;
  // Where the last level is far, small elements are not packed for that. Measured by kAhead, with vectors of a line and
  // of half a line: 1024x1024 of 1 byte in 0.62 to 0.88 of the time of packed rows, 512 to 3072 rows of 1024 and 3072
  // of 1 byte in 0.8 to 1.05, of 2 bytes in 0.83 to 1.1.
  if (element <= 2 && !LevelIsNear()) return false;
  return row_bytes <= (WholeLines(rows.is) ? 1 : 2) * kLineBytes && in_l1.columns * element <= 2 * kLineBytes;
}

// How columns are packed. Where L1 has spare ways, those of floats are long: 9 boxes of 3 to 8 MB in 0.74 of the time
// with vectors of 32 bytes, 0.68 with 64 (1024x1024 0.80 and 0.64, 1025x1025 0.80 and 0.69; with 16 bytes 0.8 to 1.2;
// 1, 2 and 8 bytes gained nothing). Where L2 is large, those of 2 and 4 bytes that all fall on one set are:
// eight boxes of 2 bytes in 0.87 of the time with vectors of 32 bytes, 0.86 with 64, ten of floats in 0.87 and 0.85
// (2049x513 of 2 bytes 0.70, 1025x1025 floats 0.70 and 0.94; 2 bytes on two sets 1.05 to 1.1, single bytes 1.0 to 1.3;
// doubles are not packed there; on Zen 5 44 boxes of 2 bytes 0.74 and 0.81).
Pack PackingOfColumns(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  const int64_t element = shape.element_bytes;
  const bool spare = HasSpareWays() && element == 4;
  const bool one_set = HasLargeL2() && (element == 2 || element == 4) && in_l1.columns == L1Ways();
  return (spare || one_set) && vector_bytes > 16 ? Pack::kLongColumns : Pack::kColumns;
}

// What collides in L1 is packed; where both sides are tight, the tighter. (512x512 doubles 2.7 -> 1.2 times a copy,
// 1024x512 floats 2.6 -> 2.0, 513x513 of all sizes 5 to 6 -> 2 to 3.)
Pack ChoosePack(const Shape& shape, const InL1& in_l1, int64_t vector_bytes) {
  const bool columns = AreColumnsTight(shape, in_l1, vector_bytes);
  if (columns && in_l1.columns <= in_l1.rows) return PackingOfColumns(shape, in_l1, vector_bytes);
  if (AreRowsTight(shape, in_l1, vector_bytes)) return Pack::kRows;
  return columns ? PackingOfColumns(shape, in_l1, vector_bytes) : Pack::kNone;
}

// Whether panels are single lines of columns, and blocks pages of rows.
bool TakesLinePanels(const Shape& shape, int64_t bytes, int64_t vector_bytes, const InL1& in_l1) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  if (!HasLargeL2() || vector_bytes != kLineBytes / 2) return false;
  if (shape.element_bytes != 4 && shape.element_bytes != 8) return false;
  if (in_l1.rows < 4 * L1Ways() || in_l1.columns <= 4 * L1Ways()) return false;
  const bool few_rows = rows.n >= kFewestLinePanelRows && rows.n <= kMostLinePanelRows;
  const bool long_rows = cols.n * shape.element_bytes >= kMinLinePanelRowBytes;
  return few_rows && long_rows && WholeLines(cols.os) && bytes > MachineCaches().l2 / 2;
}

// Whether line tiles are best, by vectors of a line where L1 has spare ways: where columns of half a line adjoin; and
// where each side leaves L1 but fits L2 (20 boxes of which L2 holds one side but not both took 0.92 of the time, boxes
// beyond L2 1.0 to 1.15), rows are whole lines (else 0.9 to 1.3 times), and L1 holds a line of each column of two tiles
// (else up to 5 times), of four where rows share a set (256x1024 floats by packed rows in 0.6 of the time, 256x2048 of
// 2 bytes in 0.35; those whose columns L1 holds would take 0.85 to 1.7 times). Columns that cut lines are two lines or
// more (shorter ones 0.9 to 1.25 times). Rows of 8 bytes do not share a set (1.0 to 1.3 times).
bool TakesLineTiles(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  const int64_t element = shape.element_bytes;
  const int64_t side = kLineBytes / element;
  const int64_t fewest_rows = WholeLines(cols.os) ? side : 2 * side;
  // Small moves are planned as fast as before: they are told by what is at hand.
  const bool half_lines = HasHalfLineColumns(rows, cols, element);
  const bool few = rows.n < fewest_rows || cols.n < side;
  if (!half_lines && (few || !WholeLines(rows.is) || element == 1)) return false;
  if (!HasLineTiles(Family::kTile, element) || vector_bytes != kLineBytes || !HasSpareWays()) return false;
  if (half_lines) return true;
  const Caches caches = MachineCaches();
  const bool collide = RowsInL1(rows.is) <= L1Ways();
  const int64_t columns = (collide ? 4 : 2) * side;
  return bytes > caches.l1 / 2 && bytes <= caches.l2 && RowsInL1(cols.os) >= columns && (element < 8 || !collide);
}

// Columns of a block that is not packed. Floats whose columns cut lines come back to each cut line in the next panel,
// and want it nearer than others do: short columns in L1, long ones on fewer pages.
int64_t BlockColumns(const Shape& shape, int64_t vector_bytes, int64_t panel, int64_t usual) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  if (shape.element_bytes != 4 || WholeLines(cols.os) || panel >= rows.n) return usual;
  const bool short_panel = panel <= kCutRows || !WantLongPanels(shape, vector_bytes);
  if (CutsLongColumns(shape) && short_panel) return kCutColumns;
  const int64_t held = WholePanel(MachineCaches().l1 / 8 * 7 / (rows.n * shape.element_bytes));
  return held < kFewestShortCutColumns ? usual : Min(held, usual);
}

}  // namespace

bool FillsLineTiles(const Shape& shape) noexcept {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  const int64_t element = shape.element_bytes;
  const bool whole = element > 1 && Min(rows.n, cols.n) * element >= kLineBytes;
  return HasLineTiles(Family::kTile, element) && (whole || HasHalfLineColumns(rows, cols, element));
}

void ChooseLineTiles(Choice* choice) noexcept {
  choice->pack = Pack::kNone;
  choice->panel = kLineTiles;
  choice->cols = 0;
}

void ChooseTile(const Shape& shape, int64_t bytes, int64_t vector_bytes, Choice* choice) noexcept {
  if (TakesLineTiles(shape, bytes, vector_bytes)) return ChooseLineTiles(choice);
  choice->cols = shape.element_bytes == 16 ? kTileSourceBytesOf16 / 16 : kTileSourceBytes / shape.element_bytes;
  if (bytes <= MachineCaches().l1 && LiesInWay(shape)) {
    choice->pack = Pack::kNone;
    choice->panel = shape.inner[0].n;
    return;
  }
  const InL1 in_l1 = HeldInL1(shape);
  if (TakesLinePanels(shape, bytes, vector_bytes, in_l1)) {
    choice->pack = Pack::kNone;
    choice->panel = kLineBytes / shape.element_bytes;
    choice->cols = kPageBytes / shape.element_bytes;
    return;
  }
  if (const int64_t columns = ColumnsAbreast(shape, bytes, vector_bytes, kAllRows); columns != 0) {
    choice->pack = Pack::kNone;
    choice->panel = AbreastRows(shape, in_l1, columns, vector_bytes);
    if (IsSourceLine(shape, columns) && choice->panel == shape.inner[0].n) choice->cols = 0;  // no panel comes back
    return;
  }
  const bool collide = in_l1.rows <= 2 * L1Ways() && in_l1.columns <= 2 * L1Ways();
  if (shape.element_bytes == 16 && HasSpareWays() && collide && vector_bytes > 16) {
    choice->pack = Pack::kNone;
    choice->panel = choice->cols = kCollidingSideOf16;
    return;
  }
  if (CanPack(shape)) choice->pack = ChoosePack(shape, in_l1, vector_bytes);
  choice->panel = FitsL1(shape, bytes, in_l1) ? shape.inner[0].n : PanelRows(shape, in_l1, vector_bytes);
  if (choice->pack == Pack::kNone) choice->cols = BlockColumns(shape, vector_bytes, choice->panel, choice->cols);
}

}  // namespace v1
}  // namespace dimorder
