// SPDX-License-Identifier: Apache-2.0
// Beyond the caches a transpose is staged: reads and writes both want long runs, the stage half of L2, and the rows of
// a block few enough for the TLB to keep their pages while the columns go by. What makes whole lines at once is
// streamed line by line instead: long columns and planes that are whole lines apart, and all interleaves.
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// A last level of more than this is a whole socket's and lies beyond a mesh: a core writes past it faster than into it,
// so what the L2 of its threads no longer holds streams; with no more than half of it on each side, few columns still
// lose. (260 MB and 2 MB of L2: a non-temporal copy beats memcpy by 1.3 to 1.7 times then; activations of 1.5 to 25 MB
// took 0.4 to 0.9 of the time, runs 0.5 to 0.7, images 0.65 to 0.9, these already from 9/16 of L2 on. With four threads
// 0.5 to 1.0 above 6 MB, but up to 2.6 times below 4.)
constexpr int64_t kLargestNearLevel = int64_t{96} << 20;
// Below 3/16 of the last level, rows of fewer columns than these, or less than a line, are not staged yet (16 floats
// 1.35 times, 10 of them 2.2, 32 bytes 1.4).
constexpr int64_t kMinEarlyColumns = 24;
// Shorter columns are staged, unless vectors are lines and the kernel finds that columns begin with some or make seams:
// else, within a line, its parts cost more than streaming line by line wins (64 floats at 16 bytes 1.4 -> 4.4 times a
// copy, 256 bytes 1.7 -> 2.6; 128 floats 2.3 -> 1.5).
constexpr int64_t kMinLinesRows = 128;
constexpr int64_t kMinByteRows = 512;
constexpr int64_t kMinByteColumns = 256;
// Shorter planes are stored as they are (of 64 bytes 1.05 to 1.5 times as fast still, but in few moves).
constexpr int64_t kMinPlaneBytes = 2 * kLineBytes;
// The same of more than 4 by vectors that are shorter than lines: the last pixels are taken apart in a buffer, which
// costs those much (1024 images of 7 planes of 256 bytes 2 times as long, 1000000 pixels of 9 bytes 0.8).
constexpr int64_t kMinManyPlaneBytes = 4096;
// Boxes that adjoin are batched from here on.
constexpr int64_t kMinBatchBytes = 8 * kLineBytes;
// No more columns than these are written where they belong: planes of 5 to 12 channels in 0.6 to 0.98 of the time of a
// stage, of 20 in 0.92 to 1.28 times.
constexpr int64_t kFewColumns = 12;
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
// Adjoining columns that are no whole lines take a line of each row at a time, too, where the last level is far: 0.6 to
// 0.95 of the time of longer pieces (where it is near that was not measured). Shorter ones fill no microtile, longer
// ones took up to 1.2 times.
constexpr int64_t kMinCutColumnBytes = 16;
constexpr int64_t kMostCutColumnBytes = 1280;
constexpr int64_t kMostBytesTile = 64;  // rows of a microtile of bytes, of the longest vectors
constexpr int64_t kL2Ways = 16;
// A block of adjoining columns: much more than a fence costs.
constexpr int64_t kAdjoiningBytes = int64_t{1} << 20;
// Pages of source that a block of a staged transpose visits. 4096x4096: 2.5 times a copy without a limit, 2.0 with it.
constexpr int64_t kBlockPages = 1024;
// Columns at odd places cut two lines in each block, which memory reads before it writes them: so much of a column at
// least (bytes of 6000x5000 and 10001x10001 in 0.8 of the time of 1 KB, 4093x4099 of 2 bytes and floats in 0.9).
constexpr int64_t kCutColumnBytes = 8192;

// Whether the columns of a transpose adjoin in the destination.
bool Adjoin(const Shape& shape) {
  return shape.family == Family::kTile && shape.inner[1].os == shape.inner[0].n * shape.element_bytes;
}

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
  if (!Adjoin(shape) || !CanPack(shape) || element > 8 || LevelIsNear()) return false;
  const bool long_enough = cols.os >= kMinCutColumnBytes && cols.n * element >= 2 * kLineBytes;
  const bool short_enough = cols.os <= kMostCutColumnBytes && LineByLineRun(cols.os, element) <= l2 / 4;
  const bool bytes_stay = element > 1 || rows.n <= kMostBytesTile || rows_in_l1 >= kMostBytesTile;
  const bool rows_stay = rows_in_l1 > L1Ways() || Magnitude(rows.is) < l2 / kL2Ways / 2;
  return !WholeLines(cols.os) && long_enough && short_enough && bytes_stay && rows_stay;
}

