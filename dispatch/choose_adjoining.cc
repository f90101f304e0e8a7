// SPDX-License-Identifier: Apache-2.0
// Columns that adjoin in the destination are staged as one run, beyond the caches: how much of it at a time.
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Boxes whose rows adjoin, too, are staged whole beyond a near last level, if they are of more rows than these: 64x56
// floats 1.75 -> 1.2 times a copy, 100x50 3.0 -> 1.7, 26x27 1.85 -> 1.6, 90x90 elements of 2 bytes 2.9 -> 1.8. Within
// it 1.2 to 1.8 times as long; where rows do not adjoin up to 2.7 times; beyond 1/16 of L2 it gained nothing.
constexpr int64_t kMinWholeRows = 16;
constexpr int64_t kMinWholeBytes = 2048;
// So are boxes that fill at most 5/8 of L1 whose columns are longer, where cores want runs: 14 random ones 0.52 to 0.93
// of the time of runs of 512 bytes or of lines. And within the last level with columns this few, unless they are whole
// lines and go line by line, in 0.73 to 0.83 of the time: 21 other random ones 0.54 to 1.06, of 14 to 30 columns 0.84
// to 1.17.
constexpr int64_t kMostNearWholeColumns = 12;
// Stage of adjoining columns whose rows are few: their reads and writes are long runs anyway, so small steps do best (4
// KB made images 1.2 times a copy, 16 KB 1.6). With the line before it, it must not exceed a page: loads of its start
// then wait for stores to its end, which have the same 12 low bits (1.25 times as slow).
constexpr int64_t kPageStageBytes = int64_t{4} * 1024 - kLineBytes;
// Source bytes of each row that are staged at a time for adjoining columns, as long as that makes such a stage: more
// was no faster, less slower (large images of 5 channels 1.15 times).
constexpr int64_t kAdjoiningSourceBytes = 256;
// Where there are so many rows, adjoining columns of at most 2 KB take one line of each at a time: 0.65 to 0.95 of the
// time of longer pieces. But with fewer rows, or lines that are touched twice, or two lines of a row (1.3 to 2 times as
// long), or short rows (1.25 to 1.7), it loses: the hardware seems to read ahead then. And where all rows collide in
// L1, lines are lost before they are used (128 rows of 256x256 floats 2.2 times).
constexpr int64_t kManyRows = 128;
constexpr int64_t kMostLineColumnBytes = 2048;
constexpr int64_t kMinLineRowBytes = 512;
constexpr int64_t kLinePanelRows = 64;
// Adjoining columns that are no whole lines take a line of each row at a time, too: 0.6 to 0.95 of the time of longer
// pieces. Shorter ones fill no microtile, longer ones took up to 1.2 times.
constexpr int64_t kMinCutColumnBytes = 16;
constexpr int64_t kMostCutColumnBytes = 1280;
constexpr int64_t kMostBytesTile = 64;  // rows of a microtile of bytes, of the longest vectors
constexpr int64_t kL2Ways = 16;
// They ask one line ahead, but where the last level is near farther, into L2: of long rows four lines (50 doubles 1.55
// -> 1.2 times a copy), of others two. (One into L1 took 1.4 to 2 times as long there.)
constexpr int64_t kMinFarAheadBytes = 4096;
// A block of adjoining columns: much more than a fence costs.
constexpr int64_t kAdjoiningBytes = int64_t{1} << 20;

// Whether adjoining columns are staged by one line of each row.
bool StagesLines(const Shape& shape) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  const bool long_rows = cols.n * shape.element_bytes >= kMinLineRowBytes;
  const bool many_rows = rows.n >= (WholeLines(rows.is) ? 1 : 2) * kManyRows;
  return Adjoin(shape) && WholeLines(cols.os) && cols.os <= kMostLineColumnBytes && long_rows && many_rows &&
         RowsInL1(rows.is) > L1Ways() && kLineBytes % shape.element_bytes == 0;
}

// Whether adjoining columns that are no whole lines are staged line by line of each row. They are not where bytes have
// more rows than a microtile, and L1 fewer (65 rows of 2048 bytes 1.15 times), nor where two sets of L2 or one have all
// rows (100 of 128 KB 1.25 times).
bool StagesCutColumns(const Shape& shape) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  const int64_t element = shape.element_bytes;
  const int64_t rows_in_l1 = RowsInL1(rows.is);
  const int64_t l2 = MachineCaches().l2;
  if (!Adjoin(shape) || !CanPack(shape)) return false;
  const bool long_enough = cols.os >= kMinCutColumnBytes && cols.n * element >= 2 * kLineBytes;
  const bool short_enough = cols.os <= kMostCutColumnBytes && LineByLineRun(cols.os, element) <= l2 / 4;
  const bool bytes_stay = element > 1 || rows.n <= kMostBytesTile || rows_in_l1 >= kMostBytesTile;
  const bool rows_stay = rows_in_l1 > L1Ways() || Magnitude(rows.is) < l2 / kL2Ways / 2;
  return !WholeLines(cols.os) && long_enough && short_enough && bytes_stay && rows_stay;
}

