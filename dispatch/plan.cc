// SPDX-License-Identifier: Apache-2.0
// From a canonical problem to a plan: kernel, blocks, loop order, stores, threads, cost.
//
// A transpose is cut into groups of columns, each as long as the destination allows: the kernel walks them panel by
// panel of two destination lines; with staged stores their scratch stays in L2. Short runs are blocked like
// transposes, since they are transposes of long elements. Everything else is one kernel call per step of the outer
// axes, of which the innermost one moves into the kernel when no blocks separate them.
#include "dispatch/plan.h"

#include "dispatch/classify.h"
#include "dispatch/machine.h"
#include "dispatch/rates.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Destination bytes of a column that a transpose writes before it goes on to the next columns: two lines, so that also
// columns at odd places get most lines whole. 32 or 64 bytes were slower by up to half in cache, more than 128 no
// faster. Staged columns are in L2 anyway, and fewer source rows at a time suit memory better.
constexpr int64_t kPanelBytes = 128;
constexpr int64_t kStagePanelBytes = 32;
// What a panel of source rows may use of an 8-way L1: half a way of each set is left to the destination.
constexpr int64_t kL1Ways = 8;
constexpr int64_t kL1WayBytes = 4096;
// Source bytes of each row in a block of a transpose, by as many rows as there are; for a staged one at most.
constexpr int64_t kTileSourceBytes = 1024;
// Runs below this are blocked on both sides, in blocks of about this many bytes.
constexpr int64_t kShortRunBytes = 256;
constexpr int64_t kShortRunBlockBytes = 1024;
// Runs worth streaming: shorter ones are mostly unfinished lines.
constexpr int64_t kMinStreamRunBytes = 256;
// Less than this per thread does not pay for waking it.
constexpr int64_t kBytesPerThread = int64_t{128} * 1024;

int64_t AtLeastOne(int64_t n) { return n < 1 ? 1 : n; }
int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }

// Rows `stride` bytes apart that L1 holds a line of each at once. Lines a multiple of kL1WayBytes apart share a set, so
// strides near one (or near a half, a quarter of one) leave room for few: row r falls on byte r * stride of a way, and
// the lines it can fall on are as many as the way holds multiples of the stride's common divisor with it.
int64_t RowsInL1(int64_t stride) {
  const int64_t step = (stride < 0 ? -stride : stride) % kL1WayBytes;
  const int64_t lines = (step + kLineBytes / 2) / kLineBytes;  // to the nearest line
  if (lines == 0 || lines == kL1WayBytes / kLineBytes) return kL1Ways;
  const int64_t divisor = lines & -lines;  // a way is a power of two
  return kL1WayBytes / kLineBytes / divisor * kL1Ways;
}

// A plan being made. Axes move from the shape into the piece; `blocks` are the block sizes of the inner axes.
class Planner {
 public:
  Planner(const Problem& problem, const Options& options, PlanData* data, Piece* piece)
      : problem_(problem), options_(options), data_(*data), piece_(*piece), shape_(Classify(problem)) {}

  void Run() {
    data_.cost_ns = EstimateCost(shape_, problem_.bytes);
    ChooseThreads();
    ChooseKernel();
    ChooseBlocks();
    ChoosePanel();
    SplitForThreads();
    WriteLoops();
  }

 private:
  void ChooseThreads();
  bool Streams() const;
  void ChooseKernel();
  void ChooseBlocks();
  void ChoosePanel();
  void TakeOuterAsInner(int inner);
  int64_t StageColumns() const;
  void SplitForThreads();
  void WriteLoops();
  void AddLoop(const Loop& loop);
  void AddBlockLoop(int inner);
  int64_t BlockStride(int inner) const;

  const Problem& problem_;
  const Options& options_;
  PlanData& data_;
  Piece& piece_;
  Shape shape_;
  int64_t blocks_[kInnerAxes] = {0, 0, 0};
};

void Planner::ChooseThreads() {
  data_.threads = 1;
  if (options_.executor == nullptr) return;
  data_.executor = *options_.executor;
  const int64_t useful = AtLeastOne(problem_.bytes / kBytesPerThread);
  data_.threads = static_cast<int32_t>(Min(Min(static_cast<int64_t>(data_.executor.concurrency), useful), INT32_MAX));
}

