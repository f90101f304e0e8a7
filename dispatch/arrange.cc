// SPDX-License-Identifier: Apache-2.0
// Which axes the kernel of a plan walks, and in blocks of what size.
//
// The kernel's axes are cut into blocks of the chosen size; where a block is a whole axis, an outer axis may join it.
#include <algorithm>

#include "dispatch/choose.h"
#include "dispatch/integers.h"
#include "dispatch/machine.h"
#include "dispatch/planner.h"
#include "dispatch/two_pass.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Columns of whole microtiles, of any element.
constexpr int64_t kTileColumns = 16;

// Calls of fewer bytes, and of fewer runs, than these walk a further axis: zips and unzips below 2 KB in 0.69 to 0.8 of
// the time, fewer than 64 runs in 0.9; from there to 8 KB and 256 runs 0.89 to 0.99, single ones up to 1.6.
constexpr int64_t kFewBytesOfCall = 4096;
constexpr int64_t kFewRunsOfCall = 128;

int64_t AtLeastOne(int64_t n) { return n < 1 ? 1 : n; }
// A block of about `block` such that the last one of `n` is no shorter than a line: one column of a transpose costs as
// much as eight (257x257 floats: 3.7 times a copy, 2.3 without such a rest).
int64_t WithoutShortRest(int64_t n, int64_t block, int64_t line) {
  while (block > line && n % block != 0 && n % block < line) block -= line;
  return block;
}

}  // namespace

void Planner::Arrange() {
  switch (choice_.family) {
    case Family::kStage:
      return ArrangeStage();
    case Family::kJoined:
      return ArrangeJoined();
    case Family::kTwoPass:
      return ArrangeTwoPass();
    case Family::kLookup:
      return ArrangeLookup();
    case Family::kStageRuns:
      return ArrangeStagedRuns();
    case Family::kRun:
    case Family::kRunAhead:
    case Family::kStream:
      return ArrangeRuns();
    case Family::kBatch:
      return ArrangeBatch();
    case Family::kRegroup:
    case Family::kStageRegroup:
      return ArrangeRegrouped();
    default:
      return ArrangeBoxes();
  }
}

// Boxes as they are, and axes round them.
void Planner::ArrangeBoxes() {
  const bool whole = shape_.family == Family::kUnzip || shape_.family == Family::kShuffle;  // pixels, boxes
  if (!whole) Cut(1, choice_.cols);
  if (blocks_[1] != piece_.args.inner[1].n) return;
  if (piece_.args.inner[1].n == 1) TakeInnermost(1);
  if (data_.bytes <= MachineCaches().l1 / 2) PutLongAxesInside();
  TakeInnermost(2);
  const Axis* inner = piece_.args.inner;
  const bool few = inner[0].n * inner[1].n * inner[2].n * shape_.element_bytes < kFewBytesOfCall;
  const bool short_call = few && !WritesPastCaches(choice_);
  if (short_call || shape_.family == Family::kShuffle) TakeInnermost(3);  // kShuffle's tables serve one call
}

// Pixels and small boxes in L1 go in as few kernel calls as can be, since a call costs as much as a few of them: 300
// zips, 300 unzips and 300 shuffles in 0.92, 0.90 and 0.77 of the time (transposes gained nothing). But where small
// boxes adjoin on both sides that is worth more.
void Planner::PutLongAxesInside() {
  const Family family = shape_.family;
  if (num_outer_ < 2 || (family != Family::kZip && family != Family::kUnzip && family != Family::kShuffle)) return;
  if (family == Family::kShuffle && BoxesAdjoin(shape_)) return;
  std::sort(outer_, outer_ + num_outer_, [](const Axis& a, const Axis& b) { return a.n < b.n; });
}

// Rows and columns that are fewer than a block are joined by the axis that continues them.
void Planner::ArrangeStage() {
  Cut(0, choice_.rows);
  Cut(1, choice_.cols);
  if (ColumnsAdjoin(piece_.args.inner, shape_.element_bytes, choice_.run)) return;
  if (StagesGroups(shape_, data_.bytes)) {
    piece_.args.group = Min(GroupColumns(shape_), blocks_[1]);
    return;
  }
  const bool columns_first = JoinsColumnsFirst();
  if (columns_first) JoinColumns();
  JoinRows();
  if (!columns_first) JoinColumns();
}

