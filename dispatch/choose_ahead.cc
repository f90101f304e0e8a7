// SPDX-License-Identifier: Apache-2.0
// Beyond L1 a transpose asks for the lines of its columns, where columns are long enough and L1 holds as many of them
// as are written side by side. Measured on cores with 48 KB of L1, with vectors of a line and of half a line: columns
// of 1 to 8 bytes in 0.81 to 0.96 of the time with these. Cores with 32 KB and both vectors took 1.0 to 1.9 times as
// long, runs 1.0 to 1.2 times; cores with 48 KB whose last level is near 1.0 to 2.0 times, 100 shapes 1.14.
// (Tuning::kMeasure tries it there.)
//
// Whole lines of source rows that go abreast ask for the next of these instead, where L2 is large and the move fills
// it, by vectors of half a line: 64 moves of floats in 0.95 of the time in the mean, 64 of doubles in 0.99, 180 of 2
// bytes in 0.93 (233 of bytes in 1.03, smaller moves in 1.01 to 1.06, with vectors of a line in 0.98 to 1.06).
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Columns shorter than kMinAskedColumnBytes lose: 17 floats up to 1.6 times as slow, 36 of 2 bytes 1.2, 9 doubles up
// to 1.2 (48 to 95 of 2 bytes take 0.6 to 1.1 of the time); planes, too: 32 to 64 bytes 1.05 to 1.2 times. Not so
// pixels of odd sizes, whose stores cut lines everywhere: 8 to 31 rows in 0.55 to 1.0 of the time. With vectors of a
// line bytes lose up to the first of these (100 to 160 bytes 1.2 times; with half lines 98 to 191 bytes take 0.6 to 1.0
// of the time), and columns of 2 bytes whose rows collide up to the second: 49 took 1.0 to 1.3 times as long as by
// packed rows, 60 0.9 to 1.0, 72 to 200 0.6 to 0.95.
constexpr int64_t kMinBytesByLines = 192;
constexpr int64_t kMinBytesOfCollidingRows = 128;
// With vectors of half a line, fewer columns lose (7 of doubles 1.4 times), and pixels of odd sizes (up to 1.4 times).
constexpr int64_t kHalfLine = kLineBytes / 2;
constexpr int64_t kFewestOfHalfLines = 8;
constexpr int64_t kLargeL1 = int64_t{48} * 1024;
constexpr int64_t kManyOddRows = 128;
// Beyond L2, shorter columns and nearer rows than these are staged at once, longer rows later than shorter ones: at
// 4 MB 49 floats took 1.5 times as long as staged, 1000 floats 0.8; at 8 MB 196 floats 1.1 times, 700 floats and more
// (into columns that are not staged together) 0.6 to 0.85.
constexpr int64_t kMinFarColumnBytes = 192;
constexpr int64_t kMinFarRowBytes = 512;
constexpr int64_t kLongFarRowBytes = 1536;

// Where rows begin at odd places in lines and columns with lines, panels that ask for nothing have at least so many
// rows: 1280x49 and 768x49 floats in 0.8 of the time of a quarter of what L1 holds, 30 others 0.87 to 0.96 (with
// vectors of half a line 768x196 0.8, others 0.95 to 1.0; rows of whole lines 0.94 to 1.24, smaller elements 1.0).
constexpr int64_t kFewestOddRows = 128;
// Rows nearer than this at odd places cut so many lines that columns from end to end read most of these again: moves of
// 50 KB to 6 MB took 1.1 to 1.5 times as long as by panels, by size (with vectors of half a line 1.0 to 1.3 times),
// those of rows further apart 0.87 to 1.2 times.
constexpr int64_t kMinOddRowStride = 1024;

// Boxes of fewer bytes that nothing continues ask for what is not written.
constexpr int64_t kMinPixelsBytes = 4096;

// Whether pixels of odd sizes ask even where others may not: many rows of moves whose sides together leave L2
// (1000x300 and 500x500 of 3 bytes, 500x200 of 7 in 0.75 to 0.95 of the time; 64 rows and smaller moves 1.05 to 1.25).
bool OddPixelsAsk(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  const bool large = bytes > MachineCaches().l2 / 2 && shape.inner[0].n >= kManyOddRows;
  return !FillsVectors(shape) && vector_bytes == kLineBytes && large;
}

bool IsSmall(int64_t element_bytes) { return element_bytes <= 2; }

// Bytes by vectors of a line: kAhead reads rows of these by half a line, all others by whole lines.
bool AreBytesByLines(const Shape& shape, int64_t vector_bytes) {
  return shape.element_bytes == 1 && vector_bytes == kLineBytes;
}

int64_t MinColumnBytes(const Shape& shape, int64_t vector_bytes) {
  if (!FillsVectors(shape)) return 0;
  if (vector_bytes < kLineBytes || !IsSmall(shape.element_bytes)) return kMinAskedColumnBytes;
  if (shape.element_bytes == 1) return kMinBytesByLines;
  return RowsInL1(shape.inner[0].is) <= L1Ways() ? kMinBytesOfCollidingRows : kMinAskedColumnBytes;
}

// Whether L1 holds too few lines of columns (with vectors of half a line fewer than are written side by side: 2048x49
// bytes 1.25 times), or of rows that are read by half a line. (It need not hold other rows of small elements: 19 boxes
// of 100 to 700 rows that collide in 0.76 to 0.99 of the time, with vectors of half a line 30 in 0.45 to 0.83.)
bool Collide(const Shape& shape, int64_t vector_bytes) {
  const int64_t columns = RowsInL1(shape.inner[1].os);
  const int64_t side_by_side = Min(shape.inner[1].n, kTwoTilesBytes / shape.element_bytes);
  const bool half_written = vector_bytes == kHalfLine && columns < side_by_side;
  if (columns <= L1Ways() || half_written) return true;
  return AreBytesByLines(shape, vector_bytes) && RowsInL1(shape.inner[0].is) <= 2 * L1Ways();
}

