// SPDX-License-Identifier: Apache-2.0
// Beyond the caches a transpose is staged: reads and writes both want long runs, the stage half of L2, and the rows of
// a block few enough for the TLB to keep their pages while the columns go by, but where little of each is packed. Where
// the last level is near, rows that adjoin want a stage that L1 holds. Columns that adjoin in the destination are one
// run: see choose_adjoining.cc; long ones that do not go in groups: choose_groups.cc.
#include "dispatch/box_in_l1.h"
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
// Columns that others join in a stage have rows of so many elements, and this many bytes; with what continues them more
// elements, which are not staged else.
constexpr int64_t kMinStageColumns = 9;
constexpr int64_t kMinContinuedColumns = 13;
constexpr int64_t kMinStageRowBytes = 16;
constexpr int64_t kMinShortColumnBytes = 16;
// Rows of 1 and 2 bytes that collide and are whole lines are packed so many bytes at a time, all rows, where L2 is
// large (by vectors of half a line and of a line: seven moves of bytes in 0.90 and 0.87 of the time in the mean, seven
// of 2 bytes in 0.93 and 0.86; 4093x4099, whose rows cut lines, 1.1 times).
constexpr int64_t kPackedRowBytes = 512;
constexpr int64_t kMinPackedRowBytes = 2048;
constexpr int64_t kMostPackedElement = 2;
// Runs of shorter columns that rows may need to be continued for: of less, the lines that they cut cost more than
// kJoined (16x3x64x56x16x3 elements of 2 bytes (5 3 4 2 1 0), of whose columns 96 bytes adjoin, 4.1 -> 7.4 times a
// copy).
constexpr int64_t kMinContinuedRun = 256;
// Pages of source that a block of a staged transpose visits. 4096x4096: 2.5 times a copy without a limit, 2.0 with it.
constexpr int64_t kBlockPages = 1024;
// Columns at odd places cut two lines in each block, which memory reads before it writes them: so much of a column at
// least (bytes of 6000x5000 and 10001x10001 in 0.8 of the time of 1 KB, 4093x4099 of 2 bytes and floats in 0.9).
constexpr int64_t kCutColumnBytes = 8192;

// Bytes of as many rows that adjoin as L1 holds beside a stage: whole lines.
int64_t NearRun(int64_t row_bytes, int64_t element) {
  const int64_t line_rows = LineColumns(element);
  const int64_t rows = Max(MachineCaches().l1 / 8 * 3 / row_bytes, Max(kMinNearRun / element, line_rows));
  return Min(rows, kStageRunBytes / element) / line_rows * line_rows * element;
}

// Columns that half of L2 holds, staged by such runs: whole vectors of source.
int64_t StagedColumns(const Shape& shape, int64_t run) {
  const int64_t vector = kLineBytes / shape.element_bytes;
  return Max(MachineCaches().l2 / 2 / StagePitch(run) / vector, 1) * vector;
}

// Little at a time of rows that adjoin, so that a step is in L1: a few columns of each where rows are whole lines and
// elements small, else whole rows. But not of shorter columns that others continue (36 and 56 floats 2.6 -> 1.75 and
// 1.7 -> 1.4 times a copy with the longer runs).
void ChooseNearStage(const Shape& shape, Choice* choice) {
  const int64_t element = shape.element_bytes;
  const int64_t row_bytes = shape.inner[0].is;
  const bool parts = WholeLines(row_bytes) && element <= kMostPartedElement;
  choice->cols = parts ? Min(kPartRowBytes / element, kMostPartColumns) : shape.inner[1].n;
  choice->run = parts ? kPartRun : NearRun(row_bytes, element);
  if (shape.inner[0].n * element < kPartRun) choice->run = kStageRunBytes;
  choice->cols = Min(choice->cols, StagedColumns(shape, choice->run));
}

// Whether packed rows go by little of each.
bool PacksNarrowRows(const Shape& shape, Pack pack) {
  if (!HasLargeL2() || pack != Pack::kRows) return false;
  return shape.element_bytes <= kMostPackedElement && WholeLines(shape.inner[0].is) &&
         shape.inner[1].n * shape.element_bytes >= kMinPackedRowBytes;
}

