// SPDX-License-Identifier: Apache-2.0
// What goes past the caches, and by which family: line by line what makes whole lines at once, which is long columns
// and planes that are whole lines apart, and all interleaves; other transposes by way of a stage (choose_stage.cc).
#include "dispatch/choose.h"
#include "dispatch/integers.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"
#include "dispatch/plan.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Where the last level is far, what the L2 of a move's threads no longer holds streams; with no more than half of it on
// each side, few columns still lose. (260 MB and 2 MB of L2: a non-temporal copy beats memcpy by 1.3 to 1.7 times then;
// activations of 1.5 to 25 MB took 0.4 to 0.9 of the time, runs 0.5 to 0.7, images 0.65 to 0.9, these already from 9/16
// of L2 on. With four threads 0.5 to 1.0 above 6 MB, but up to 2.6 times below 4.)
constexpr int64_t kFarSixteenths = 10;
constexpr int64_t kFarSixteenthsOfPixels = 9;
// Shorter planes are stored as they are (of 64 bytes 1.05 to 1.5 times as fast still, but in few moves).
constexpr int64_t kMinPlaneBytes = 2 * kLineBytes;
// The same of more than 4 by vectors that are shorter than lines: the last pixels are taken apart in a buffer, which
// costs those much (1024 images of 7 planes of 256 bytes 2 times as long, 1000000 pixels of 9 bytes 0.8).
constexpr int64_t kMinManyPlaneBytes = 4096;
// Of less the question takes too much: 300 KB took 1.045 times as long with an L2 of 512 KB.
constexpr int64_t kFewestAskedBytes = int64_t{512} * 1024;
constexpr int64_t kLongPlaneBytes = int64_t{32} * 1024;
constexpr int64_t kLongRunBytes = 2048;
constexpr int64_t kMinStoredRunBytes = 48;
// Boxes that adjoin are batched from here on.
constexpr int64_t kMinBatchBytes = 8 * kLineBytes;
// No more columns than these are written where they belong: planes of 5 to 12 channels in 0.6 to 0.98 of the time of a
// stage, of 20 in 0.92 to 1.28 times. Fewer where cores want runs: 9 of floats and doubles staged in 0.70 to 0.85.
constexpr int64_t kFewColumns = 12;
constexpr int64_t kFewWhereRunsAreWanted = 8;

int64_t FarStreamsFrom(const Shape& shape, int32_t threads) {
  const bool pixels = shape.family == Family::kZip || shape.family == Family::kUnzip;
  return MachineCaches().l2 / 16 * (pixels ? kFarSixteenthsOfPixels : kFarSixteenths) * threads;
}

// Whether cores read ahead in what is written well enough for it to be stored in any case, as long as it fits: planes
// of 50 KB took 0.9 of the time of streaming them (16 KB 1.1 times), runs of 2 KB and more 0.93 to 1.0 (128 bytes 2.2
// times). Where L1 has spare ways, 14 moves to planes of 64 KB to 2 MB that were not in the caches took 0.77 of the
// time streamed (0.30 to 1.13), so they ask. Where cores want runs, long ones took 0.39 to 0.56 of the time streamed
// where nothing was in the caches, so they ask; but runs of 48 to 140 bytes that are gathered are not streamed: 20
// shapes took 0.7 to 1.4 times as long as stored where nothing was in the caches, and 1.8 to 3.2 times where all was
// (10 to 44 bytes 0.6 to 0.9 and 1.9 to 2.7). Two cores stream no faster than one, and stored pixels and runs in 0.6
// to 1.0 of the time.
bool StoresAnyway(const Shape& shape, int32_t threads) {
  const bool pixels = shape.family == Family::kZip || shape.family == Family::kUnzip;
  if (threads > 1) return pixels || shape.family == Family::kRun;
  const int64_t bytes = shape.inner[0].n * shape.element_bytes;
  if (shape.family != Family::kRun) {
    return shape.family == Family::kUnzip && bytes >= kLongPlaneBytes && !HasSpareWays();
  }
  return StreamsWantRuns() ? bytes >= kMinStoredRunBytes && GathersRuns(shape) : bytes >= kLongRunBytes;
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

}  // namespace

// More than a quarter of a near level on each side no longer stays in it, with all else that lives there, other
// machines' work, too.
bool LeavesNearLevel(int64_t bytes) noexcept { return LevelIsNear() && bytes > MachineCaches().last / 4; }

bool Streams(const Shape& shape, int64_t bytes, int32_t threads, Stores stores) noexcept {
  if (stores != Stores::kAuto) return stores == Stores::kNonTemporal;
  return LevelIsNear() ? LeavesNearLevel(bytes) : bytes >= FarStreamsFrom(shape, threads);
}

// Stored, a destination that is not in the caches is read from memory, line by line, before it is written: 20 shapes of
// 0.6 to 7 MB took 2.7 times as long as a copy past the caches (0.9 to 4.0), streamed 1.3. Where it is in them, storing
// 24 shapes of 1 to 6 MB took 0.75 of the time of streaming (0.4 to 1.15), and leaves it there (on Zen 5 6.4 and 8 MB,
// moved over and over, 1.26 to 1.33 in a busy hour, but in a quiet one 27 moves of 6.4 to 8 MB took 1.04 times as long
// where none was stored). No size tells: 4 MB stay in a level of 32 MB in one hour and not in the next, as others use
// it. Moves of half of L2 take 1.01 times as long for the question. Pixels of odd sizes that ask for lines
// (choose_ahead.cc) are stored in any case: on Zen 5, on one thread, 20 shapes of 0.8 to 8 MB took 1.16 times as long
// streamed (1.01 to 1.45) where the destination was not in the caches.
bool StreamsUncached(const Request& request, Choice* how) noexcept {
  const int64_t bytes = request.problem.bytes;
  if (!LevelIsNear() || request.stores != Stores::kAuto || LeavesNearLevel(bytes)) return false;
  const int64_t fewest = Max(MachineCaches().l2 / 2, kFewestAskedBytes) * request.threads;
  if (bytes < fewest || StoresAnyway(request.shape, request.threads)) return false;
  if (AsksAhead(request.shape, bytes, VectorBytes(request.target))) return false;
  *how = EstimateChoice(request, Stores::kNonTemporal);
  return WritesPastCaches(*how);
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
  const bool alone = FillsVectors(shape) && !StagesShortColumns(shape, bytes);
  const int64_t joined = alone ? 1 : NextAxis(shape, &Axis::os, column_bytes).n;
  const int64_t few = StreamsWantRuns() ? kFewWhereRunsAreWanted : kFewColumns;
  const bool many_long = column_bytes * joined >= kLineBytes && RowColumns(shape) > few;
  return StagesAdjoining(shape) || many_long ? Family::kStage : Family::kTile;
}

}  // namespace v1
}  // namespace dimorder
