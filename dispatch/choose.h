// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_CHOOSE_H_
#define DIMORDER_DISPATCH_CHOOSE_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "dispatch/choice.h"

// The parts of EstimateChoice(), by what they decide about.
namespace dimorder {
inline namespace v1 {

// The outer axis whose `stride` is `bytes`, which continues what has so many bytes; of one step if there is none.
inline Axis NextAxis(const Shape& shape, int64_t Axis::*stride, int64_t bytes) {
  for (int i = 0; i < shape.num_outer; ++i) {
    if (shape.outer[i].*stride == bytes) return shape.outer[i];
  }
  return Axis{1, 0, 0};
}

// Whether boxes of rows and columns, dense on both sides, adjoin on both along one axis.
inline bool BoxesAdjoin(const Shape& shape) {
  const int64_t bytes = shape.inner[0].n * shape.inner[1].n * shape.element_bytes;
  return NextAxis(shape, &Axis::is, bytes).os == bytes;
}

// Columns that a source row holds, with the axis that continues them.
inline int64_t RowColumns(const Shape& shape) {
  const int64_t n = shape.inner[1].n;
  return n * NextAxis(shape, &Axis::is, n * shape.element_bytes).n;
}

// ---- choose_target.cc: whose kernels move a shape ----

// Those of the request's target, the machine's best, or of one with shorter vectors.
int64_t ChooseTarget(const Request& request) noexcept;

// ---- choose_tile.cc: transposes that store directly ----

// Destination bytes of a column that a transpose writes before it goes on to the next columns: two lines, so that also
// columns at odd places get most lines whole. 32 or 64 bytes were slower by up to half in cache.
inline constexpr int64_t kPanelBytes = 128;
// Source bytes of each row in a block of a transpose, by as many rows as there are; for a staged one at most. More of
// 16-byte elements, which are moved one by one (0.8 of the time beyond L2; 8 bytes gained nothing).
inline constexpr int64_t kTileSourceBytes = 1024;
inline constexpr int64_t kTileSourceBytesOf16 = 4096;

// Whether elements fill vectors, as pixels of 3, 5, 6 and 7 bytes do not.
inline bool FillsVectors(const Shape& shape) { return (shape.element_bytes & (shape.element_bytes - 1)) == 0; }
// Such pixels and elements of 16 bytes are never packed.
inline bool CanPack(const Shape& shape) { return FillsVectors(shape) && shape.element_bytes <= 8; }

void ChooseTile(const Shape& shape, int64_t bytes, int64_t vector_bytes, Choice* choice) noexcept;
// Whether a transpose can go by line tiles, where vectors are lines.
bool FillsLineTiles(const Shape& shape) noexcept;
// Chooses them in any case.
void ChooseLineTiles(Choice* choice) noexcept;

// ---- choose_abreast.cc: those of them that take columns abreast ----

// KernelArgs::abreast of a transpose that is neither packed nor moved by line tiles, by panels of so many rows.
int64_t ColumnsAbreast(const Shape& shape, int64_t bytes, int64_t vector_bytes, int64_t panel) noexcept;
struct InL1;  // box_in_l1.h
// Rows of panels of so many columns.
int64_t AbreastRows(const Shape& shape, const InL1& in_l1, int64_t columns, int64_t vector_bytes) noexcept;
// Whether so many columns are a line of each source row.
inline bool IsSourceLine(const Shape& shape, int64_t columns) { return columns * shape.element_bytes == kLineBytes; }
// Rows of a panel where rows begin or end within a line: KernelArgs::lines_panel.
int64_t OddLinesPanel(const Shape& shape) noexcept;

// ---- choose_ahead.cc: those of them that ask for lines ahead ----

// Whether asking can pay: the last level is far, vectors are long, and both sides of the move together leave L1.
bool MayAsk(int64_t bytes, int64_t vector_bytes) noexcept;
// Whether both sides together fill three quarters of L2: then most whole lines, too, gain by it.
bool FillsL2(int64_t bytes) noexcept;
// Columns of power-of-two elements, and planes, that are shorter do not ask.
inline constexpr int64_t kMinAskedColumnBytes = 96;
// Whether a transpose asks, when it stores directly.
bool AsksAhead(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept;
// Whether it is then faster than the stage that it would stream by, on one thread.
bool OutrunsStage(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept;
// Whether pixels of so many elements may be asked for, and those that are put together are.
bool MayAskForPixels(int64_t elements, int64_t bytes, int64_t vector_bytes) noexcept;
bool AsksForPixels(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept;
// Whether a transpose by whole source lines abreast asks for the rows of the next tile.
bool AsksForRows(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept;
// Whether pixels that are taken apart ask for the lines of their planes.
bool AsksForPlanes(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept;
void ChooseAhead(const Shape& shape, int64_t bytes, int64_t vector_bytes, Choice* choice) noexcept;
// The same, wherever columns begin: by kAllRows for a panel.
void AskEverywhere(Choice* choice) noexcept;

// ---- choose_streamed.cc: what goes past the caches ----

// What a stage gathers of each destination column: 256 was slower to write, 1024 leaves fewer columns in L2.
inline constexpr int64_t kStageRunBytes = 512;

inline bool WholeLines(int64_t stride) { return stride % kLineBytes == 0; }

// Whether the last level is near (machine.h), and a move of `bytes` bytes leaves it.
bool LeavesNearLevel(int64_t bytes) noexcept;

// Whether kLines can do what a shape asks for.
inline bool CanBeLines(const Shape& shape) {
  const bool family = shape.family == Family::kTile || shape.family == Family::kZip || shape.family == Family::kUnzip;
  return family && FindKernelId(Family::kLines, shape.element_bytes) != kNumKernels;
}

// Whether kBatch can: short boxes, dense in the destination, which adjoin there.
bool CanBatch(const Shape& shape) noexcept;

// Whether a move of `bytes` bytes streams in any case. `stores` may decide it.
bool Streams(const Shape& shape, int64_t bytes, int32_t threads, Stores stores) noexcept;
// Whether a move that does not streams where its destination is not in the caches, and how.
bool StreamsUncached(const Request& request, Choice* how) noexcept;
// The family of a move that does; the shape's own where that is best.
Family StreamedFamily(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept;

// ---- choose_lines.cc: transposes that stream without scratch ----

// Whether the columns of a transpose of `bytes` bytes are streamed as they are made: where rows make enough lines of
// them. Rows that use a part of their lines are staged, too, since a stage joins more columns to them (36 and 49 bytes
// in 0.8 to 0.9 of the time); but not where the next rows use the rest (1.35 times).
bool StreamsColumns(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept;
void ChooseLines(const Shape& shape, int64_t bytes, Choice* choice) noexcept;
// For a transpose that is staged: KernelArgs::lines_panel.
int64_t PanelInsteadOfStage(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept;
// How far ahead panels of so many rows ask in a move of `bytes` bytes: KernelArgs::ahead.
int64_t LinesAhead(int64_t panel, int64_t bytes) noexcept;

// ---- choose_stage.cc: transposes that stream by way of scratch ----

// Whether rows adjoin in the source and are near each other.
bool RowsAdjoin(const Shape& shape) noexcept;
// Whether rows, with what continues them, have elements enough for a stage to be better than kJoined.
bool HasLongRows(const Shape& shape) noexcept;
// Whether they are staged, however short their columns, where others continue those: beyond a last level that is near,
// 40 bytes 5.3 -> 2.5 times a copy, 20 elements of 2 bytes 4.5 -> 2.3, 14 floats 3.5 -> 1.8. (Within it 0.45 to 1.4
// times as long.)
bool StagesShortColumns(const Shape& shape, int64_t bytes) noexcept;
void ChooseStage(const Shape& shape, int64_t bytes, Choice* choice) noexcept;

// ---- choose_groups.cc: those whose columns are staged a few at a time ----

// Whether they are, in a move of `bytes` bytes; then how many at a time.
bool StagesGroups(const Shape& shape, int64_t bytes) noexcept;
int64_t GroupColumns(const Shape& shape) noexcept;
// The rest, for a shape that is StagesGroups(). Its packing is as ChooseStage() has it.
void ChooseGroups(const Shape& shape, Choice* choice) noexcept;

// ---- choose_adjoining.cc: those whose columns adjoin in the destination ----

// Whether they do.
inline bool Adjoin(const Shape& shape) {
  return shape.family == Family::kTile && shape.inner[1].os == shape.inner[0].n * shape.element_bytes;
}
// Whether they are staged as one run.
bool StagesAdjoining(const Shape& shape) noexcept;
// Whether all of a box is staged at once, in a move of `bytes` bytes.
bool StagesWholeBox(const Shape& shape, int64_t bytes) noexcept;
// For a shape that is StagesAdjoining() or StagesWholeBox(). Its panel and packing are as ChooseStage() has them.
void ChooseAdjoining(const Shape& shape, int64_t bytes, Choice* choice) noexcept;
// How far ahead those ask that are staged line by line: KernelArgs::ahead.
int64_t StageAhead(const Shape& shape) noexcept;

// ---- choose_joined.cc: transposes whose rows, columns or both are several axes ----

// Whether kJoined can do what a shape asks for.
bool CanJoin(const Shape& shape) noexcept;
// Whether rows or columns are shorter than a line, or columns too short to be asked for, and an axis continues them.
// What may be staged is, where columns are long and rows, with what continues them, not too short: weights to HWIO
// take 2.2 times a copy for 5.0 (1024 x 1024 of 3x3 bytes 5.3 -> 2.2, of 5 floats 3.7 -> 1.95).
bool Joins(const Shape& shape, bool may_stage) noexcept;
// Of two steps or more each.
inline constexpr int kMostJoinedAxes = std::bit_width(uint64_t{kMostJoined}) - 1;

// What kJoined has side by side in one call, as rows or as columns: all steps of axes that continue each other, of the
// last one a block.
struct JoinedSide {
  int count = 0;
  Axis axes[kMostJoinedAxes];  // innermost first
  int64_t block = 1;
  int64_t steps = 1;  // of all together

  std::span<const Axis> Axes() const { return {axes, static_cast<size_t>(count)}; }
  bool Has(const Axis& axis) const {  // destination strides of a problem differ
    return std::any_of(axes, axes + count, [&](const Axis& one) { return one.os == axis.os; });
  }
  bool IsCut() const { return block < axes[count - 1].n; }
};
// Both sides of a transpose. An axis that continues both is worth more to the one with fewer elements.
struct JoinedSides {
  JoinedSide rows, columns;
};
JoinedSides JoinSides(const Shape& shape) noexcept;
void ChooseJoined(const Shape& shape, int64_t bytes, int64_t vector_bytes, bool streams, Choice* choice) noexcept;

// ---- choose_passes.cc: short axes, in two passes ----

// Whether two passes are the best for a shape, in a move of `bytes` bytes that does not stream; then by way of which
// copy (Choice::copy).
bool TakesTwoPasses(const Shape& shape, int64_t bytes, int64_t* copy) noexcept;

// ---- choose_regroup.cc: few elements on both sides of many pixels ----

// Whether kRegroup and kStageRegroup can do what a shape asks for.
bool CanRegroup(const Shape& shape) noexcept;
// Whether they are the best for it: streamed in any case where planes are few, else where both sides have few elements
// (images by elements: 12x8 and 12x12 bytes 5.8 -> 2.8 and 6.2 -> 2.9 times a copy, 5x3 floats 0.55 of the time, 12x4
// elements of 2 bytes 0.8).
bool Regroups(const Shape& shape, bool streams) noexcept;
void ChooseRegroup(const Shape& shape, bool streams, Choice* choice) noexcept;

// ---- choose_runs.cc: runs, streamed or not ----

// Whether runs that stream do so one by one: long ones, shorter ones that adjoin, and those that can be whole lines.
bool StreamsEachRun(const Shape& shape) noexcept;
// Whether they are gathered until they are whole lines: others, where enough of them adjoin in the destination; and
// whether they are staged for that, in a move of `bytes` bytes.
bool GathersRuns(const Shape& shape) noexcept;
bool StagesRuns(const Shape& shape, int64_t bytes) noexcept;
// Of three or more outer axes the one that goes inside where it is long: not one of the two innermost.
int LongAxis(const Shape& shape) noexcept;
void ChooseStreamedRuns(const Shape& shape, int64_t bytes, Choice* choice) noexcept;
void ChooseStagedRuns(const Shape& shape, Choice* choice) noexcept;
void ChooseRuns(const Shape& shape, int64_t bytes, int64_t vector_bytes, Choice* choice) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_CHOOSE_H_