// Whether a stage may find that it is not needed, which is faster still (64x10000 floats 1.4 -> 1.0 times a copy).
bool MayBeLines(const Shape& shape, const Axis& more) {
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  return CanBeLines(shape) && shape.element_bytes > 1 && WholeLines(shape.inner[1].os) &&
         (more.n == 1 || WholeLines(column_bytes));
}

// Bytes of a move of such rows from which on the stage is faster.
int64_t StagedFrom(const Shape& shape) {
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  const int64_t l2 = MachineCaches().l2;
  if (IsSmall(shape.element_bytes) || row_bytes < kMinFarRowBytes) return l2;
  return row_bytes < kLongFarRowBytes || StagesAdjoining(shape) ? 2 * l2 : 4 * l2;
}

bool BeginsAnywhere(const Axis& rows) { return !WholeLines(rows.is); }

// Whether columns of whole lines go from end to end: those of rows that do not cut lines, or are far apart, where moves
// are nearly as large as L2, of 8-byte elements larger than L1.
bool WholeColumnsAsk(const Shape& shape, int64_t bytes) {
  const Axis& rows = shape.inner[0];
  if (BeginsAnywhere(rows) && Magnitude(rows.is) < kMinOddRowStride) return false;
  return shape.element_bytes == 8 ? bytes > MachineCaches().l1 : shape.element_bytes == 4 && FillsL2(bytes);
}

}  // namespace

bool MayAsk(int64_t bytes, int64_t vector_bytes) noexcept {
  return !LevelIsNear() && MachineCaches().l1 >= kLargeL1 && vector_bytes >= kHalfLine &&
         bytes > MachineCaches().l1 / 2;
}

bool MayAskForPixels(int64_t elements, int64_t bytes, int64_t vector_bytes) noexcept {
  return elements > kFewZippedRows && MayAsk(bytes, vector_bytes);
}

bool FillsL2(int64_t bytes) noexcept { return bytes >= MachineCaches().l2 / 8 * 3; }

bool AsksAhead(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept {
  const bool may = MayAsk(bytes, vector_bytes) || OddPixelsAsk(shape, bytes, vector_bytes);
  if (!may || shape.family != Family::kTile) return false;
  const int64_t element = shape.element_bytes;
  if (vector_bytes == kHalfLine && (!FillsVectors(shape) || shape.inner[1].n < kFewestOfHalfLines)) return false;
  return FindKernelId(Family::kAhead, element) != kNumKernels &&
         shape.inner[0].n * element >= MinColumnBytes(shape, vector_bytes) && !Collide(shape, vector_bytes);
}

bool AsksForPixels(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept {
  const Axis& pixels = shape.inner[1];
  const int64_t box_bytes = pixels.n * pixels.os;
  const bool go_on = box_bytes >= kMinPixelsBytes || NextAxis(shape, &Axis::os, box_bytes).n > 1;
  return MayAskForPixels(shape.inner[0].n, bytes, vector_bytes) && go_on;
}

bool AsksForRows(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept {
  return shape.element_bytes > 1 && vector_bytes == kHalfLine && HasLargeL2() && FillsL2(bytes);
}

bool AsksForPlanes(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept {
  const Axis& planes = shape.inner[1];
  const bool long_planes = shape.inner[0].n * shape.element_bytes >= kMinAskedColumnBytes;
  return MayAsk(bytes, vector_bytes) && long_planes && planes.n <= RowsInL1(planes.os);
}

bool OutrunsStage(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept {
  const Axis more = NextAxis(shape, &Axis::os, shape.inner[0].n * shape.element_bytes);
  const bool far_rows = Max(Magnitude(shape.inner[0].is), Magnitude(more.is)) >= kMinFarRowBytes;
  const bool long_columns = shape.inner[0].n * more.n * shape.element_bytes >= kMinFarColumnBytes;
  if (!far_rows || !long_columns || MayBeLines(shape, more)) return false;
  return bytes <= StagedFrom(shape) && StreamedFamily(shape, bytes, vector_bytes) == Family::kStage;
}

void ChooseAhead(const Shape& shape, int64_t bytes, int64_t vector_bytes, Choice* choice) noexcept {
  const bool whole = FillsVectors(shape) && WholeLines(shape.inner[1].os);
  if (!whole || WholeColumnsAsk(shape, bytes)) return AskEverywhere(choice);
  ChooseTile(shape, bytes, vector_bytes, choice);
  const bool small = IsSmall(shape.element_bytes);
  // Large elements use lines up before they are lost: 32 to 128 rows of 1023 to 4096 floats that collide in 0.65 to
  // 0.98 of the time of packed ones.
  if (!small && choice->pack == Pack::kRows) choice->pack = Pack::kNone;
  // No panel is less than a line of a column, though L1 may hold three quarters of it.
  const int64_t line_rows = kLineBytes / shape.element_bytes;
  const int64_t fewest = !small && BeginsAnywhere(shape.inner[0]) ? kFewestOddRows : line_rows;
  choice->panel = Min(Max(choice->panel, fewest), shape.inner[0].n);
  choice->family = Family::kAhead;
}

void AskEverywhere(Choice* choice) noexcept {
  choice->family = Family::kAhead;
  choice->pack = Pack::kNone;
  choice->panel = kAllRows;
  choice->cols = 0;
}

}  // namespace v1
}  // namespace dimorder
