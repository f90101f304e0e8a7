// SPDX-License-Identifier: Apache-2.0
// The estimate: blocks and stores from the sizes of the caches, without touching data.
//
// In cache, a transpose goes down panels of rows that fill whole destination lines, in blocks of columns whose source
// stays in L1. Beyond the caches it is staged: reads and writes both want long runs, the stage half of L2, and the rows
// of a block few enough for the TLB to keep their pages while the columns go by. Short runs are blocked like
// transposes, since they are transposes of long elements.
#include "dispatch/choice.h"

#include <bit>

#include "dispatch/machine.h"
#include "dispatch/plan.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Destination bytes of a column that a transpose writes before it goes on to the next columns: two lines, so that also
// columns at odd places get most lines whole. 32 or 64 bytes were slower by up to half in cache.
constexpr int64_t kPanelBytes = 128;
// Where columns collide in L1, fewer returns to each: at least so many rows (7x7 and 14x14 activations of 512 channels
// 2.1 -> 1.4 and 1.5 -> 1.04 times a copy; doubles 2.4 -> 1.3), and more as long as their source is this small (images
// of 12 channels of floats 1.9 -> 1.6); half of that where there are no more columns than ways (5 channels: 2 percent).
constexpr int64_t kLongPanelRows = 64;
constexpr int64_t kPanelSourceBytes = int64_t{12} * 1024;
constexpr int64_t kLongestPanelBytes = 1024;
// Where columns are at odd places, and cut lines at the ends of each panel, all rows if there are no more than these.
constexpr int64_t kMostPanelRows = 384;
// A panel of as many rows as L1 holds leaves no room for their columns: a quarter of them (128 and 256 channels of
// floats in 0.82 to 0.95 of the time), but as many as fill a line, and no fewer than this.
constexpr int64_t kFewestPanelRows = 16;
// Of a source row, or of the columns that they are in the destination: two microtiles side by side. Of columns, L1 may
// hold a quarter less.
constexpr int64_t kTwoTilesBytes = 32;
constexpr int64_t kMostOfTwoTiles = 24;
// Rows of 1- and 2-byte elements that are many: see HoldsMicrotile.
constexpr int64_t kManySmallRows = 128;
// The same in a stage, which is in L2 anyway: fewer source rows at a time suit memory better, but not fewer than 8 of
// 16 bytes (0.83 of the time of 4).
constexpr int64_t kStagePanelBytes = 32;
constexpr int64_t kStagePanelRows = 8;
// L1 as RowsInL1 takes it: ways of a page each, as physical tags want them, and no more of them than this.
constexpr int64_t kL1WayBytes = 4096;
constexpr int64_t kMostL1Ways = 16;
// Source bytes of each row in a block of a transpose, by as many rows as there are; for a staged one at most. More of
// 16-byte elements, which are moved one by one (0.8 of the time beyond L2; 8 bytes gained nothing).
constexpr int64_t kTileSourceBytes = 1024;
constexpr int64_t kTileSourceBytesOf16 = 4096;
// What a stage gathers of each destination column: 256 was slower to write, 1024 leaves fewer columns in L2.
constexpr int64_t kStageRunBytes = 512;
// Rows of up to this are staged whole: 256 doubles, 384 floats or 768 elements of 2 bytes in 0.75 to 0.86 of the time
// of two parts, 2 KB of smaller elements in 0.9 to 0.96.
constexpr int64_t kMostWholeRowBytes = 2048;
// Stage of an interleave. Its reads and writes are long runs anyway, so small steps do best: 4 KB made images 1.2 times
// a copy, 16 KB 1.6. With the line that the phase may add, it must not exceed a page: loads of its start then wait for
// stores to its end, which have the same 12 low bits (1.25 times as slow). (Deinterleaves gained nothing from a stage.)
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
// A block of adjoining columns: much more than a fence costs.
constexpr int64_t kAdjoiningBytes = int64_t{1} << 20;
// Pages of source that a block of a staged transpose visits. 4096x4096: 2.5 times a copy without a limit, 2.0 with it.
constexpr int64_t kBlockPages = 1024;
constexpr int64_t kPageBytes = 4096;
// Columns at odd places cut two lines in each block, which memory reads before it writes them: so much of a column at
// least (bytes of 6000x5000 and 10001x10001 in 0.8 of the time of 1 KB, 4093x4099 of 2 bytes and floats in 0.9).
constexpr int64_t kCutColumnBytes = 8192;
// Runs below this are blocked: so many source rows side by side, or all if they are few, since memory likes long reads
// better than long writes (blocks of 1 KB of either took up to 1.6 times as long beyond L2, of 32 rows up to 1.3
// times). Each row for as many columns as the TLB has room for.
constexpr int64_t kShortRunBytes = 256;
constexpr int64_t kShortRunRows = 16;
constexpr int64_t kAllShortRunRows = 24;
constexpr int64_t kShortRunColumns = 1024;
// Source bytes of each of a few rows, which the kernel walks one after the other.
constexpr int64_t kFewRunsBytes = 1024;
// Runs are streamed by this many source rows side by side (in 0.5 to 0.85 of the time of one after the other; 16 were
// slower than 8), shorter ones only where they can be whole lines.
constexpr int64_t kStreamedRunRows = 8;
// Runs that are no whole lines are gathered to be streamed where so much adjoins: of 108 bytes 2.4 -> 1.3 times a copy,
// of 20 5.0 -> 2.2. A block has few enough source rows for the TLB's first level to keep their pages (64 rows of runs
// of 108 bytes in 0.65 of the time of 128), but more of shorter runs, of which a source line holds several (512 rows of
// 14 bytes in 0.7 of the time of 64). Both are whole lines of the destination, whatever the run.
constexpr int64_t kMinGatheredRun = 8;
constexpr int64_t kMinGatheredBytes = 1024;
constexpr int64_t kGatheredRows = 64;
constexpr int64_t kGatheredShortRows = 512;
// The same for joined columns, which are packed for it. 64 bytes: 2.5 times slower than not streaming.
constexpr int64_t kMinJoinedStreamBytes = 128;
// Short runs and columns are staged rather than joined where rows have so many elements, and this many bytes.
constexpr int64_t kMinStageColumns = 9;
constexpr int64_t kMinStageRowBytes = 16;
// No more columns than these are written where they belong: planes of 5 to 12 channels in 0.6 to 0.98 of the time of a
// stage, of 20 in 0.92 to 1.28 times.
constexpr int64_t kFewColumns = 12;
// Below 3/16 of the last level, rows of fewer columns than these, or less than a line, are not staged yet (16 floats
// 1.35 times, 10 of them 2.2, 32 bytes 1.4).
constexpr int64_t kMinEarlyColumns = 24;
// A last level of more than this is a whole socket's and lies beyond a mesh: a core writes past it faster than into it,
// so what the L2 of its threads no longer holds streams; with no more than half of it on each side, few columns still
// lose. (266 MB and 2 MB of L2: a non-temporal copy beats memcpy by 1.3 to 1.7 times then; activations of 1.5 to 25 MB
// took 0.4 to 0.9 of the time, runs 0.55 to 0.65, images 0.7 to 0.9. With four threads 0.5 to 0.9 above 6 MB, but 1.2
// to 2 times below 4.)
constexpr int64_t kLargestNearLevel = int64_t{96} << 20;