// Whether a few columns of a short box are staged at a time: then all rows are one panel.
bool StagesFewColumns(const Shape& shape) {
  const Axis& rows = shape.inner[0];
  const bool is_short = CanPack(shape) && IsShortBox(shape.inner, shape.element_bytes);
  return is_short && rows.n <= RowsInL1(rows.is) / 4 * 3;
}

// What to stage of other adjoining columns; of short ones, what AdjoiningColumns makes a page of.
int64_t AdjoiningBytes(const Shape& shape) {
  const int64_t column_bytes = shape.inner[1].os;
  if (StagesLines(shape)) return (kLineBytes / shape.element_bytes - 1) * column_bytes;
  if (StagesCutColumns(shape)) return LineByLineRun(column_bytes, shape.element_bytes);
  const int64_t page_bytes = kPageStageBytes - LineColumns(column_bytes) * column_bytes;
  return Max(kAdjoiningSourceBytes / shape.element_bytes * column_bytes, page_bytes);
}

int64_t BoxBytes(const Shape& shape) { return shape.inner[1].n * shape.inner[1].os; }

// Whether columns that would not be staged as one are, since all of their box is.
bool StagesLongColumns(const Shape& shape, int64_t bytes) {
  const bool longer = shape.inner[1].os > kStageRunBytes && CanPack(shape);
  const bool few = shape.inner[1].n <= kMostNearWholeColumns;
  return StreamsWantRuns() && longer && BoxBytes(shape) <= MachineCaches().l1 / 8 * 5 &&
         (few || LeavesNearLevel(bytes));
}

// A whole box is one column more than what is staged at least. Panels of it are two lines, or less where that is all;
// of longer columns all rows, and of floats where cores want runs (36 random ones in 0.94 of the time, 0.77 to 1.12; 1,
// 2 and 8 bytes, 12 of them, 0.97 to 1.04).
void ChooseWholeBox(const Shape& shape, Choice* choice) {
  const int64_t element = shape.element_bytes;
  const int64_t rows = shape.inner[0].n;
  const bool one_panel = !StagesAdjoining(shape) || (StreamsWantRuns() && element == 4);
  const int64_t panel = one_panel ? rows : kPanelBytes / element;
  if (one_panel || (rows > panel && element != 16)) choice->panel = panel;
  choice->run = BoxBytes(shape) - 1;
}

}  // namespace

bool StagesAdjoining(const Shape& shape) noexcept {
  return Adjoin(shape) && (shape.inner[1].os <= kStageRunBytes || StagesLines(shape) || StagesCutColumns(shape));
}

bool StagesWholeBox(const Shape& shape, int64_t bytes) noexcept {
  const Axis& rows = shape.inner[0];
  const int64_t element = shape.element_bytes;
  if (!RowsAdjoin(shape) || !Adjoin(shape)) return false;
  if (!StagesAdjoining(shape)) return StagesLongColumns(shape, bytes);
  if (!LeavesNearLevel(bytes)) return false;
  const int64_t box_bytes = BoxBytes(shape);
  if (rows.n <= kMinWholeRows || box_bytes < kMinWholeBytes || box_bytes > MachineCaches().l2 / 16) return false;
  // What is whole lines would go line by line (64x64 of 1, 2 and 4 bytes 2.9 -> 1.6, 2.3 -> 1.5, 1.9 -> 1.4 times a
  // copy, of 8 bytes 0.9 to 1.2 times as long); short boxes of 1 and 2 bytes do better a few columns at a time.
  if (WholeLines(rows.is) && WholeLines(shape.inner[1].os)) return element != 8;
  return element >= 4 || !IsShortBox(shape.inner, element);
}

int64_t StageAhead(const Shape& shape) noexcept {
  if (!LevelIsNear()) return kLineBytes;
  return (shape.inner[1].n * shape.element_bytes >= kMinFarAheadBytes ? 4 : 2) * kLineBytes;
}

void ChooseAdjoining(const Shape& shape, int64_t bytes, Choice* choice) noexcept {
  choice->cols = kAdjoiningBytes / shape.inner[1].os;  // those of a block stay adjoining, so it can be long
  if (StagesWholeBox(shape, bytes)) return ChooseWholeBox(shape, choice);
  choice->run = Min(AdjoiningBytes(shape), MachineCaches().l2 / 4);
  if (StagesCutColumns(shape)) choice->pack = Pack::kNone;
  if (StagesLines(shape)) choice->panel = Min(kLinePanelRows, WholePanel(RowsInL1(shape.inner[0].is)));
  if (StagesFewColumns(shape)) choice->panel = shape.inner[0].n;
}

}  // namespace v1
}  // namespace dimorder
