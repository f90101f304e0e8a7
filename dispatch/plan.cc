// SPDX-License-Identifier: Apache-2.0
// From a canonical problem and a choice to a plan: kernel, blocks, loop order, threads, cost.
//
// What the kernel does not walk (arrange.cc) is one kernel call per step of the outer axes and of the blocks.
#include "dispatch/plan.h"

#include "dispatch/choice.h"
#include "dispatch/choose.h"
#include "dispatch/integers.h"
#include "dispatch/planner.h"
#include "dispatch/rates.h"
#include "dispatch/share.h"
#include "dispatch/target.h"
#include "dispatch/wisdom.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Threads share runs from here on, and else whole runs.
constexpr int64_t kLongRunBytes = 4096;
// Where a step of a loop is so long, a task may begin within a line.
constexpr int64_t kLongStepBytes = 1024;

}  // namespace

void Planner::Run() {
  SetKernel();
  Arrange();
  SplitForThreads();
  SetScratch();
  WriteLoops();
  data_.calls_once = data_.threads == 1 && piece_.steps == 1 && data_.scratch_bytes == 0 && !piece_.streams;
}

void Planner::SetKernel() {
  const bool one_run = choice_.family == Family::kRun && num_outer_ == 0;
  piece_.kernel_id = FindKernelId(one_run ? Family::kCopy : choice_.family, shape_.element_bytes);
  piece_.kernel = GetKernel(piece_.kernel_id, data_.target);
  piece_.direct = IsStaged(choice_.family) ? GetKernel(FindKernelId(shape_.family, shape_.element_bytes), data_.target)
                                           : piece_.kernel;
  piece_.args.pack = piece_.args.scratch = nullptr;
  piece_.args.params = nullptr;
  piece_.args.next = nullptr;
  piece_.args.SetTables(&piece_.joined);
  piece_.args.panel = choice_.panel;
  piece_.args.abreast = piece_.args.lines_panel = piece_.args.ahead = 0;
  piece_.args.group = 0;
  piece_.args.run = choice_.run;
  SetAbreast();
  SetAhead();
  piece_.args.inner[0] = shape_.inner[0];
  piece_.args.inner[1] = shape_.inner[1];
  piece_.args.inner[2] = piece_.args.inner[3] = Axis{1, 0, 0};
  for (int i = 0; i < kInnerAxes; ++i) blocks_[i] = piece_.args.inner[i].n;
}

void Planner::SetAbreast() {
  if (choice_.family != Family::kTile || choice_.pack != Pack::kNone || ByLineTiles(choice_)) return;
  piece_.args.abreast = ColumnsAbreast(shape_, data_.bytes, VectorBytes(data_.target), choice_.panel);
  if (IsSourceLine(shape_, piece_.args.abreast)) piece_.args.lines_panel = OddLinesPanel(shape_);
}

// How kLines asks ahead, and kStage, which may turn out to be kLines; and whether those do that put pixels together, or
// go by whole lines of rows.
void Planner::SetAhead() {
  const int64_t vector_bytes = VectorBytes(data_.target);
  int64_t panel = choice_.panel;
  switch (choice_.family) {
    case Family::kTile:
    case Family::kAhead:
    case Family::kRegroup:
      piece_.args.ahead = MayAskForPixels(shape_.inner[0].n, data_.bytes, vector_bytes) ||
                          (piece_.args.lines_panel != 0 && AsksForRows(shape_, data_.bytes, vector_bytes));
      return;
    case Family::kStage:
      panel = piece_.args.lines_panel = PanelInsteadOfStage(shape_, data_.bytes, vector_bytes);
      break;
    case Family::kLines:
      break;
    default:
      return;
  }
  piece_.args.ahead = panel == 0 ? StageAhead(shape_) : LinesAhead(panel, data_.bytes);
}

// The fewest steps of an inner axis that are whole lines of the destination. Of long steps any number will do: two
// threads then meet in one line of many.
int64_t Planner::UnitOf(int inner) const {
  if (inner == 0) return LineColumns(shape_.element_bytes);
  const int64_t step = piece_.args.inner[inner].os;
  return step < kLongStepBytes ? LineColumns(step) : 1;
}

// Memory of one task, and a line more to align it. Of several tasks whole pages, so that the caller's shares all begin
// with a page if the first one does.
void Planner::SetScratch() {
  int64_t bytes = 0;
  piece_.pack_offset = kNoPack;
  if (choice_.family == Family::kStage) {
    Axis block[kInnerAxes];
    for (int i = 0; i < kInnerAxes; ++i) block[i] = Axis{blocks_[i], piece_.args.inner[i].is, piece_.args.inner[i].os};
    bytes = StageBytes(block, shape_.element_bytes, choice_.run, piece_.args.group);
  }
  if (choice_.family == Family::kStageRuns) bytes = ColumnStageBytes(blocks_[2], choice_.run);
  if (IsRegrouped(choice_.family)) {
    bytes = RegroupBytes(blocks_[1], blocks_[0], choice_.run, choice_.family == Family::kStageRegroup);
  }
  if (choice_.family == Family::kTwoPass) {
    bytes = shape_.element_bytes * blocks_[0] * blocks_[1] * blocks_[2] * blocks_[3];
  }
  piece_.args.packing = choice_.pack;
  if (choice_.pack != Pack::kNone) {
    piece_.pack_offset = bytes;
    bytes += choice_.family == Family::kJoined ? kJoinedPackBytes : PackBytes(choice_.pack);
  }
  piece_.streams = WritesPastCaches(choice_);
  if (bytes != 0) bytes += kLineBytes;
  if (data_.threads != 1) bytes = RoundUp(bytes, kPageBytes);
  data_.scratch_bytes = Max(data_.scratch_bytes, bytes);
}