// Whether an axis that continues both goes to the columns: where rows are short, and either so many elements that the
// last microtile of them is not full, or the runs that it would make of columns would cut lines (20 boxes of such rows
// of 4 to 60 bytes 3.0 -> 2.2 times a copy; 16 columns of 64 floats 1.2 times as long).
bool Planner::JoinsColumnsFirst() const {
  const int64_t column_bytes = piece_.args.inner[0].n * shape_.element_bytes;
  const int64_t columns = piece_.args.inner[1].n;
  const bool cuts = column_bytes % kLineBytes != 0 || columns % kTileColumns != 0;
  return column_bytes >= kLineBytes && columns * shape_.element_bytes < kLineBytes && cuts;
}

void Planner::JoinRows() {
  const Axis rows = piece_.args.inner[0];
  const int64_t column_bytes = rows.n * shape_.element_bytes;
  if (column_bytes >= choice_.run || blocks_[0] != rows.n || !TakeNext(&Axis::os, column_bytes, 2)) return;
  if (choice_.rows != 0) Cut(2, AtLeastOne(choice_.rows / rows.n));
}

void Planner::JoinColumns() {
  const Axis cols = piece_.args.inner[1];
  if (2 * cols.n > choice_.cols || !TakeNext(&Axis::is, cols.n * shape_.element_bytes, 3)) return;
  Cut(3, choice_.cols / cols.n);
}

// The boxes that adjoin in the destination.
void Planner::ArrangeBatch() {
  TakeNext(&Axis::os, piece_.args.inner[0].n * piece_.args.inner[1].n * shape_.element_bytes, 2);
  TakeInnermost(3);
}

// The pixels.
void Planner::ArrangeRegrouped() {
  TakeNext(&Axis::os, piece_.args.inner[0].n * shape_.element_bytes, 2);
  TakeInnermost(3);
}

// Staged runs: those that adjoin in the destination are the rows of a transpose, those that do in the source its
// columns.
void Planner::ArrangeStagedRuns() {
  const int64_t bytes = piece_.args.inner[0].n;
  TakeNext(&Axis::os, bytes, 1);
  Cut(1, choice_.rows);
  TakeNext(&Axis::is, bytes, 2);
  Cut(2, choice_.cols);
}

// A long axis inside, where the choice has a part of it. Streamed runs without a number of columns are gathered: those
// that adjoin in the destination side by side.
void Planner::ArrangeRuns() {
  if (choice_.family == Family::kRun && choice_.panel > 1 && num_outer_ > 2) {
    Take(LongAxis(shape_), 1);
    TakeInnermost(2);
    TakeInnermost(3);
    blocks_[1] = Min(choice_.panel, blocks_[1]);
    return;
  }
  const bool gathered = choice_.family == Family::kStream && choice_.cols == 0;
  if (gathered && TakeNext(&Axis::os, piece_.args.inner[0].n, 1)) {
    Cut(1, choice_.rows);
    TakeInnermost(2);
    return;
  }
  if (!TakeInnermost(1)) return;
  TakeInnermost(2);
  Cut(1, choice_.cols);
  Cut(2, choice_.rows);
  const bool few = piece_.args.inner[1].n * piece_.args.inner[2].n < kFewRunsOfCall;
  if (few && choice_.family == Family::kRun) TakeInnermost(3);
}

void Planner::ArrangeJoined() {
  if (shape_.family != Family::kGeneric) return JoinBoth(shape_);
  // It has no columns: its second axis is one of the outer ones.
  Shape rows = shape_;
  rows.outer[rows.num_outer++] = outer_[num_outer_++] = shape_.inner[1];
  rows.inner[1] = piece_.args.inner[1] = Axis{1, 0, 0};
  JoinBoth(rows);
}

void Planner::JoinBoth(const Shape& shape) {
  const JoinedSides sides = JoinSides(shape);
  Join(0, sides.rows, &Axis::os, &Axis::is, piece_.joined.row_at);
  Join(1, sides.columns, &Axis::is, &Axis::os, piece_.joined.col_at);
}