bool Planner::Streams() const {
  if (options_.stores != Stores::kAuto) return options_.stores == Stores::kNonTemporal;
  return problem_.bytes > MachineCaches().last / 4;
}

void Planner::ChooseKernel() {
  Family family = shape_.family;
  if (Streams()) {
    if (family == Family::kRun && shape_.inner[0].n >= kMinStreamRunBytes) family = Family::kStream;
    if (family == Family::kTile && shape_.inner[0].n * shape_.element_bytes >= kLineBytes) family = Family::kStage;
  }
  piece_.kernel_id = FindKernelId(family, shape_.element_bytes);
  piece_.kernel = GetKernel(piece_.kernel_id, data_.target);
  piece_.direct = GetKernel(FindKernelId(shape_.family, shape_.element_bytes), data_.target);
  piece_.inner[0] = shape_.inner[0];
  piece_.inner[1] = shape_.inner[1];
  piece_.inner[2] = Axis{1, 0, 0};
}

void Planner::ChooseBlocks() {
  for (int i = 0; i < kInnerAxes; ++i) blocks_[i] = piece_.inner[i].n;
  const Family family = GetKernelInfo(piece_.kernel_id).family;
  const int64_t element = shape_.element_bytes;
  if (family == Family::kStage) {
    blocks_[1] = Min(piece_.inner[1].n, StageColumns());
    data_.scratch_bytes = StageBytes(blocks_[1]) + kLineBytes;
  } else if (family == Family::kTile) {
    blocks_[1] = Min(piece_.inner[1].n, kTileSourceBytes / element);
    if (blocks_[1] == piece_.inner[1].n) TakeOuterAsInner(2);
  } else if (family == Family::kRun && piece_.inner[0].n < kShortRunBytes) {
    TakeOuterAsInner(1);
    TakeOuterAsInner(2);
    const int64_t runs = AtLeastOne(kShortRunBlockBytes / piece_.inner[0].n);
    blocks_[1] = Min(piece_.inner[1].n, runs);
    blocks_[2] = Min(piece_.inner[2].n, runs);
  } else {
    if (piece_.inner[1].n == 1) TakeOuterAsInner(1);
    TakeOuterAsInner(2);
  }
}

void Planner::ChoosePanel() {
  const bool staged = GetKernelInfo(piece_.kernel_id).family == Family::kStage;
  const int64_t wanted = (staged ? kStagePanelBytes : kPanelBytes) / shape_.element_bytes;
  piece_.panel = Min(wanted, RowsInL1(piece_.inner[0].is));
}

// Moves the innermost outer axis into the kernel.
void Planner::TakeOuterAsInner(int inner) {
  if (shape_.num_outer == 0) return;
  piece_.inner[inner] = shape_.outer[--shape_.num_outer];
  blocks_[inner] = piece_.inner[inner].n;
}

// Destination columns per stage: half of L2 for the scratch, whole vectors of source.
int64_t Planner::StageColumns() const {
  const int64_t fits = MachineCaches().l2 / 2 / StageBytes(1);
  const int64_t wanted = kTileSourceBytes / shape_.element_bytes;
  const int64_t vector = kLineBytes / shape_.element_bytes;
  return AtLeastOne(Min(fits, wanted) / vector) * vector;
}

// Cuts the inner axis with the most work further until there are a few steps for each thread.
void Planner::SplitForThreads() {
  if (data_.threads == 1) return;
  int64_t steps = 1;
  for (int i = 0; i < shape_.num_outer; ++i) steps *= shape_.outer[i].n;
  int longest = 0;
  for (int i = 0; i < kInnerAxes; ++i) {
    steps *= (piece_.inner[i].n + blocks_[i] - 1) / blocks_[i];
    if (blocks_[i] > blocks_[longest]) longest = i;
  }
  const int64_t wanted = int64_t{4} * data_.threads;
  if (steps >= wanted) return;
  const int64_t share = blocks_[longest] * steps / wanted;
  blocks_[longest] = AtLeastOne(share / kLineBytes) * kLineBytes;
}

