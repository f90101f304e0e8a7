// SPDX-License-Identifier: Apache-2.0
// Beyond the caches a transpose is staged: reads and writes both want long runs, the stage half of L2, and the rows of
// a block few enough for the TLB to keep their pages while the columns go by. Where the last level is near, rows that
// adjoin want a stage that L1 holds.
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Bytes of a staged column that are written before the next columns: a stage is in L2 anyway, and fewer source rows at
// a time suit memory better, but not fewer than 8 of 16 bytes (0.83 of the time of 4). Pixels of odd sizes take panels
// as in cache: down a few rows, the ends of their columns cost more (0.7 to 0.95 of the time; SSE4 the same).
constexpr int64_t kStagePanelBytes = 32;
constexpr int64_t kStagePanelRows = 8;
// Rows of up to this are staged whole: 256 doubles, 384 floats or 768 elements of 2 bytes in 0.75 to 0.86 of the time
// of two parts, 2 KB of smaller elements in 0.9 to 0.96.
constexpr int64_t kMostWholeRowBytes = 2048;
// Of rows up to this that adjoin in the source, a step is so little of each column that L1 holds it: 32x3136x256 floats
// 1.75 -> 1.35 times a copy, bytes 2.1 -> 1.5, rows of 96 and 200 bytes alike. (Of longer rows, or such that do not
// adjoin, up to 1.2 times as long. Where the last level is far that was not measured.)
constexpr int64_t kMostNearRowBytes = 2048;
constexpr int64_t kMinNearRun = 2 * kLineBytes;
constexpr int64_t kMostPartedElement = 4;
constexpr int64_t kPartRun = 4 * kLineBytes;
constexpr int64_t kPartRowBytes = 2 * kLineBytes;
constexpr int64_t kMostPartColumns = 64;
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
// Pages of source that a block of a staged transpose visits. 4096x4096: 2.5 times a copy without a limit, 2.0 with it.
constexpr int64_t kBlockPages = 1024;
// Columns at odd places cut two lines in each block, which memory reads before it writes them: so much of a column at
// least (bytes of 6000x5000 and 10001x10001 in 0.8 of the time of 1 KB, 4093x4099 of 2 bytes and floats in 0.9).
constexpr int64_t kCutColumnBytes = 8192;

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
  if (!Adjoin(shape) || !CanPack(shape) || element > 8) return false;
  const bool long_enough = cols.os >= kMinCutColumnBytes && cols.n * element >= 2 * kLineBytes;
  const bool short_enough = cols.os <= kMostCutColumnBytes && LineByLineRun(cols.os, element) <= l2 / 4;
  const bool bytes_stay = element > 1 || rows.n <= kMostBytesTile || rows_in_l1 >= kMostBytesTile;
  const bool rows_stay = rows_in_l1 > L1Ways() || Magnitude(rows.is) < l2 / kL2Ways / 2;
  return !WholeLines(cols.os) && long_enough && short_enough && bytes_stay && rows_stay;
}

// Adjoining columns of a block stay adjoining, so the block can be long; what is staged of it is `bytes`.
void ChooseAdjoining(const Shape& shape, int64_t bytes, Choice* choice) {
  choice->run = bytes;
  choice->cols = kAdjoiningBytes / shape.inner[1].os;
}

// Little at a time of rows that adjoin, so that a step is in L1: a few columns of each where rows are whole lines and
// elements small, else whole rows.
void ChooseNearStage(const Shape& shape, Choice* choice) {
  const int64_t element = shape.element_bytes;
  const int64_t row_bytes = shape.inner[0].is;
  if (WholeLines(row_bytes) && element <= kMostPartedElement) {
    choice->run = kPartRun;
    choice->cols = Min(kPartRowBytes / element, kMostPartColumns);
    return;
  }
  const int64_t line_rows = LineColumns(element);
  const int64_t rows = Max(MachineCaches().l1 / 8 * 3 / row_bytes, Max(kMinNearRun / element, line_rows));
  choice->run = Min(rows, kStageRunBytes / element) / line_rows * line_rows * element;
  choice->cols = shape.inner[1].n;
}