// Joins to inner[inner] the axes that continue it along its dense side, and writes down where its elements are across.
// Of blocks of the last axis only their places differ: a table serves them all.
void Planner::Join(int inner, const JoinedSide& side, int64_t Axis::*along, int64_t Axis::*across, int64_t* at) {
  int64_t count = 1;
  at[0] = 0;
  for (const Axis& axis : side.Axes()) {
    if (&axis != side.axes) TakeNext(along, axis.*along, inner);
    const int64_t steps = Min(axis.n, side.steps / count);
    for (int64_t i = count; i < steps * count; ++i) at[i] = at[i - count] + axis.*across;
    count *= steps;
  }
  joined_loops_[inner] = Loop{1, 0, 0, inner, 0};
  if (side.IsCut()) {
    const Axis& last = side.Axes().back();
    const int64_t blocks = CeilDivide(last.n, side.block);
    const int64_t rest = last.n - (blocks - 1) * side.block;
    joined_loops_[inner] = Loop{blocks, last.is * side.block, last.os * side.block, inner, rest * (count / side.block)};
  }
  piece_.args.inner[inner] = Axis{count, 0, 0};
  piece_.args.inner[inner].*along = shape_.element_bytes;
  blocks_[inner] = count;
}

// A box, and the passes over it and over the last one, if that is smaller.
void Planner::ArrangeTwoPass() {
  TwoPassBox box;
  if (!FindTwoPassBox(shape_, &box)) return;  // not where the choice suits
  for (int i = 2; i < box.num_axes; ++i) TakeNext(&Axis::os, box.axes[i].os, i);
  Passes& passes = piece_.passes;
  passes.cut = box.cut;
  passes.block = blocks_[box.cut] = box.steps[box.cut];
  SetPasses(box, choice_.copy, passes.block, data_.target, passes.whole);
  const int64_t rest = box.axes[box.cut].n % passes.block;
  if (rest != 0) SetPasses(box, choice_.copy, rest, data_.target, passes.rest);
}

// Writes down where each byte comes from, innermost axis first, from the lowest byte of the source on.
void Planner::ArrangeLookup() {
  uint8_t source[kLineBytes];
  int64_t count = 1;
  int64_t lowest = 0;
  source[0] = 0;
  for (; num_outer_ != 0; --num_outer_) {
    const Axis& axis = outer_[num_outer_ - 1];
    for (int64_t i = count; i < axis.n * count; ++i) source[i] = static_cast<uint8_t>(source[i - count] + axis.is);
    count *= axis.n;
    if (axis.is < 0) lowest += (axis.n - 1) * axis.is;
  }
  for (int64_t i = 0; i < count; ++i) source[i] = static_cast<uint8_t>(source[i] - lowest);
  piece_.blocks = MakeBlockTables(source, count);
  piece_.args.SetTables(&piece_.blocks);
  piece_.src_offset += lowest;
}

// Moves an outer axis into the kernel.
bool Planner::Take(int outer, int inner) {
  piece_.args.inner[inner] = outer_[outer];
  blocks_[inner] = piece_.args.inner[inner].n;
  --num_outer_;
  for (int i = outer; i < num_outer_; ++i) outer_[i] = outer_[i + 1];
  return true;
}

bool Planner::TakeInnermost(int inner) { return num_outer_ != 0 && Take(num_outer_ - 1, inner); }

// The outer axis whose `stride` is `bytes`, if there is one.
bool Planner::TakeNext(int64_t Axis::*stride, int64_t bytes, int inner) {
  for (int i = 0; i < num_outer_; ++i) {
    if (outer_[i].*stride == bytes) return Take(i, inner);
  }
  return false;
}

void Planner::Cut(int inner, int64_t block) {
  if (block == 0) return;
  const int64_t n = piece_.args.inner[inner].n;
  const int64_t line = inner < 2 ? LineColumns(shape_.element_bytes) : 1;
  blocks_[inner] = block < n ? WithoutShortRest(n, block, line) : n;
}

}  // namespace v1
}  // namespace dimorder