int64_t Planner::BlockStride(int inner) const {
  const Axis& axis = piece_.inner[inner];
  const int64_t is = axis.is < 0 ? -axis.is : axis.is;
  return Min(is, axis.os) * blocks_[inner];
}

// Outer axes outermost, then the blocks, longest stride first.
void Planner::WriteLoops() {
  piece_.num_loops = 0;
  piece_.steps = 1;
  for (int i = 0; i < shape_.num_outer; ++i) {
    const Axis& axis = shape_.outer[i];
    AddLoop(Loop{axis.n, axis.is, axis.os, Loop::kOuter, 0});
  }
  int order[kInnerAxes] = {0, 1, 2};
  for (int i = 1; i < kInnerAxes; ++i) {
    for (int j = i; j > 0 && BlockStride(order[j - 1]) < BlockStride(order[j]); --j) {
      const int swapped = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swapped;
    }
  }
  for (int inner : order) AddBlockLoop(inner);
}

void Planner::AddLoop(const Loop& loop) {
  piece_.loops[piece_.num_loops++] = loop;
  piece_.steps *= loop.n;
}

void Planner::AddBlockLoop(int inner) {
  Axis& axis = piece_.inner[inner];
  const int64_t block = blocks_[inner];
  if (block >= axis.n) return;
  const int64_t n = (axis.n + block - 1) / block;
  AddLoop(Loop{n, axis.is * block, axis.os * block, inner, axis.n - (n - 1) * block});
  axis.n = block;
}

Status CheckOptions(const Options& options) {
  const auto invalid = [](Rule rule, int64_t v0 = 0, int64_t v1 = 0) {
    return Status(StatusCode::kInvalidArgument, rule, v0, v1);
  };
  if (const dimorder_executor* executor = options.executor; executor != nullptr) {
    if (executor->struct_size < sizeof(dimorder_executor)) {
      return invalid(Rule::kStructSize, static_cast<int64_t>(executor->struct_size), sizeof(dimorder_executor));
    }
    if (executor->parallel_for == nullptr || executor->concurrency < 1) {
      return invalid(Rule::kExecutor, static_cast<int64_t>(executor->concurrency));
    }
  }
  const int32_t stores = static_cast<int32_t>(options.stores);
  if (stores < 0 || stores > static_cast<int32_t>(Stores::kNonTemporal)) return invalid(Rule::kEnumValue, stores);
  return Status();
}

void CopySpans(const Problem& problem, PlanData* data) {
  data->bytes = problem.bytes;
  data->src_begin = problem.src_begin;
  data->src_end = problem.src_end;
  data->dst_begin = problem.dst_begin;
  data->dst_end = problem.dst_end;
}

}  // namespace

Status MakePlan(const Move& move, const Options& options, PlanStorage<1>* plan) noexcept {
  if (Status status = CheckOptions(options); !status.ok()) return status;
  const Result<int64_t> target = ResolveTarget(options.target);
  if (!target.ok()) return target.status();
  Problem problem;
  if (Status status = MakeProblem(move, &problem); !status.ok()) return status;
  if (Status status = Canonicalize(&problem); !status.ok()) return status;

  PlanData& data = plan->data;
  data.num_pieces = problem.bytes == 0 ? 0 : 1;
  data.threads = 1;
  data.assume_disjoint = options.assume_disjoint;
  data.target = *target;
  data.scratch_bytes = 0;
  data.cost_ns = 0;
  data.executor = dimorder_executor{};
  CopySpans(problem, &data);
  if (data.num_pieces == 0) return Status();

  Piece& piece = plan->pieces[0];
  piece.src_buffer = piece.dst_buffer = 0;
  piece.src_offset = problem.src_offset;
  piece.dst_offset = problem.dst_offset;
  piece.src_element_bytes = piece.dst_element_bytes = static_cast<uint8_t>(problem.unit);
  Planner(problem, options, &data, &piece).Run();
  return Status();
}

}  // namespace v1
}  // namespace dimorder