// No choice asks for more.
constexpr int64_t kMaxStageColumns = int64_t{1} << 20;
constexpr int64_t kMaxStageBytes = int64_t{16} << 20;

int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a > b ? a : b; }
int64_t Magnitude(int64_t n) { return n < 0 ? -n : n; }

int64_t L1Ways() {
  static const int64_t ways = Min(Max(MachineCaches().l1 / kL1WayBytes, 1), kMostL1Ways);
  return ways;
}

// Rows `stride` bytes apart that L1 holds a line of each at once. Lines a multiple of kL1WayBytes apart share a set, so
// strides near one (or near a half, a quarter of one) leave room for few: row r falls on byte r * stride of a way, and
// the lines it can fall on are as many as the way holds multiples of the stride's common divisor with it. What the
// stride is more or less than whole lines adds up until the rows come by again; from a quarter of a line on, they move
// on before half of the set is theirs.
int64_t RowsInL1(int64_t stride) {
  if (Magnitude(stride) < kLineBytes) return kL1WayBytes / kLineBytes * L1Ways();
  const int64_t step = Magnitude(stride) % kL1WayBytes;
  const int64_t lines = (step + kLineBytes / 2) / kLineBytes;  // to the nearest line
  if (lines == 0 || lines == kL1WayBytes / kLineBytes) return L1Ways();
  const int64_t divisor = lines & -lines;  // a way is a power of two
  const int64_t sets = kL1WayBytes / kLineBytes / divisor;
  const bool moves_on = sets * Magnitude(step - lines * kLineBytes) >= kLineBytes / 4;
  return (moves_on ? kL1WayBytes / kLineBytes : sets) * L1Ways();
}

