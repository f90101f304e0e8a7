// SPDX-License-Identifier: Apache-2.0
// From a canonical problem and a choice to a plan: kernel, blocks, loop order, threads, cost.
//
// The kernel's axes are cut into blocks of the chosen size; where a block is a whole axis, an outer axis may join it.
// Everything else is one kernel call per step of the outer axes and of the blocks.
#include "dispatch/plan.h"

#include "dispatch/choice.h"
#include "dispatch/integers.h"
#include "dispatch/rates.h"
#include "dispatch/share.h"
#include "dispatch/wisdom.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Threads share runs from here on, and else whole runs.
constexpr int64_t kLongRunBytes = 4096;
// Where a step of a loop is so long, a task may begin within a line.
constexpr int64_t kLongStepBytes = 1024;

int64_t AtLeastOne(int64_t n) { return n < 1 ? 1 : n; }
int64_t MinStride(int64_t is, int64_t os) { return Min(Magnitude(is), os); }

// The fewest elements that are whole lines.
int64_t LineElements(int64_t element_bytes) { return kLineBytes / (element_bytes & -element_bytes); }

// A block of about `block` such that the last one of `n` is no shorter than a line: one column of a transpose costs as
// much as eight (257x257 floats: 3.7 times a copy, 2.3 without such a rest).
int64_t WithoutShortRest(int64_t n, int64_t block, int64_t line) {
  while (block > line && n % block != 0 && n % block < line) block -= line;
  return block;
}

// A plan being made. Axes move from the shape into the piece; `blocks` are the block sizes of the inner axes.
class Planner {
 public:
  Planner(const Request& request, const Choice& choice, PlanStorage<1>* plan)
      : data_(plan->data), piece_(plan->pieces[0]), shape_(request.shape), choice_(choice) {
    for (int i = 0; i < shape_.num_outer; ++i) outer_[num_outer_++] = shape_.outer[i];
  }

  void Run() {
    SetKernel();
    Arrange();
    SplitForThreads();
    SetScratch();
    WriteLoops();
    data_.calls_once = data_.threads == 1 && piece_.steps == 1 && data_.scratch_bytes == 0 && !piece_.streams;
  }

 private:
  void SetKernel();
  void Arrange();
  void ArrangeStage();
  void ArrangeBatch();
  void ArrangeRegrouped();
  void ArrangeStagedRuns();
  void ArrangeRuns();
  void ArrangeJoined();
  void Join(int inner, int64_t Axis::*along, int64_t Axis::*across, int64_t* at);
  bool Take(int outer, int inner);
  bool TakeInnermost(int inner);
  bool TakeNext(int64_t Axis::*stride, int64_t bytes, int inner);
  void Cut(int inner, int64_t block);
  void SetScratch();
  bool MustStayWhole(int inner) const;
  int64_t UnitOf(int inner) const;
  void SplitForThreads();
  void OrderForReading();
  void WriteLoops();
  void AddLoop(const Loop& loop);
  void AddBlockLoop(int inner);
  int64_t BlockStride(int inner) const;

  PlanData& data_;
  Piece& piece_;
  const Shape& shape_;
  const Choice& choice_;
  int num_outer_ = 0;
  Axis outer_[kMaxAxes];  // the shape's outer axes that are not in the piece yet
  int64_t blocks_[kInnerAxes] = {1, 1, 1, 1};
  Loop joined_loops_[2];  // of kJoined: over the blocks of the last axis that was joined, n = 1 where it is whole
};

void Planner::SetKernel() {
  const bool one_run = choice_.family == Family::kRun && num_outer_ == 0;
  piece_.kernel_id = FindKernelId(one_run ? Family::kCopy : choice_.family, shape_.element_bytes);
  piece_.kernel = GetKernel(piece_.kernel_id, data_.target);
  piece_.direct = IsStaged(choice_.family) ? GetKernel(FindKernelId(shape_.family, shape_.element_bytes), data_.target)
                                           : piece_.kernel;
  piece_.args.pack = piece_.args.scratch = nullptr;
  piece_.args.params = nullptr;
  piece_.args.next = nullptr;
  piece_.args.SetJoined(piece_.joined);
  piece_.args.panel = choice_.panel;
  piece_.args.run = choice_.run;
  piece_.args.inner[0] = shape_.inner[0];
  piece_.args.inner[1] = shape_.inner[1];
  piece_.args.inner[2] = piece_.args.inner[3] = Axis{1, 0, 0};
  for (int i = 0; i < kInnerAxes; ++i) blocks_[i] = piece_.args.inner[i].n;
}