// At most half of L2 for the stage, whole vectors of source; or whole rows, for shorter runs if need be.
void ChooseColumnStage(const Shape& shape, Choice* choice) {
  const int64_t fits = MachineCaches().l2 / 2 / StagePitch(kStageRunBytes);
  const int64_t vector = kLineBytes / shape.element_bytes;
  const int64_t columns = shape.inner[1].n;
  const bool whole_rows = columns * shape.element_bytes <= kMostWholeRowBytes;
  choice->run = whole_rows && columns > fits ? kStageRunBytes / 2 : kStageRunBytes;
  choice->rows = Max(kBlockPages, kBlockPages * kPageBytes / Max(Magnitude(shape.inner[0].is), 1));
  if (!WholeLines(shape.inner[1].os)) choice->rows = Max(choice->rows, kCutColumnBytes / shape.element_bytes);
  choice->cols = Max(Min(fits, kTileSourceBytes / shape.element_bytes) / vector, 1) * vector;
  if (whole_rows) choice->cols = Max(choice->cols, columns);
  if (LevelIsNear() && RowsAdjoin(shape)) ChooseNearStage(shape, choice);
}

// What to stage of adjoining columns; of short ones, what AdjoiningColumns makes a page of.
int64_t AdjoiningBytes(const Shape& shape, int64_t column_bytes) {
  if (StagesLines(shape)) return (kLineBytes / shape.element_bytes - 1) * column_bytes;
  if (StagesCutColumns(shape)) return LineByLineRun(column_bytes, shape.element_bytes);
  const int64_t page_bytes = kPageStageBytes - LineColumns(column_bytes) * column_bytes;
  return Max(kAdjoiningSourceBytes / shape.element_bytes * column_bytes, page_bytes);
}

}  // namespace

bool RowsAdjoin(const Shape& shape) noexcept {
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  return shape.inner[0].is == row_bytes && row_bytes <= kMostNearRowBytes;
}

bool StagesAdjoining(const Shape& shape) noexcept {
  return Adjoin(shape) && (shape.inner[1].os <= kStageRunBytes || StagesLines(shape) || StagesCutColumns(shape));
}

int64_t StageAhead(const Shape& shape) noexcept {
  if (!LevelIsNear()) return kLineBytes;
  return (shape.inner[1].n * shape.element_bytes >= kMinFarAheadBytes ? 4 : 2) * kLineBytes;
}

void ChooseStage(const Shape& shape, Choice* choice) noexcept {
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const int64_t rows_in_l1 = RowsInL1(shape.inner[0].is);
  const bool tight = rows_in_l1 * shape.element_bytes < kStagePanelBytes;
  if (CanPack(shape) && tight && !StagesCutColumns(shape)) choice->pack = Pack::kRows;
  const bool blocks = shape.element_bytes == 16;
  const int64_t panel_bytes = CanPack(shape) ? kStagePanelBytes : kPanelBytes;
  int64_t panel = blocks ? kStagePanelRows : panel_bytes / shape.element_bytes;
  if (StagesLines(shape)) panel = kLinePanelRows;
  choice->panel = Min(panel, WholePanel(rows_in_l1));
  if (StagesAdjoining(shape)) {
    const bool few = CanPack(shape) && !blocks && IsShortBox(shape.inner, shape.element_bytes);
    if (few && shape.inner[0].n <= rows_in_l1 / 4 * 3) choice->panel = shape.inner[0].n;
    return ChooseAdjoining(shape, Min(AdjoiningBytes(shape, column_bytes), MachineCaches().l2 / 4), choice);
  }
  ChooseColumnStage(shape, choice);
}

}  // namespace v1
}  // namespace dimorder