// The same as rows of a panel, which should end where lines do: a power of two. (24 rows of floats instead of 16: 1.3
// to 1.6 times as slow.)
int64_t PanelInL1(int64_t stride) {
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(RowsInL1(stride))));
}

bool WholeLines(int64_t stride) { return stride % kLineBytes == 0; }

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

// Whether adjoining columns are staged as one run.
bool StagesAdjoining(const Shape& shape) {
  return Adjoin(shape) && (shape.inner[1].os <= kStageRunBytes || StagesLines(shape));
}

// Columns that a source row holds, with the axis that continues them.
int64_t RowColumns(const Shape& shape) {
  const int64_t n = shape.inner[1].n;
  for (int i = 0; i < shape.num_outer; ++i) {
    if (shape.outer[i].is == n * shape.element_bytes) return n * shape.outer[i].n;
  }
  return n;
}

// Whether runs are streamed one by one: long ones, and those that can be whole lines.
bool StreamsEachRun(int64_t bytes) {
  return bytes >= kLongStreamedRun || (bytes >= kLineBytes && bytes % (kLineBytes / 2) == 0);
}

// Whether others are gathered until they are whole lines: where enough of them adjoin in the destination.
bool GathersRuns(const Shape& shape) {
  const int64_t bytes = shape.inner[0].n;
  if (bytes < kMinGatheredRun || StreamsEachRun(bytes)) return false;
  for (int i = 0; i < shape.num_outer; ++i) {
    if (shape.outer[i].os == bytes) return shape.outer[i].n * bytes >= kMinGatheredBytes;
  }
  return false;
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

bool Streams(const Shape& shape, int64_t bytes, int32_t threads, Stores stores) {
  if (stores != Stores::kAuto) return stores == Stores::kNonTemporal;
  if (MachineCaches().last > kLargestNearLevel) return bytes >= MachineCaches().l2 / 8 * 5 * threads;
  return bytes >= (threads > 1 ? ThreadsStreamFrom(shape) : StreamedFrom(shape));
}

// Whether vectors are whole lines of the columns of a transpose, or planes of an image, and rows make some.
bool CanStreamLines(const Shape& shape, int64_t vector_bytes) {
  const bool suits = shape.family == Family::kTile || (shape.family == Family::kUnzip && shape.inner[1].n <= 4);
  return suits && FindKernelId(Family::kLines, shape.element_bytes) != kNumKernels && vector_bytes == kLineBytes &&
         WholeLines(shape.inner[1].os) && shape.inner[0].n * shape.element_bytes >= 2 * kLineBytes;
}

Family StreamedFamily(const Shape& shape, int64_t vector_bytes) {
  if (CanStreamLines(shape, vector_bytes)) return Family::kLines;
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const bool runs = shape.family == Family::kRun;
  if (runs && (StreamsEachRun(shape.inner[0].n) || GathersRuns(shape))) return Family::kStream;
  if (shape.family == Family::kZip) return Family::kStage;
  if (shape.family != Family::kTile) return shape.family;
  const bool many_long = column_bytes >= kLineBytes && RowColumns(shape) > kFewColumns;
  return StagesAdjoining(shape) || many_long ? Family::kStage : Family::kTile;
}

// Whether kJoined can do what a shape asks for.
bool CanJoin(const Shape& shape) {
  if (FindKernelId(Family::kJoined, shape.element_bytes) == kNumKernels) return false;
  return shape.family == Family::kTile ||
         (shape.family == Family::kGeneric && shape.inner[0].os == shape.element_bytes);
}

// Whether rows or columns are shorter than a line, and an axis continues them. What is streamed is staged instead where
// columns are long and rows not too short (3x3 weights of 512 x 512 floats to HWIO: 2.1 -> 1.6 times a copy, 7x7 of
// bytes in 0.4 of the time; but with rows of 2 to 8 elements or 9 bytes up to 2.8 times as slow).
bool Joins(const Shape& shape, bool streams) {
  if (!CanJoin(shape)) return false;
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  const bool long_rows = shape.inner[1].n >= kMinStageColumns && row_bytes >= kMinStageRowBytes;
  if (streams && column_bytes >= kStageRunBytes && long_rows) return false;
  for (int i = 0; i < shape.num_outer; ++i) {
    if (column_bytes < kLineBytes && shape.outer[i].os == column_bytes) return true;
    if (shape.family == Family::kTile && row_bytes < kLineBytes && shape.outer[i].is == row_bytes) return true;
  }
  // Two axes alone are what the generic kernel walks in one call, too.
  return shape.family == Family::kGeneric && shape.num_outer != 0 && column_bytes < kLineBytes &&
         shape.inner[1].os == column_bytes;
}

// Rows of a panel, as far as the columns go.
int64_t RowsForColumns(const Shape& shape) {
  const Axis& rows = shape.inner[0];
  const Axis& cols = shape.inner[1];
  if (!WholeLines(cols.os) && rows.n <= kMostPanelRows) return rows.n;
  const int64_t usual = kPanelBytes / shape.element_bytes;
  const bool collide = RowsInL1(cols.os) <= 2 * L1Ways();
  if (!collide) return usual;
  const int64_t small = kPanelSourceBytes / Max(Magnitude(rows.is), 1) / kLongPanelRows * kLongPanelRows;
  const int64_t longest = (cols.n > L1Ways() ? kLongestPanelBytes : kLongestPanelBytes / 2) / shape.element_bytes;
  return Max(Max(usual, kLongPanelRows), Min(small, longest));
}

// Rows of a panel. Where columns collide, too, all that L1 holds: 256x256 floats take 0.8 of the time of a quarter in
// some runs of a program and 1.2 times in others.
int64_t PanelRows(const Shape& shape) {
  const int64_t in_l1 = PanelInL1(shape.inner[0].is);
  const bool collide = RowsInL1(shape.inner[1].os) <= 4 * L1Ways();
  const int64_t fewest = collide ? in_l1 : Max(kLineBytes / shape.element_bytes, kFewestPanelRows);
  return Min(RowsForColumns(shape), Min(in_l1, Max(in_l1 / 4, fewest)));
}

// Pixels of odd sizes are never packed.
bool CanPack(const Shape& shape) { return (shape.element_bytes & (shape.element_bytes - 1)) == 0; }

// Whether L1 holds the rows of a microtile, though not of a line, and all columns of a block beside them. Such rows are
// not packed: 1024 and 2048 floats in 0.73 to 0.95 of the time. Of small elements that gains where rows are many (1024
// of 2 bytes 0.85 to 0.96; 49 rows of them 1.15).
bool HoldsMicrotile(const Shape& shape, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const int64_t element = shape.element_bytes;
  const bool many_rows = element >= 4 || rows.n >= kManySmallRows;
  return many_rows && WholeLines(rows.is) && RowsInL1(rows.is) * element >= vector_bytes &&
         RowsInL1(shape.inner[1].os) >= Min(kTileSourceBytes / element, kL1WayBytes / kLineBytes * L1Ways());
}

// What collides in L1 is packed: rows where it holds too few of them for a line of a column, columns where it holds too
// few for two microtiles side by side; where both are tight, the tighter. Rows at odd places take two lines each.
// (512x512 doubles 2.7 -> 1.2 times a copy, 1024x512 floats 2.6 -> 2.0, 513x513 of all sizes 5 to 6 -> 2 to 3.)
Pack ChoosePack(const Shape& shape, int64_t vector_bytes) {
  const Axis& rows = shape.inner[0];
  const int64_t element = shape.element_bytes;
  const int64_t rows_in_l1 = RowsInL1(rows.is);
  const int64_t columns_in_l1 = RowsInL1(shape.inner[1].os);
  const int64_t row_bytes = rows_in_l1 * element;
  const int64_t column_bytes = columns_in_l1 * element;
  const int64_t columns = shape.inner[1].n;
  // Just enough for two microtiles is too few where columns are many, and of single bytes where rows are tight, too.
  const bool just_enough =
      column_bytes == kTwoTilesBytes && columns > 4 * columns_in_l1 && (element > 1 || row_bytes <= kLineBytes);
  const bool tight_columns = columns > columns_in_l1 && (column_bytes < kMostOfTwoTiles || just_enough);
  if (tight_columns && columns_in_l1 <= rows_in_l1) return Pack::kColumns;
  const bool tight_rows = row_bytes <= (WholeLines(rows.is) ? 1 : 2) * kLineBytes && column_bytes <= 2 * kLineBytes;
  // A microtile's rows stay in L1 until its neighbour has used them, and soon there are no more rows.
  const bool few_rows = rows.n <= 2 * rows_in_l1 && rows_in_l1 >= kTwoTilesBytes / element;
  // Three quarters of a line do where rows do not all fall on one set.
  const int64_t enough = rows_in_l1 == L1Ways() ? kLineBytes : kLineBytes / 4 * 3;
  const bool too_few = row_bytes < enough && !HoldsMicrotile(shape, vector_bytes);
  if (!few_rows && (too_few || tight_rows)) return Pack::kRows;
  return tight_columns ? Pack::kColumns : Pack::kNone;
}

void ChooseTile(const Shape& shape, int64_t vector_bytes, Choice* choice) {
  if (CanPack(shape)) choice->pack = ChoosePack(shape, vector_bytes);
  choice->panel = PanelRows(shape);
  choice->cols = shape.element_bytes == 16 ? kTileSourceBytesOf16 / 16 : kTileSourceBytes / shape.element_bytes;
}

// Adjoining columns of a block stay adjoining, so the block can be long; what is staged of it is `bytes`.
void ChooseAdjoining(const Shape& shape, int64_t bytes, Choice* choice) {
  choice->run = bytes;
  choice->cols = kAdjoiningBytes / shape.inner[1].os;
}

// At most half of L2 for the stage, whole vectors of source; or whole rows, for shorter runs if need be.
void ChooseColumnStage(const Shape& shape, Choice* choice) {
  const int64_t column_bytes = StagePitch(kStageRunBytes) + kLineBytes;
  const int64_t fits = MachineCaches().l2 / 2 / column_bytes;
  const int64_t vector = kLineBytes / shape.element_bytes;
  const int64_t columns = shape.inner[1].n;
  const bool whole_rows = columns * shape.element_bytes <= kMostWholeRowBytes;
  choice->run = whole_rows && columns > fits ? kStageRunBytes / 2 : kStageRunBytes;
  choice->rows = Max(kBlockPages, kBlockPages * kPageBytes / Max(Magnitude(shape.inner[0].is), 1));
  if (!WholeLines(shape.inner[1].os)) choice->rows = Max(choice->rows, kCutColumnBytes / shape.element_bytes);
  choice->cols = Max(Min(fits, kTileSourceBytes / shape.element_bytes) / vector, 1) * vector;
  if (whole_rows) choice->cols = Max(choice->cols, columns);
}

// What to stage of adjoining columns; of short ones, what AdjoiningColumns makes a page of.
int64_t AdjoiningBytes(const Shape& shape, int64_t column_bytes) {
  if (StagesLines(shape)) return (kLineBytes / shape.element_bytes - 1) * column_bytes;
  const int64_t page_bytes = kPageStageBytes - LineColumns(column_bytes) * column_bytes;
  return Max(kAdjoiningSourceBytes / shape.element_bytes * column_bytes, page_bytes);
}

void ChooseStage(const Shape& shape, Choice* choice) {
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  if (shape.family == Family::kZip) return ChooseAdjoining(shape, AdjoiningBytes(shape, column_bytes), choice);
  const int64_t rows_in_l1 = RowsInL1(shape.inner[0].is);
  if (CanPack(shape) && rows_in_l1 * shape.element_bytes < kStagePanelBytes) choice->pack = Pack::kRows;
  const bool blocks = shape.element_bytes == 16;
  int64_t panel = blocks ? kStagePanelRows : kStagePanelBytes / shape.element_bytes;
  if (StagesLines(shape)) panel = kLinePanelRows;
  choice->panel = Min(panel, PanelInL1(shape.inner[0].is));
  if (StagesAdjoining(shape)) {
    return ChooseAdjoining(shape, Min(AdjoiningBytes(shape, column_bytes), MachineCaches().l2 / 4), choice);
  }
  ChooseColumnStage(shape, choice);
}

void ChooseLines(const Shape& shape, Choice* choice) {
  choice->panel = kPanelBytes / shape.element_bytes;
  choice->cols = shape.family == Family::kUnzip ? 0 : kTileSourceBytes / shape.element_bytes;
}

void ChooseStreamedRuns(const Shape& shape, Choice* choice) {
  if (GathersRuns(shape)) {
    choice->rows = shape.inner[0].n < kLineBytes / 2 ? kGatheredShortRows : kGatheredRows;
    return;
  }
  choice->cols = kStreamedRunRows;
  choice->rows = kShortRunColumns;
}

void ChooseShortRuns(const Shape& shape, Choice* choice) {
  const int64_t rows = shape.num_outer == 0 ? 1 : shape.outer[shape.num_outer - 1].n;
  const bool few = rows < kFewRuns;
  choice->cols = rows <= kAllShortRunRows ? 0 : kShortRunRows;
  choice->rows = few ? Max(kFewRunsBytes / shape.inner[0].n, 1) : kShortRunColumns;
}

}  // namespace

