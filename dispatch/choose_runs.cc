// SPDX-License-Identifier: Apache-2.0
// Short runs are blocked like transposes, since they are transposes of long elements.
#include "dispatch/choose.h"
#include "dispatch/execute.h"
#include "dispatch/integers.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Runs below this are blocked: so many source rows side by side, or all if they are few, since memory likes long reads
// better than long writes (blocks of 1 KB of either took up to 1.6 times as long beyond L2, of 32 rows up to 1.3
// times). Each row for as many columns as the TLB has room for; fewer rows than kFewRuns the kernel takes in parts.
constexpr int64_t kShortRunRows = 16;
constexpr int64_t kAllShortRunRows = 24;
// Of runs that adjoin in the destination so many, in blocks of about one size, as far as L1 holds a line of each: 10 to
// 31 bytes in 0.75 to 0.9 of the time of 16 rows within L2, and of less than 16 bytes within the last level, too,
// measured where L1 has spare ways (24 and 31 bytes there 0.93 to 1.0; 128 rows that collide 1.5 times).
constexpr int64_t kMoreShortRunRows = 64;
constexpr int64_t kShortRunColumns = 1024;
// Of fewer columns than kFewRuns, and shorter runs than this that adjoin in the destination, so many rows that half of
// L1 holds what they have of all columns: each column then has much of the destination to itself (two columns of 6
// bytes in 0.45 of the time of 16 rows, of 14 bytes 0.5, seven of 24 bytes 0.9; of 33 bytes 1.0).
constexpr int64_t kBlockedRun = kLineBytes / 2;
// A loop of few steps takes as long as a few short runs, so where two short axes are innermost, a long one goes inside
// (see LongAxisPart): such permutations of up to 4 KB in 0.40 of the time, 24 KB 0.52 to 0.58, 128 KB 0.53, 2 MB
// 0.61 to 0.64. Beyond L1 more steps of the short ones gained less (28 to 31 of them 0.97 and 1.05).
constexpr int64_t kMostShortSteps = 24;
// Runs are streamed by this many source rows side by side (in 0.5 to 0.85 of the time of one after the other; 16 were
// slower than 8).
constexpr int64_t kStreamedRunRows = 8;
// But where the last level is near, whole lines of so few columns are read row by row, and written all over the place
// (16 columns of 128 bytes 1.9 -> 0.9 times a copy, 32 of 256 1.3 -> 0.9; 128 columns 1.2 times as long, rows that do
// not adjoin, or of 256 bytes, up to 1.7 times).
constexpr int64_t kFewRunColumns = 64;
constexpr int64_t kMinRunRowBytes = 1024;
// Runs that are no whole lines are streamed together where so much adjoins, short ones by way of a page (of 108
// bytes 2.4 -> 1.3 times a copy): one column after the other while L2 holds the source, with few enough source rows for
// the TLB's first level to keep their pages (64 rows of runs of 108 bytes in 0.65 of the time of 128).
constexpr int64_t kMinGatheredBytes = 1024;
constexpr int64_t kGatheredRows = 64;
// Beyond, where runs adjoin in the source, too, they are staged in L1 by so much of each source row (half as much took
// 1.1 to 1.25 times as long, 1.6 times as much 0.85 to 1.2) or less, see MostStagedColumns(). Long ones again with few
// rows (64 of 33 bytes in 0.9 of the time of all); short ones would make few lines between two seams.
constexpr int64_t kStagedRowBytes = 640;
constexpr int64_t kMostStagedBytes = kStackScratchBytes - 2 * kLineBytes;
constexpr int64_t kMinLongRun = kLineBytes / 2;

// The lines of runs are asked for (as in choose_ahead.cc) from here on; but of 32, 128 and 192 bytes, which need not
// cut lines, only in moves nearly as large as L2 (in smaller ones 1.1 times as slow, in larger ones 0.85 of the time).
constexpr int64_t kMinAskedRun = kLineBytes / 2;
constexpr int64_t kLongWholeRun = 256;

// Rows that are so near each other on both sides, while columns are not, use up their lines one after the other, and go
// whole: 27 moves of 3 to 96 bytes out of rows with a gap after each, 30 KB to 54 MB, took 0.25 to 1.04 of the time of
// blocks, into such rows 0.30 to 1.04, with vectors of half a line 0.32 to 1.02.
constexpr int64_t kNearRows = 2 * kLineBytes;

// How many rows of short runs go side by side; 0: all.
int64_t ShortRunRows(const Shape& shape, const Axis& rows, int64_t bytes) {
  const int64_t run = shape.inner[0].n;
  const Axis column = shape.num_outer > 1 ? shape.outer[shape.num_outer - 2] : Axis{1, 0, 0};
  const int64_t columns = column.n;
  const bool near = Max(Magnitude(rows.is), rows.os) <= kNearRows && MinStride(column.is, column.os) > kNearRows;
  if (rows.n <= kAllShortRunRows || near) return 0;
  if (run >= kBlockedRun || rows.os != run) return kShortRunRows;
  if (columns >= kFewRuns) {
    const bool stay = bytes <= MachineCaches().l2 || (HasSpareWays() && run < 16 && !LeavesNearLevel(bytes));
    const int64_t most = stay ? Min(kMoreShortRunRows, RowsInL1(rows.is)) : kShortRunRows;
    return most > kShortRunRows ? Max(CeilDivide(rows.n, CeilDivide(rows.n, most)), kShortRunRows) : kShortRunRows;
  }
  const int64_t held = MachineCaches().l1 / 2 / (columns * run);
  const int64_t block = Magnitude(rows.is) < kLineBytes ? held : Min(held, RowsInL1(rows.is));
  // Planner::Cut() shortens blocks by as much as a line has bytes.
  return block < kLineBytes ? Max(block, kShortRunRows) : block - block % kLineBytes;
}