// At most half of L2 for the stage, whole vectors of source; or whole rows, for shorter runs if need be. Cores that
// want runs take no shorter ones of rows that adjoin (64 floats 2.4 -> 1.45 times a copy).
void ChooseColumnStage(const Shape& shape, Choice* choice) {
  if (PacksNarrowRows(shape, choice->pack)) {
    choice->run = kStageRunBytes;
    choice->cols = kPackedRowBytes / shape.element_bytes;
    return;
  }
  const int64_t fits = StagedColumns(shape, kStageRunBytes);
  const int64_t columns = shape.inner[1].n;
  const bool whole_rows = columns * shape.element_bytes <= kMostWholeRowBytes;
  choice->run = whole_rows && columns > fits ? kStageRunBytes / 2 : kStageRunBytes;
  choice->rows = Max(kBlockPages, kBlockPages * kPageBytes / Max(Magnitude(shape.inner[0].is), 1));
  if (!WholeLines(shape.inner[1].os)) choice->rows = Max(choice->rows, kCutColumnBytes / shape.element_bytes);
  choice->cols = Min(fits, kTileSourceBytes / kLineBytes * (kLineBytes / shape.element_bytes));
  if (whole_rows) choice->cols = Max(choice->cols, columns);
  if (LevelIsNear() && !StreamsWantRuns() && RowsAdjoin(shape)) ChooseNearStage(shape, choice);
}

// Whether rows alone are long.
bool IsLongRow(const Shape& shape) {
  const int64_t columns = shape.inner[1].n;
  return columns >= kMinStageColumns && columns * shape.element_bytes >= kMinStageRowBytes;
}

}  // namespace

bool RowsAdjoin(const Shape& shape) noexcept {
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  return shape.inner[0].is == row_bytes && row_bytes <= kMostNearRowBytes;
}

// Boxes whose columns adjoin are staged one by one.
bool HasLongRows(const Shape& shape) noexcept {
  const int64_t columns = Adjoin(shape) ? 0 : RowColumns(shape);
  return IsLongRow(shape) || (columns >= kMinContinuedColumns && columns * shape.element_bytes >= kMinStageRowBytes);
}

bool StagesShortColumns(const Shape& shape, int64_t bytes) noexcept {
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const Axis next = NextAxis(shape, &Axis::os, column_bytes);
  if (!LeavesNearLevel(bytes) || shape.family != Family::kTile || column_bytes < kMinShortColumnBytes || next.n == 1)
    return false;
  // What continues both is taken by columns of less than a line.
  const bool takes_both = column_bytes < kLineBytes && next.is == shape.inner[1].n * shape.element_bytes;
  const bool may_continue = !takes_both && column_bytes * Min(next.n, kMinContinuedRun) >= kMinContinuedRun;
  return may_continue ? HasLongRows(shape) : IsLongRow(shape);
}

void ChooseStage(const Shape& shape, int64_t bytes, Choice* choice) noexcept {
  const int64_t element = shape.element_bytes;
  // Pixels of 3 bytes that drift off pages took 0.89 of the time by longer panels, by vectors of a line 1.05 times.
  const int64_t rows_in_l1 = CanPack(shape) ? SourceRowsInL1(shape) : RowsInL1(shape.inner[0].is);
  if (CanPack(shape) && rows_in_l1 * element < kStagePanelBytes) choice->pack = Pack::kRows;
  const int64_t panel_bytes = FillsVectors(shape) ? kStagePanelBytes : kPanelBytes;
  const int64_t panel = element == 16 ? kStagePanelRows : panel_bytes / element;
  choice->panel = Min(panel, WholePanel(rows_in_l1));
  if (StagesAdjoining(shape) || StagesWholeBox(shape, bytes)) return ChooseAdjoining(shape, bytes, choice);
  StagesGroups(shape, bytes) ? ChooseGroups(shape, choice) : ChooseColumnStage(shape, choice);
}

}  // namespace v1
}  // namespace dimorder