// Whether rows adjoin in the source and are near each other.
bool RowsAdjoin(const Shape& shape) {
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  return shape.inner[0].is == row_bytes && row_bytes <= kMostNearRowBytes;
}

// Columns that a source row holds, with the axis that continues them.
int64_t RowColumns(const Shape& shape) {
  const int64_t n = shape.inner[1].n;
  return n * NextAxis(shape, &Axis::is, n * shape.element_bytes).n;
}

// Bytes on each side from which on a move on one thread streams: where copies no longer stay in the last level, with
// all else that lives there, other machines' work, too. Where that level was busy, adjoining columns of a line or more
// took 0.6 to 0.7 of the time from 1/16 on (3 MB of 64 to 256 channels), many columns 0.5 to 1 from 1/8 on. Runs need
// no stage, unless they are gathered.
int64_t StreamedFrom(const Shape& shape) {
  const int64_t last = MachineCaches().last;
  if (StagesAdjoining(shape) && shape.inner[1].os >= kLineBytes) return last / 16;
  const int64_t columns = RowColumns(shape);
  const bool many_columns = columns >= kMinEarlyColumns && columns * shape.element_bytes >= kLineBytes;
  const bool runs = shape.family == Family::kRun && !GathersRuns(shape);
  const bool early = runs || (shape.family == Family::kTile && many_columns);
  return early ? last / 8 : last / 16 * 3;
}

// The same of threads: later, since each core adds its share of the last level's speed, but memory is as fast as it
// was. At 6 and 7 MB of 32 four of them took 0.4 to 0.9 of the time without (where rows collide, and want to be packed
// anyway, 1.3 times), at 9 MB and more 1.2 times.
int64_t ThreadsStreamFrom(const Shape& shape) {
  const int64_t last = MachineCaches().last;
  const bool long_columns = shape.inner[0].n * shape.element_bytes > kStageRunBytes;
  const bool collide = RowsInL1(shape.inner[0].is) * shape.element_bytes < kLineBytes;
  return shape.family == Family::kTile && collide && long_columns ? last / 8 : last / 4;
}

// Whether L1 holds too few lines of rows for a line of a column, so that what is asked for would not stay. Where the
// last level is far a stage was slower still.
bool LinesCollide(const Shape& shape) {
  const int64_t element = shape.element_bytes;
  return LevelIsNear() && RowsInL1(shape.inner[0].is) * element < kLineBytes && !(Adjoin(shape) && element >= 4);
}

// Whether adjoining rows are staged, though their columns are whole lines: such as cut lines, beyond the last level
// (2048x49 floats 2.0 -> 1.3 times a copy), and short ones of bytes.
bool IsNearStage(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  const bool far = bytes > MachineCaches().last / 4;
  const bool short_bytes = shape.element_bytes == 1 && shape.inner[1].n < kMinByteColumns;
  const bool cut = shape.inner[1].n * shape.element_bytes >= 2 * kLineBytes && !WholeLines(shape.inner[0].is);
  return RowsAdjoin(shape) && ((short_bytes && (far || vector_bytes < kLineBytes)) || (cut && far));
}

// Whether the columns of a transpose are streamed as they are made: where rows make enough lines of them. Rows that use
// a part of their lines are staged, too, since a stage joins more columns to them (36 and 49 bytes in 0.8 to 0.9 of the
// time); but not where the next rows use the rest (1.35 times).
bool StreamsColumns(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  const bool near_rows = row_bytes >= 16 && Magnitude(rows.is) < kLineBytes;
  return shape.family == Family::kTile && (row_bytes >= kLineBytes || near_rows) && CanBeLines(shape) &&
         WholeLines(shape.inner[1].os) && !LinesCollide(shape) &&
         !(LevelIsNear() && IsNearStage(shape, bytes, vector_bytes)) &&
         rows.n >= (shape.element_bytes == 1 ? kMinByteRows : kMinLinesRows);
}