// An axis that another one continues stays whole; so do rows that make adjoining columns, boxes that are shuffled
// or batched, images that are regrouped, pixels that are taken apart, and runs that there are many of.
bool Planner::MustStayWhole(int inner) const {
  const bool boxes = shape_.family == Family::kShuffle || choice_.family == Family::kBatch;
  if (inner < 2 && (boxes || IsRegrouped(choice_.family))) return true;
  if (inner == 1 && shape_.family == Family::kUnzip) return true;
  if (inner == 0 && shape_.family == Family::kRun) return piece_.args.inner[0].n < kLongRunBytes;
  if (choice_.family != Family::kStage || inner >= 2) return false;
  if (inner == 0 && ColumnsAdjoin(piece_.args.inner, shape_.element_bytes, choice_.run)) return true;
  return piece_.args.inner[inner + 2].n > 1;
}

// In whole lines, so that two threads do not write to one. What a kernel merely repeats is cut first, then the longer
// of the other two; but columns, where they are enough for a line of each row, in two cases. Where they begin anywhere,
// two threads would share the line that rows are cut in, in each of them (1500x700 floats by four threads 126 -> 59
// us). Where they go down abreast, what reads ahead in a thread's part goes on in the next one's (3136x64 doubles by
// two 1.05 -> 0.78 ns a line). Rows are still cut where that shares the work more evenly. What goes by lines of source
// rows has its columns cut at these in any case.
void Planner::SplitForThreads() {
  if (data_.threads == 1 || choice_.family == Family::kJoined || choice_.family == Family::kTwoPass) return;
  int64_t outer_steps = 1;
  for (int i = 0; i < num_outer_; ++i) outer_steps *= outer_[i].n;
  const Axis& cols = piece_.args.inner[1];
  const int64_t line_columns = shape_.family == Family::kRun ? UnitOf(1) : LineColumns(shape_.element_bytes);
  const bool wants_columns = cols.os % kLineBytes != 0 || piece_.args.abreast != 0;
  const bool columns_first = wants_columns && cols.n >= data_.threads * line_columns;
  const bool at_lines = !columns_first || ByLineTiles(choice_) || IsSourceLine(shape_, piece_.args.abreast);
  const int first = blocks_[0] > blocks_[1] && !columns_first ? 0 : 1;
  const int order[kInnerAxes] = {3, 2, first, 1 - first};
  BlockedAxis axes[kInnerAxes];
  for (int i = 0; i < kInnerAxes; ++i) {
    const int inner = order[i];
    const int64_t unit = inner == 1 && at_lines ? line_columns : UnitOf(inner);
    axes[i] = BlockedAxis{piece_.args.inner[inner].n, blocks_[inner], unit, MustStayWhole(inner)};
  }
  ShareEvenly(outer_steps, data_.threads, axes, kInnerAxes);
  for (int i = 0; i < kInnerAxes; ++i) blocks_[order[i]] = axes[i].block;
}

// Whether the kernel takes an inner axis in blocks.
bool Planner::IsCut(int inner) const {
  if (choice_.family == Family::kJoined) return inner < 2 && joined_loops_[inner].n > 1;
  return blocks_[inner] < piece_.args.inner[inner].n;
}

// The bytes from one block to the next of an axis that is cut, on the side where they are fewer.
int64_t Planner::BlockStride(int inner) const {
  if (choice_.family == Family::kJoined) return MinStride(joined_loops_[inner].is, joined_loops_[inner].os);
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
  int order[kInnerAxes];
  int cut = 0;
  for (int inner = 0; inner < kInnerAxes; ++inner) {
    if (!IsCut(inner)) continue;
    int at = cut++;
    for (; at > 0 && BlockStride(order[at - 1]) < BlockStride(inner); --at) order[at] = order[at - 1];
    order[at] = inner;
  }
  for (int i = 0; i < cut; ++i) AddBlockLoop(order[i]);
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
  if (choice_.family == Family::kJoined) return AddLoop(joined_loops_[inner]);
  Axis& axis = piece_.args.inner[inner];
  const int64_t block = blocks_[inner];
  const int64_t n = CeilDivide(axis.n, block);
  AddLoop(Loop{n, axis.is * block, axis.os * block, inner, axis.n - (n - 1) * block});
  axis.n = block;
}

namespace {

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
  data.asks = false;
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

void LayOutPiece(const Request& request, const Choice& choice, PlanData* plan, Piece* piece) {
  piece->src_buffer = piece->dst_buffer = 0;
  piece->src_offset = request.problem.src_offset;
  piece->dst_offset = request.problem.dst_offset;
  piece->src_element_bytes = piece->dst_element_bytes = static_cast<uint8_t>(request.problem.unit);
  Planner(request, choice, plan, piece).Run();
}

// The second way of a plan that asks. Moves that fill half of what stays in the level are not stored on trial: 27
// of 6.4 to 8 MB took 0.84 of the time in one place (0.43 to 1.9), but 1.05 and 1.06 in two and four.
void AddStreamed(const Request& request, const Choice& choice, PlanStorage<1>* plan) {
  LayOutPiece(request, choice, &plan->data, &plan->streamed[0]);
  plan->data.calls_once = false;
  plan->data.asks = true;
  plan->question =
      Question{MakeProbe(plan->pieces[0], request.threads), StoreTrials(!LeavesNearLevel(2 * request.problem.bytes))};
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
  LayOutPiece(request, choice, &data, &plan->pieces[0]);
  Choice uncached;
  if (!WritesPastCaches(choice) && StreamsUncached(request, &uncached)) AddStreamed(request, uncached, plan);
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
