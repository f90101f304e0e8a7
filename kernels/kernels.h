// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_KERNELS_KERNELS_H_
#define DIMORDER_KERNELS_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "kernels/block_tables.h"

// Microkernels: one function type, one list (kernels.inc), built once per target. Code here moves bytes between
// pointers; it does not allocate, decide, split work or report errors. It writes no byte but those of its box, and
// reads none but what lies between the first and the last of it: of far rows also some of what is between them.
namespace dimorder {
inline namespace v1 {

// One loop of a move: `n` steps, `is` source bytes and `os` destination bytes apart. (FFTW's iodim, in bytes.)
struct Axis {
  int64_t n;
  int64_t is;
  int64_t os;
};

// What a transpose copies by way of a small buffer, since their lines collide in L1 where they are. Long columns are
// fewer at a time, and more bytes of each.
enum class Pack : uint8_t { kNone, kRows, kColumns, kLongColumns };

// Where the rows of a box of kJoined begin in the source, and its columns in the destination, in bytes.
inline constexpr int64_t kMostJoined = 64;
struct JoinedAxes {
  int64_t row_at[kMostJoined];
  int64_t col_at[kMostJoined];
};

struct Passes;  // below

// Axes that one kernel call walks.
inline constexpr int kInnerAxes = 4;

// KernelArgs::panel of kAhead: columns go from end to end in any case, as many rows as a box or a part of it may have.
inline constexpr int64_t kAllRows = int64_t{1} << 40;

// KernelArgs::panel of kTile: columns of half a line that adjoin go two by two (half-line-inl.h), whatever else is
// said. Without `abreast`, lines of rows are moved whole, by line tiles (line-tile-inl.h), also to columns that are
// packed. Rows that are packed, boxes of bytes or with a side of less than a line, and vectors of less go by microtiles
// all the same, and some pixels by blends (blend-boxes-inl.h), whatever `panel` and `abreast` say.
inline constexpr int64_t kLineTiles = 0;

// A box of inner[0].n * ... * inner[3].n elements, wherever it begins. Unused axes have n = 1. What inner[0] and
// inner[1] mean is the family's business (below); unless it says otherwise, inner[2] and inner[3] are any further axes,
// walked outside.
struct KernelArgs {
  Axis inner[kInnerAxes];
  int64_t panel;    // kTile, kStage, kLines, kBatch: source rows, at least 1, that are walked side by side; kTile: or
                    // kLineTiles; kAhead: see there
  int64_t abreast;  // kTile: columns that are walked side by side: half a microtile, one, two, or those of whole
                    // source lines. Two, where vectors are lines, go by half lines (half-line-inl.h) down all rows,
                    // else as with 0: by microtiles
  int64_t run;      // kStage: bytes of each destination column, or of adjoining ones together, gathered at a time;
                    // kStageRuns: the same of each column, at least those of one run; kRegroup, kStageRegroup: of
                    // each element of pixels, whole lines
  int64_t group;    // kStage of 1, 2, 4 and 8 bytes, inner[2].n = inner[3].n = 1: columns that are staged at a time,
                    // along the rows; 0: all of the box, down the columns
  int64_t lines_panel;  // kStage: if columns begin with lines, or share them as kLines can make them, it is kLines with
                        // so many rows a panel; 0: it stages in any case. kTile of source lines abreast: the rows of a
                        // panel if rows begin or end within a line; 1 and 2 bytes then go by microtiles
  int64_t ahead;  // kLines, also instead of kStage, and kStage of adjoining columns line by line: bytes of a source
                  // row from the line that is read to the one that is asked for, whole lines, at least one; kTile,
                  // kAhead, kRegroup: not 0 where pixels that are put together are asked for before they are written,
                  // and those that go by blends are not packed; kTile of source lines abreast: not 0 where the rows
                  // of a tile are asked for before those above them are moved
  uint8_t* pack;  // kTile, kAhead, kStage: PackBytes(packing) bytes, kJoined: kJoinedPackBytes; null: nothing is packed
  Pack packing;   // kTile, kAhead, with `pack`: source rows or destination columns; kStage packs rows; kJoined: below
  uint8_t* scratch;     // kStage: StageBytes() bytes, kStageRuns: ColumnStageBytes(), kRegroup and kStageRegroup:
                        // RegroupBytes(), kTwoPass: those of the box, aligned to kLineBytes; else unused
  const uint8_t* next;  // kStage, kStageRuns, kStageRegroup, and kJoined with `pack`: where the box of the next call
                        // will be, to be read ahead, or null; else unused
  int64_t tables_at;    // kJoined: its JoinedAxes, kTwoPass: its Passes, kLookup: its BlockTables, in bytes from here,
                        // so that plans can be copied; else unused
  const void* params;   // of value transforms; moves leave it null

  const JoinedAxes& joined() const { return *reinterpret_cast<const JoinedAxes*>(tables()); }
  const Passes& passes() const { return *reinterpret_cast<const Passes*>(tables()); }
  const BlockTables& blocks() const { return *reinterpret_cast<const BlockTables*>(tables()); }
  void SetTables(const void* tables) {
    tables_at = reinterpret_cast<intptr_t>(tables) - reinterpret_cast<intptr_t>(this);
  }
  // After these were copied from others elsewhere.
  void MovedFrom(const KernelArgs& others) {
    tables_at += reinterpret_cast<intptr_t>(&others) - reinterpret_cast<intptr_t>(this);
  }

 private:
  intptr_t tables() const { return reinterpret_cast<intptr_t>(this) + tables_at; }
};

// Moves the box whose element (0,0,0,0) is at `src` to where that is at `dst`. They are not among the arguments, so
// that small moves take those of their plan as they are. Kernels that write past the caches leave the fence to the
// caller, who calls many.
using KernelFn = void (*)(const uint8_t* src, uint8_t* dst, const KernelArgs& args);

// Families. E is the element's bytes, 1, 2, 4 or 8, of kTile, kStage and kGeneric also 16, of kTile, kAhead and kStage
// also 3, 5, 6 or 7. Strides named "any" have either sign on the source and are positive on the destination.
enum class Family : uint8_t {
  kCopy,       // inner[0] = {bytes, 1, 1}, no other axes: one contiguous run of any length
  kRun,        // the same with inner[1] to inner[3], of any strides: many runs
  kRunAhead,   // kRun without inner[3] that asks for the lines of runs of half a line to a page before it writes them
  kStream,     // kRun without inner[3], with full cache lines written past the caches, where runs have some, or those
               // that adjoin make some
  kStageRuns,  // kRun of runs of at least kMinGatheredRun bytes by way of scratch, full cache lines written past the
               // caches: inner[1] = {rows, any, bytes}, inner[2] = {cols, bytes, any}; inner[3] is not used
  kTile,       // inner[0] = {rows, any, E}, inner[1] = {cols, E, any}: a transpose, rows and cols as in the source
  kAhead,      // kTile that asks for the lines of its columns before it writes them, without panels and packing; but
               // where columns begin with lines, and `panel` is not kAllRows, or where rows make pixels by blends
               // (blend-boxes-inl.h), it is kTile
  kStage,      // kTile by way of scratch, full cache lines written past the caches. inner[2] = {n, any, rows * E} and
               // inner[3] = {n, cols * E, any} continue the rows in the destination and the columns in the source;
               // with inner[2].n > 1, rows * E <= run
  kLines,      // kTile, kZip or kUnzip with full cache lines written past the caches, where columns, but of kZip, are
               // whole lines apart; never packed
  kJoined,  // kTile with inner[0] = {rows, -, E} and inner[1] = {cols, E, -}, at most kMostJoined of each, whose other
            // strides are tables: each is several axes. inner[2] and inner[3] are not used. With `pack`, rows go by way
            // of it, columns of 1 and 2 bytes, too; with `packing` kColumns all do, and full cache lines past the
            // caches
  kZip,     // inner[0] = {C, any, E}, inner[1] = {n, E, C * E}: interleaves C rows, IsZipCount(C, E)
  kZipAhead,    // kZip that asks for the lines of its pixels before it writes them; but of up to kFewZippedRows rows,
                // and so of all of 8 bytes, and of pixels that go by masks (blend-boxes-inl.h), it is kZip
  kUnzip,       // inner[0] = {n, C * E, E}, inner[1] = {C, E, any}: deinterleaves into C rows, IsUnzipCount(C, E)
  kUnzipAhead,  // kUnzip that asks for the lines of its columns before it writes them; but where columns begin
                // with lines and vectors fill them, and of pixels that go by masks (blend-boxes-inl.h), it is kUnzip
  kPick,        // inner[0] = {n, C * E, E}, other axes of any strides: one of every C elements, IsPickCount(C)
  kShuffle,     // inner[0] = {rows, cols * E, E}, inner[1] = {cols, E, rows * E}, rows, cols >= 2, rows * cols * E <= a
                // line: many transposes, at the steps of inner[2] and inner[3], of a box that is dense on both sides
  kBatch,  // kTile, kZip, kUnzip or kShuffle with full cache lines written past the caches, where columns adjoin in the
           // destination, and so do boxes of at most kBatchBytes: inner[2] = {n, any, rows * cols * E}, also for n = 1
  kRegroup,  // inner[0] = {B, any, E}, inner[1] = {A, E, any}, inner[2] = {n, A * E, B * E}, by way of scratch: pixels
             // of A elements in B images to pixels of B elements in A images, as many at a time as make `run` bytes of
             // each element
  kStageRegroup,  // the same with full cache lines written past the caches
  kTwoPass,       // any box by way of scratch, where a copy of it has its axes in an order of its own: passes() say
                  // how to come there and on from there; of inner[] only the count of the axis that is cut is read
  kLookup,   // inner[0] = {bytes, 1, 1}, at most a line, no other axes: so many bytes of the source, from the lowest
             // on, to as many of the destination, as blocks() says
  kGeneric,  // any strides on all axes
};

// Ids in the order of kernels.inc.
enum KernelId : uint8_t {
#define DIMORDER_KERNEL(name, family, bytes) k##name,
#include "kernels/kernels.inc"
#undef DIMORDER_KERNEL
  kNumKernels
};

// One of the two passes: a kernel other than kTwoPass that needs neither scratch nor tables, and its box. Boxes of up
// to four axes are one call of any kernel.
struct Pass {
  KernelFn kernel;
  KernelId id;
  KernelArgs args;
};
// From the source to scratch and from there to the destination: of a box that has `block` steps of inner[cut], and of
// one that has fewer, if there is one.
struct Passes {
  int cut;
  int64_t block;
  Pass whole[2];
  Pass rest[2];
};

struct KernelInfo {
  const char* name;
  Family family;
  uint8_t element_bytes;  // 1 for those of runs, which take any length
};
const KernelInfo& GetKernelInfo(KernelId id) noexcept;

// The kernel of a family and element size; kNumKernels when there is none.
KernelId FindKernelId(Family family, int64_t element_bytes) noexcept;

// The kernel built for one Highway target (HWY_AVX2, ...), which must be one of CompiledTargetMask().
KernelFn GetKernel(KernelId id, int64_t target) noexcept;

// What was written past the caches is seen by other threads, and in order, after this.
void FenceStreams() noexcept;

// The Highway targets that this build holds, as a bit mask.
int64_t CompiledTargetMask() noexcept;

inline constexpr int64_t kLineBytes = 64;
static_assert(sizeof(BlockTables::to) == kLineBytes / 16 * kLineBytes);
inline constexpr int64_t kPageBytes = 4096;  // of the small pages that memory usually has

// Whether each step of a source stride is on another page.
constexpr bool IsPageEach(int64_t is) { return is >= kPageBytes || is <= -kPageBytes; }

// Whether columns of half a line adjoin, at least as many as one has rows.
constexpr bool HasHalfLineColumns(const Axis& rows, const Axis& cols, int64_t element_bytes) {
  return cols.os == kLineBytes / 2 && rows.n * element_bytes == kLineBytes / 2 && cols.n >= rows.n;
}

// Whether a family has line tiles of elements of this size; of bytes only for such columns.
constexpr bool HasLineTiles(Family family, int64_t element_bytes) {
  return family == Family::kTile && element_bytes <= 8 && (element_bytes & (element_bytes - 1)) == 0;
}

// kRegroup or kStageRegroup.
constexpr bool IsRegrouped(Family family) { return family == Family::kRegroup || family == Family::kStageRegroup; }

// Whether a family goes by way of scratch.
constexpr bool IsStaged(Family family) {
  return family == Family::kStage || family == Family::kStageRuns || family == Family::kTwoPass || IsRegrouped(family);
}

// Whether a family writes past the caches. (kJoined does where it packs.)
constexpr bool WritesPastCaches(Family family) {
  const bool stays_in_caches = family == Family::kRegroup || family == Family::kTwoPass;
  return (IsStaged(family) && !stays_in_caches) || family == Family::kLines || family == Family::kBatch ||
         family == Family::kStream;
}

// kStream: runs from here on are streamed wherever they begin, shorter ones only as whole lines, or with those that
// adjoin them along inner[1]: from the second number on one by one, still shorter ones by way of a page.
inline constexpr int64_t kLongStreamedRun = 256;
inline constexpr int64_t kLongAdjoiningRun = 144;

// Runs of fewer bytes are not gathered. (kStageRuns moves them as two parts of 8 or more that overlap.)
inline constexpr int64_t kMinGatheredRun = 8;

// kRun: of runs of 2 bytes or more, but shorter than the first number, inner[2] is walked inside of inner[1] where this
// has fewer steps, and fewer than the second, so many source bytes at a time, the last number of runs of a line or
// more.
inline constexpr int64_t kShortRunBytes = 256;
inline constexpr int64_t kFewRuns = 8;
inline constexpr int64_t kFewRunsBytes = 1024;
inline constexpr int64_t kFewLongRunsBytes = 4096;

// kBatch: what is moved to L1 at a time, at most (4 KB up to 1.35 times as slow).
inline constexpr int64_t kBatchBytes = 2048;

// Counts for which kZip is made, up to kMostZipped: 2, 3, 4, up to what fits into a 16-byte block, 12 of 2 bytes, and
// 5 and 6 of 4 bytes.
constexpr bool IsZipCount(int64_t count, int64_t element_bytes) {
  const bool also = (count == 12 && element_bytes == 2) || ((count == 5 || count == 6) && element_bytes == 4);
  return count >= 2 && (count <= 4 || count * element_bytes <= 16 || also);
}
inline constexpr int kMostZipped = 16;
// The same for kUnzip: of blocks that are full, a transpose has enough columns for whole tiles.
constexpr bool IsUnzipCount(int64_t count, int64_t element_bytes) {
  return count >= 2 && (count <= 4 || count * element_bytes < 16);
}

// Of how many elements kPick takes one.
constexpr bool IsPickCount(int64_t count) { return count >= 2 && count <= 4; }

// Rows that a core reads ahead in beside the pixels that it makes of them.
inline constexpr int kFewZippedRows = 4;

// KernelArgs::pack holds this many rows or columns of at most so many bytes, an odd number of lines apart: none collide
// in L1.
struct PackShape {
  int64_t n;
  int64_t bytes;

  constexpr int64_t Pitch() const { return bytes + kLineBytes; }
};
constexpr PackShape PackShapeOf(Pack packing) {
  return packing == Pack::kLongColumns ? PackShape{48, 512} : PackShape{64, 256};
}
constexpr int64_t PackBytes(Pack packing) { return PackShapeOf(packing).n * PackShapeOf(packing).Pitch(); }
static_assert(PackBytes(Pack::kLongColumns) >= PackBytes(Pack::kRows));  // kStage packs rows in either

// The same for kJoined: all rows and then all columns of a box, up to 8 bytes an element.
inline constexpr int64_t kJoinedPitch = kMostJoined * 8 + kLineBytes;
inline constexpr int64_t kJoinedPackBytes = 2 * kMostJoined * kJoinedPitch;

// Bytes from one staged column to the next: an odd number of lines, so that columns do not fall into the same cache
// set, with room for the line that is carried.
constexpr int64_t StagePitch(int64_t run) { return ((run / kLineBytes + 1) | 1) * kLineBytes; }
// Whether the destination columns of a box of kStage adjoin and are shorter than a run: then they are staged together.
constexpr bool ColumnsAdjoin(const Axis* inner, int64_t element_bytes, int64_t run) {
  return inner[1].os == inner[0].n * element_bytes && inner[1].os <= run && inner[2].n == 1 && inner[3].n == 1;
}
// The fewest adjoining columns, or elements, `os` bytes each, that are whole lines.
constexpr int64_t LineColumns(int64_t os) { return os % kLineBytes == 0 ? 1 : kLineBytes / (os & -os); }
// Adjoining columns that are staged at a time: whole lines, the fewest of more than `run` bytes. (128 columns of a
// power of two of bytes were up to 1.1 times as slow as 129.)
constexpr int64_t AdjoiningColumns(int64_t run, int64_t os) {
  const int64_t whole = LineColumns(os);
  return (run / os / whole + 1) * whole;
}
// The run by which they are staged line by line of each source row, where they are no whole lines: room for what one
// line makes, and what is left at the ends.
constexpr int64_t LineByLineRun(int64_t os, int64_t element_bytes) { return (2 * kLineBytes / element_bytes - 1) * os; }
// Whether a box of adjoining columns is short, and its columns are so short that those of a microtile are 1 KB at most,
// but longer than low tiles: then they are staged a few at a time, where all rows are one panel. (Longer boxes up
// to 1.4 times as slow.)
inline constexpr int64_t kShortBoxBytes = int64_t{16} * 1024;
inline constexpr int64_t kMostShortRows = 64;
constexpr bool IsShortBox(const Axis* inner, int64_t element_bytes) {
  const int64_t os = inner[1].os;
  return os >= 32 && os <= kMostShortRows * element_bytes && inner[1].n <= kShortBoxBytes / os;
}
// Scratch of so many staged columns: a multiple of a line.
constexpr int64_t ColumnStageBytes(int64_t columns, int64_t run) { return columns * StagePitch(run) + kLineBytes; }
// The same where columns are staged in groups: a line is carried for each of all columns.
constexpr int64_t GroupStageBytes(int64_t columns, int64_t group, int64_t run) {
  return ColumnStageBytes(group, run) + columns * kLineBytes;
}
// The same of kStage for a box.
constexpr int64_t StageBytes(const Axis* inner, int64_t element_bytes, int64_t run, int64_t group) {
  if (group != 0) return GroupStageBytes(inner[1].n, group, run);
  if (ColumnsAdjoin(inner, element_bytes, run)) {
    return (AdjoiningColumns(run, inner[1].os) * inner[1].os / kLineBytes + 2) * kLineBytes;
  }
  return ColumnStageBytes(inner[3].n * inner[1].n, run);
}
// The same of kRegroup, and of kStageRegroup, which keeps new images, too, with a line before each.
constexpr int64_t RegroupBytes(int64_t a, int64_t b, int64_t run, bool stages) {
  return a * b * run + (stages ? a * (b * run + kLineBytes) : 0);
}

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_KERNELS_KERNELS_H_