// Whether planes are.
bool StreamsPlanes(const Shape& shape, int64_t vector_bytes) {
  const Axis& planes = shape.inner[1];
  const int64_t fewest = planes.n <= 4 || vector_bytes == kLineBytes ? kMinPlaneBytes : kMinManyPlaneBytes;
  return shape.family == Family::kUnzip && WholeLines(planes.os) && shape.inner[0].n * shape.element_bytes >= fewest;
}

// Whether the source rows of a box lie close together, too. Rows that are far apart are asked for, which a stage does
// and a batch does not (9 rows of 72 bytes 1.6 -> 2.9 times a copy).
bool RowsAreNear(const Shape& shape) {
  return Magnitude(shape.inner[0].is) <= 2 * shape.inner[1].n * shape.element_bytes;
}

// Whether boxes of pixels are whole lines, and so are the planes of each (as boxes of 2x32 floats: batched 1.05 to 1.1
// times).
bool AreLines(const Shape& shape) {
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  if (shape.family == Family::kUnzip) return WholeLines(column_bytes);
  return shape.family == Family::kZip && WholeLines(column_bytes * shape.inner[1].n);
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

bool LevelIsNear() noexcept { return MachineCaches().last <= kLargestNearLevel; }

bool StagesAdjoining(const Shape& shape) noexcept {
  return Adjoin(shape) && (shape.inner[1].os <= kStageRunBytes || StagesLines(shape) || StagesCutColumns(shape));
}

bool Streams(const Shape& shape, int64_t bytes, int32_t threads, Stores stores) noexcept {
  if (stores != Stores::kAuto) return stores == Stores::kNonTemporal;
  const Caches& caches = MachineCaches();
  const bool pixels = shape.family == Family::kZip || shape.family == Family::kUnzip;
  if (!LevelIsNear()) return bytes >= caches.l2 / 16 * (pixels ? 9 : 10) * threads;
  if (bytes < caches.last / 16) return false;  // the least of them all
  return bytes >= (threads > 1 ? ThreadsStreamFrom(shape) : StreamedFrom(shape));
}

bool CanBatch(const Shape& shape) noexcept {
  const Family family = shape.family;
  const bool transpose = family == Family::kTile || family == Family::kZip || family == Family::kUnzip;
  if (!transpose && family != Family::kShuffle) return false;
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const int64_t bytes = column_bytes * shape.inner[1].n;
  if (FindKernelId(Family::kBatch, shape.element_bytes) == kNumKernels) return false;
  if (shape.inner[1].os != column_bytes || bytes > kBatchBytes) return false;
  const int64_t boxes = NextAxis(shape, &Axis::os, bytes).n;
  return boxes > 1 && boxes * bytes >= kMinBatchBytes;
}

Family StreamedFamily(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept {
  if (CanBatch(shape) && RowsAreNear(shape) && !AreLines(shape)) return Family::kBatch;
  const bool zips = shape.family == Family::kZip;
  if (zips || StreamsColumns(shape, bytes, vector_bytes) || StreamsPlanes(shape, vector_bytes)) return Family::kLines;
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const bool runs = shape.family == Family::kRun;
  if (runs && StagesRuns(shape, bytes)) return Family::kStageRuns;
  if (runs && (StreamsEachRun(shape) || GathersRuns(shape))) return Family::kStream;
  if (shape.family != Family::kTile) return shape.family;
  // Shorter columns are joined, but for pixels: a stage has room for what continues them (12 rows of 3 bytes in 0.4 of
  // the time).
  const int64_t joined = CanPack(shape) ? 1 : NextAxis(shape, &Axis::os, column_bytes).n;
  const bool many_long = column_bytes * joined >= kLineBytes && RowColumns(shape) > kFewColumns;
  return StagesAdjoining(shape) || many_long ? Family::kStage : Family::kTile;
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

void ChooseLines(const Shape& shape, Choice* choice) noexcept {
  if (shape.family != Family::kTile) return;
  choice->panel = LinesPanel(shape.inner[0].is, shape.element_bytes);
  choice->cols = kTileSourceBytes / shape.element_bytes;
}

int64_t LinesAhead(const Shape& shape) noexcept {
  if (!LevelIsNear()) return kLineBytes;
  if (LinesCollide(shape)) return 0;
  const int64_t panel = LinesPanel(shape.inner[0].is, shape.element_bytes);
  return Max(MachineCaches().l1 / 2 / panel / kLineBytes, 1) * kLineBytes;
}

}  // namespace v1
}  // namespace dimorder