Choice EstimateChoice(const Request& request, Stores stores) noexcept {
  const Shape& shape = request.shape;
  Choice choice = {
      .family = shape.family, .pack = Pack::kNone, .swap = false, .panel = 1, .run = 0, .rows = 0, .cols = 0};
  const bool streams = Streams(shape, request.problem.bytes, request.threads, stores);
  if (streams) choice.family = StreamedFamily(shape, VectorBytes(request.target));
  if (Joins(shape, streams)) {
    choice.family = Family::kJoined;
    const bool long_runs = kMostJoined * shape.element_bytes >= kMinJoinedStreamBytes;
    if (long_runs && shape.family == Family::kTile && streams) choice.pack = Pack::kRows;
  }
  if (choice.family == Family::kTile) ChooseTile(shape, VectorBytes(request.target), &choice);
  if (choice.family == Family::kLines) ChooseLines(shape, &choice);
  if (choice.family == Family::kStage) ChooseStage(shape, &choice);
  if (choice.family == Family::kStream) ChooseStreamedRuns(shape, &choice);
  if (choice.family == Family::kRun && shape.inner[0].n < kShortRunBytes) ChooseShortRuns(shape, &choice);
  return choice;
}

bool Suits(const Choice& choice, const Shape& shape) noexcept {
  if (FindKernelId(choice.family, shape.element_bytes) == kNumKernels) return false;
  if (choice.family == Family::kJoined) return CanJoin(shape);
  if (choice.family == Family::kLines) return shape.family == Family::kTile || shape.family == Family::kUnzip;
  if (choice.family != Family::kStage) {
    return choice.family == shape.family || (choice.family == Family::kStream && shape.family == Family::kRun);
  }
  if (shape.family != Family::kTile && shape.family != Family::kZip) return false;
  if (choice.run < kLineBytes || choice.cols < 1) return false;
  const Axis inner[kInnerAxes] = {shape.inner[0], {choice.cols, 0, shape.inner[1].os}, {1, 0, 0}, {1, 0, 0}};
  return choice.cols <= kMaxStageColumns && StageBytes(inner, shape.element_bytes, choice.run) <= kMaxStageBytes;
}

void WriteChoice(const Choice& choice, int64_t element_bytes, TextWriter* text) noexcept {
  text->Add(GetKernelInfo(FindKernelId(choice.family, element_bytes)).name);
  text->Add(" pack=").Add(static_cast<int64_t>(choice.pack));
  text->Add(" panel=").Add(choice.panel).Add(" run=").Add(choice.run);
  text->Add(" rows=").Add(choice.rows).Add(" cols=").Add(choice.cols).Add(" swap=").Add(int64_t{choice.swap});
}

}  // namespace v1
}  // namespace dimorder