void Planner::Arrange() {
  if (choice_.family == Family::kStage) return ArrangeStage();
  if (choice_.family == Family::kJoined) return ArrangeJoined();
  if (choice_.family == Family::kStageRuns) return ArrangeStagedRuns();
  if (shape_.family == Family::kRun) return ArrangeRuns();
  if (choice_.family == Family::kBatch) return ArrangeBatch();
  if (IsRegrouped(choice_.family)) return ArrangeRegrouped();
  const bool whole = shape_.family == Family::kUnzip || shape_.family == Family::kShuffle;  // pixels, boxes
  if (!whole) Cut(1, choice_.cols);
  if (blocks_[1] != piece_.args.inner[1].n) return;
  if (piece_.args.inner[1].n == 1) TakeInnermost(1);
  TakeInnermost(2);
  if (shape_.family == Family::kShuffle) TakeInnermost(3);  // its tables serve one call
}

// Rows and columns that are fewer than a block are joined by the axis that continues them.
void Planner::ArrangeStage() {
  const int64_t element = shape_.element_bytes;
  const Axis rows = piece_.args.inner[0];
  const Axis cols = piece_.args.inner[1];
  Cut(0, choice_.rows);
  Cut(1, choice_.cols);
  if (ColumnsAdjoin(piece_.args.inner, element, choice_.run)) return;
  const bool few_rows = rows.n * element < choice_.run && blocks_[0] == rows.n;
  const int64_t steps = choice_.rows == 0 ? 0 : AtLeastOne(choice_.rows / rows.n);
  if (few_rows && TakeNext(&Axis::os, rows.n * element, 2)) Cut(2, steps);
  if (2 * cols.n <= choice_.cols && TakeNext(&Axis::is, cols.n * element, 3)) Cut(3, choice_.cols / cols.n);
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

// Streamed runs without a number of columns are gathered: those that adjoin in the destination side by side.
void Planner::ArrangeRuns() {
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
}

// The side with fewer elements first: an axis that could continue both is worth more to it. A shape of the generic
// family has no columns: its second axis is one of the outer ones.
void Planner::ArrangeJoined() {
  if (shape_.family == Family::kGeneric) {
    outer_[num_outer_++] = shape_.inner[1];
    piece_.args.inner[1] = Axis{1, 0, 0};
    Join(1, &Axis::is, &Axis::os, piece_.joined.col_at);
    return Join(0, &Axis::os, &Axis::is, piece_.joined.row_at);
  }
  const bool rows_first = shape_.inner[0].n < shape_.inner[1].n;
  if (rows_first) Join(0, &Axis::os, &Axis::is, piece_.joined.row_at);
  Join(1, &Axis::is, &Axis::os, piece_.joined.col_at);
  if (!rows_first) Join(0, &Axis::os, &Axis::is, piece_.joined.row_at);
}

// Joins to inner[inner] the axes that continue it along its dense side, as many as there is room for, and writes down
// where its elements are across. The last axis may be cut; so only its blocks differ, and a table serves them all.
void Planner::Join(int inner, int64_t Axis::*along, int64_t Axis::*across, int64_t* at) {
  Axis axis = piece_.args.inner[inner];
  int64_t count = 1;
  at[0] = 0;
  for (;;) {
    const int64_t most = kMostJoined / count;
    const int64_t shares = (axis.n + most - 1) / most;
    const int64_t block = (axis.n + shares - 1) / shares;
    for (int64_t i = count; i < block * count; ++i) at[i] = at[i - count] + axis.*across;
    joined_loops_[inner] = Loop{1, 0, 0, inner, 0};
    if (block < axis.n) {
      const int64_t n = (axis.n + block - 1) / block;
      joined_loops_[inner] = Loop{n, axis.is * block, axis.os * block, inner, (axis.n - (n - 1) * block) * count};
    }
    count *= block;
    int64_t span;  // of an outermost axis it may be too much
    if (block < axis.n || 2 * count > kMostJoined || __builtin_mul_overflow(axis.*along, axis.n, &span)) break;
    if (span == 0 || !TakeNext(along, span, inner)) break;
    axis = piece_.args.inner[inner];
  }
  piece_.args.inner[inner] = Axis{count, 0, 0};
  piece_.args.inner[inner].*along = shape_.element_bytes;
  blocks_[inner] = count;
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

// The fewest steps of an inner axis that are whole lines, of either side in a transpose. Of long steps any number will
// do: two threads then meet in one line of many.
int64_t Planner::UnitOf(int inner) const {
  const bool runs = shape_.family == Family::kRun;
  if (inner < (runs ? 1 : 2)) return LineElements(shape_.element_bytes);
  const int64_t step = piece_.args.inner[inner].os;
  return step < kLongStepBytes ? LineColumns(step) : 1;
}

void Planner::Cut(int inner, int64_t block) {
  if (block == 0) return;
  const int64_t n = piece_.args.inner[inner].n;
  const int64_t line = inner < 2 ? LineElements(shape_.element_bytes) : 1;
  blocks_[inner] = block < n ? WithoutShortRest(n, block, line) : n;
}

// Memory of one task, and a line more to align it.
void Planner::SetScratch() {
  int64_t bytes = 0;
  piece_.pack_offset = kNoPack;
  if (choice_.family == Family::kStage) {
    Axis block[kInnerAxes];
    for (int i = 0; i < kInnerAxes; ++i) block[i] = Axis{blocks_[i], piece_.args.inner[i].is, piece_.args.inner[i].os};
    bytes = StageBytes(block, shape_.element_bytes, choice_.run);
  }
  if (choice_.family == Family::kStageRuns) bytes = ColumnStageBytes(blocks_[2], choice_.run);
  if (IsRegrouped(choice_.family)) {
    bytes = RegroupBytes(blocks_[1], blocks_[0], choice_.run, choice_.family == Family::kStageRegroup);
  }
  piece_.args.packing = choice_.pack;
  if (choice_.pack != Pack::kNone) {
    piece_.pack_offset = bytes;
    bytes += choice_.family == Family::kJoined ? kJoinedPackBytes : kPackBytes;
  }
  const bool packs_joined = choice_.family == Family::kJoined && choice_.pack != Pack::kNone;
  piece_.streams = WritesPastCaches(choice_.family) || packs_joined;
  data_.scratch_bytes = bytes == 0 ? 0 : bytes + kLineBytes;
}

// An axis that another one continues stays whole; so do rows that make adjoining columns, boxes that are shuffled
// or batched, images that are regrouped, and runs that there are many of.
bool Planner::MustStayWhole(int inner) const {
  const bool boxes = shape_.family == Family::kShuffle || choice_.family == Family::kBatch;
  if (inner < 2 && (boxes || IsRegrouped(choice_.family))) return true;
  if (inner == 0 && shape_.family == Family::kRun) return piece_.args.inner[0].n < kLongRunBytes;
  if (choice_.family != Family::kStage || inner >= 2) return false;
  if (inner == 0 && ColumnsAdjoin(piece_.args.inner, shape_.element_bytes, choice_.run)) return true;
  return piece_.args.inner[inner + 2].n > 1;
}

// In whole lines of either side, so that two threads do not write to one. What a kernel merely repeats is cut first,
// then the longer of the other two; but columns that begin anywhere, where they are enough: in each of them two threads
// would share the line that rows are cut in (1500x700 floats by four threads 126 -> 59 us). Rows are still cut where
// that shares the work more evenly.
void Planner::SplitForThreads() {
  if (data_.threads == 1 || choice_.family == Family::kJoined) return;
  int64_t outer_steps = 1;
  for (int i = 0; i < num_outer_; ++i) outer_steps *= outer_[i].n;
  const Axis& cols = piece_.args.inner[1];
  const bool cut_lines = cols.os % kLineBytes != 0 && cols.n >= data_.threads * UnitOf(1);
  const int first = blocks_[0] > blocks_[1] && !cut_lines ? 0 : 1;
  const int order[kInnerAxes] = {3, 2, first, 1 - first};
  BlockedAxis axes[kInnerAxes];
  for (int i = 0; i < kInnerAxes; ++i) {
    const int inner = order[i];
    axes[i] = BlockedAxis{piece_.args.inner[inner].n, blocks_[inner], UnitOf(inner), MustStayWhole(inner)};
  }
  ShareEvenly(outer_steps, data_.threads, axes, kInnerAxes);
  for (int i = 0; i < kInnerAxes; ++i) blocks_[order[i]] = axes[i].block;
}

// The bytes from one block to the next, on the side where they are fewer.
int64_t Planner::BlockStride(int inner) const {
  if (choice_.family == Family::kJoined)
    return inner < 2 ? MinStride(joined_loops_[inner].is, joined_loops_[inner].os) : 0;
  const Axis& axis = piece_.args.inner[inner];
  return MinStride(axis.is, axis.os) * blocks_[inner];
}

// Of two outer axes whose shorter steps are equal, a stage has the one whose steps are shorter in the source inside: it
// reads ahead (16^6 reversed otherwise took 1.2 times as long; in cache the destination's pages matter more).
void Planner::OrderForReading() {
  for (int i = 1; i < num_outer_; ++i) {
    Axis& outer = outer_[i - 1];
    Axis& inner = outer_[i];
    if (MinStride(outer.is, outer.os) != MinStride(inner.is, inner.os) || Magnitude(outer.is) >= Magnitude(inner.is)) {
      continue;
    }
    const Axis swapped = outer;
    outer = inner;
    inner = swapped;
  }
}

// Outer axes outermost, then the blocks, longest stride first.
void Planner::WriteLoops() {
  if (IsStaged(choice_.family)) OrderForReading();
  piece_.num_loops = 0;
  piece_.steps = 1;
  for (int i = 0; i < num_outer_; ++i) {
    const Axis& axis = outer_[i];
    AddLoop(Loop{axis.n, axis.is, axis.os, Loop::kOuter, 0});
  }
  int order[kInnerAxes] = {0, 1, 2, 3};
  for (int i = 1; i < kInnerAxes; ++i) {
    for (int j = i; j > 0 && BlockStride(order[j - 1]) < BlockStride(order[j]); --j) {
      const int swapped = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swapped;
    }
  }
  for (int inner : order) AddBlockLoop(inner);
  if (choice_.swap && piece_.num_loops >= 2) {
    const Loop last = piece_.loops[piece_.num_loops - 1];
    piece_.loops[piece_.num_loops - 1] = piece_.loops[piece_.num_loops - 2];
    piece_.loops[piece_.num_loops - 2] = last;
  }
}

void Planner::AddLoop(const Loop& loop) {
  piece_.loops[piece_.num_loops++] = loop;
  piece_.steps *= loop.n;
}

void Planner::AddBlockLoop(int inner) {
  if (choice_.family == Family::kJoined) {
    if (inner < 2 && joined_loops_[inner].n > 1) AddLoop(joined_loops_[inner]);
    return;
  }
  Axis& axis = piece_.args.inner[inner];
  const int64_t block = blocks_[inner];
  if (block >= axis.n) return;
  const int64_t n = (axis.n + block - 1) / block;
  AddLoop(Loop{n, axis.is * block, axis.os * block, inner, axis.n - (n - 1) * block});
  axis.n = block;
}

// What does not depend on the shape; a plan of no bytes is complete with it.
void SetEmptyPlan(const Request& request, PlanData* plan) {
  const Problem& problem = request.problem;
  PlanData& data = *plan;
  data.num_pieces = 0;
  data.origin = Origin::kEstimate;
  data.scratch_bytes = 0;
  data.cost_ns = 0;
  data.threads = request.threads;
  data.calls_once = false;
  data.target = request.target;
  data.bytes = problem.bytes;
  data.src_begin = problem.src_begin;
  data.src_end = problem.src_end;
  data.dst_begin = problem.dst_begin;
  data.dst_end = problem.dst_end;
  const auto src_bytes = static_cast<uintptr_t>(problem.src_end - problem.src_begin);
  const auto dst_bytes = static_cast<uintptr_t>(problem.dst_end - problem.dst_begin);
  data.first_overlap = static_cast<uintptr_t>(problem.src_begin) - static_cast<uintptr_t>(problem.dst_end) + 1;
  data.overlaps = request.assume_disjoint ? 0 : src_bytes + dst_bytes - 1;
  data.executor = request.executor;
}

}  // namespace

Choice Choose(const Request& request, Origin* origin) noexcept {
  Choice choice;
  if (HaveWisdom() && FindWisdom(WisdomKeyOf(request), &choice) && Suits(choice, request.shape)) {
    *origin = Origin::kWisdom;
    return choice;
  }
  *origin = Origin::kEstimate;
  return EstimateChoice(request, request.stores);
}

void LayOutPlan(const Request& request, const Choice& choice, Origin origin, PlanStorage<1>* plan) noexcept {
  SetEmptyPlan(request, &plan->data);
  if (request.problem.bytes == 0) return;
  PlanData& data = plan->data;
  data.num_pieces = 1;
  data.origin = origin;
  data.cost_ns = EstimateCost(request.shape, request.problem.bytes);
  Piece& piece = plan->pieces[0];
  piece.src_buffer = piece.dst_buffer = 0;
  piece.src_offset = request.problem.src_offset;
  piece.dst_offset = request.problem.dst_offset;
  piece.src_element_bytes = piece.dst_element_bytes = static_cast<uint8_t>(request.problem.unit);
  Planner(request, choice, plan).Run();
}

Status MakePlan(const Move& move, const Options& options, PlanStorage<1>* plan) noexcept {
  Request request;
  if (Status status = ReadRequest(move, options, &request); !status.ok()) return status;
  Origin origin = Origin::kEstimate;
  const Choice choice = request.problem.bytes == 0 ? Choice() : Choose(request, &origin);
  LayOutPlan(request, choice, origin, plan);
  return Status();
}

}  // namespace v1
}  // namespace dimorder