// How much of a long axis goes inside two short ones: in L1 all of it, if it is twice as long as these; beyond, of
// short runs that have few steps of these, what a quarter of L1 holds with them. 1: nothing.
int64_t LongAxisPart(const Shape& shape, int64_t bytes) {
  if (shape.num_outer < 3) return 1;
  const int64_t x = shape.outer[shape.num_outer - 1].n;
  const int64_t y = shape.outer[shape.num_outer - 2].n;
  const int64_t l1 = MachineCaches().l1;
  int64_t part = shape.outer[LongAxis(shape)].n;
  if (bytes > l1 / 2) {
    if (x * y >= kMostShortSteps || shape.inner[0].n >= kBlockedRun) return 1;
    part = Min(part, l1 / 4 / (x * y * shape.inner[0].n));
  }
  return part >= 2 * Max(x, y) ? part : 1;
}

bool AsksForRuns(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  const int64_t run = shape.inner[0].n;
  if (!MayAsk(bytes, vector_bytes) || run < kMinAskedRun || shape.num_outer == 0) return false;
  const bool few_lines = WholeLines(run) && run != kLineBytes && run < kLongWholeRun;
  return FillsL2(bytes) || !(few_lines || run == kMinAskedRun);
}

// Whether runs adjoin in the destination, and make up so much.
bool ManyAdjoin(const Shape& shape) {
  const int64_t bytes = shape.inner[0].n;
  return NextAxis(shape, &Axis::os, bytes).n * bytes >= kMinGatheredBytes;
}

// Whether they are streamed row by row: few columns of rows that adjoin, where these come from memory (within the last
// level 1.05 to 1.2 times as long).
bool StreamsRowByRow(const Shape& shape, int64_t bytes) {
  const int64_t run = shape.inner[0].n;
  const int64_t columns = NextAxis(shape, &Axis::is, run).n;
  const bool rows_adjoin = NextAxis(shape, &Axis::os, run).is == run * columns;
  const bool few = columns <= kFewRunColumns && run * columns >= kMinRunRowBytes;
  return LeavesNearLevel(bytes) && WholeLines(run) && rows_adjoin && few;
}

// Columns of a stage with that pitch: 5/8 of L1, or a third of it where the last level is far, but two at least. There
// 30 shapes with runs of 9 to 100 bytes took 0.94 of the time of 5/8 in the mean (0.75 to 1.1; with vectors of half a
// line the same), 127 to 139 bytes in one column 1.03 to 1.18 times that of two.
int64_t MostStagedColumns(int64_t pitch) {
  const int64_t l1 = MachineCaches().l1;
  return Min(LevelIsNear() ? l1 / 8 * 5 : Max(l1 / 3, 2 * pitch), kMostStagedBytes) / pitch;
}

}  // namespace

bool StreamsEachRun(const Shape& shape) noexcept {
  const int64_t bytes = shape.inner[0].n;
  const bool whole = bytes >= kLineBytes && bytes % (kLineBytes / 2) == 0;
  return bytes >= kLongStreamedRun || whole || (bytes >= kLongAdjoiningRun && ManyAdjoin(shape));
}

bool GathersRuns(const Shape& shape) noexcept {
  return shape.inner[0].n >= kMinGatheredRun && !StreamsEachRun(shape) && ManyAdjoin(shape);
}

bool StagesRuns(const Shape& shape, int64_t bytes) noexcept {
  const bool rows = NextAxis(shape, &Axis::is, shape.inner[0].n).n > 1;
  return rows && GathersRuns(shape) && bytes > MachineCaches().l2;
}

int LongAxis(const Shape& shape) noexcept {
  int at = shape.num_outer - 3;
  for (int i = at - 1; i >= 0; --i) {
    if (shape.outer[i].n >= shape.outer[at].n + shape.outer[at].n / 2) at = i;
  }
  return at;
}

void ChooseStreamedRuns(const Shape& shape, int64_t bytes, Choice* choice) noexcept {
  if (GathersRuns(shape)) {
    choice->rows = kGatheredRows;
    return;
  }
  choice->cols = StreamsRowByRow(shape, bytes) ? 1 : kStreamedRunRows;
  choice->rows = kShortRunColumns;
}

void ChooseStagedRuns(const Shape& shape, Choice* choice) noexcept {
  const int64_t run = shape.inner[0].n;
  const int64_t line = LineColumns(run) * run;
  choice->run = Max(kStageRunBytes / line, 1) * line;
  choice->cols = Max(Min(kStagedRowBytes / run, MostStagedColumns(StagePitch(choice->run))), 1);
  if (run >= kMinLongRun) choice->rows = kGatheredRows;
}

void ChooseRuns(const Shape& shape, int64_t bytes, int64_t vector_bytes, Choice* choice) noexcept {
  if (AsksForRuns(shape, bytes, vector_bytes)) choice->family = Family::kRunAhead;
  if (shape.inner[0].n >= kShortRunBytes) return;
  const Axis rows = shape.num_outer == 0 ? Axis{1, 0, 0} : shape.outer[shape.num_outer - 1];
  choice->cols = ShortRunRows(shape, rows, bytes);
  const bool columns_adjoin = shape.num_outer > 1 && shape.outer[shape.num_outer - 2].os == shape.inner[0].n;
  choice->rows = rows.n < kFewRuns && !columns_adjoin ? 0 : kShortRunColumns;
  if (choice->family == Family::kRun) choice->panel = LongAxisPart(shape, bytes);
}

}  // namespace v1
}  // namespace dimorder
