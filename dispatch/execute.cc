// SPDX-License-Identifier: Apache-2.0
// Runs plans: checks the pointers, shares the steps out among tasks, walks the loops.
//
// All loops of a piece are one odometer; its steps are numbered, and each task takes a consecutive range of numbers.
// Only the first step of a range is found by division; from there on positions change by additions.
#include "dispatch/execute.h"

namespace dimorder {
inline namespace v1 {
namespace {

// The odometer of one piece: where its kernel reads and writes, and the counts in its arguments. Begins at step 0.
class Walker {
 public:
  Walker(const Piece& piece, const uint8_t* src, uint8_t* dst, KernelArgs& args)
      : piece_(piece), src_(src), dst_(dst), args_(args) {}

  const uint8_t* src() const { return src_; }
  uint8_t* dst() const { return dst_; }

  void Seek(int64_t step) {
    for (int l = piece_.num_loops - 1; l >= 0; --l) {
      const Loop& loop = piece_.loops[l];
      index_[l] = step % loop.n;
      step /= loop.n;
      src_ += index_[l] * loop.is;
      dst_ += index_[l] * loop.os;
      SetBlock(loop, index_[l]);
    }
  }

  void Next() {
    for (int l = piece_.num_loops - 1; l >= 0; --l) {
      const Loop& loop = piece_.loops[l];
      src_ += loop.is;
      dst_ += loop.os;
      if (++index_[l] < loop.n) return SetBlock(loop, index_[l]);
      index_[l] = 0;
      src_ -= loop.n * loop.is;
      dst_ -= loop.n * loop.os;
      SetBlock(loop, 0);
    }
  }

  // Where src() will be after Next().
  const uint8_t* NextSource() const {
    const uint8_t* src = src_;
    for (int l = piece_.num_loops - 1; l >= 0; --l) {
      const Loop& loop = piece_.loops[l];
      if (index_[l] + 1 < loop.n) return src + loop.is;
      src -= index_[l] * loop.is;
    }
    return src;
  }

 private:
  void SetBlock(const Loop& loop, int64_t index) {
    if (loop.inner == Loop::kOuter) return;
    args_.inner[loop.inner].n = loop.CountIn(index, piece_.args.inner[loop.inner].n);
  }

  const Piece& piece_;
  const uint8_t* src_;
  uint8_t* dst_;
  KernelArgs& args_;
  int64_t index_[kMaxLoops];
};

struct Range {
  int64_t begin, end;
};

// The part of `steps` that task `i` of `tasks` takes; sizes differ by at most one.
Range TaskRange(int64_t steps, int64_t i, int64_t tasks) {
  const int64_t share = steps / tasks;
  const int64_t rest = steps % tasks;
  const int64_t begin = i * share + (i < rest ? i : rest);
  return Range{begin, begin + share + (i < rest ? 1 : 0)};
}

// One Execute, as all its tasks see it.
struct Job {
  const PlanData& plan;
  const Piece* pieces;  // the plan's, or its streamed()
  const void* src;
  void* dst;
  const ScratchSlots* slots;  // or null
  uint8_t* workspace;         // or null; plan.scratch_bytes for each task
};

void SetPointers(const Piece& piece, uint8_t* scratch, KernelArgs* args) {
  args->scratch = scratch;
  args->MovedFrom(piece.args);
  if (piece.pack_offset != kNoPack && scratch != nullptr) args->pack = scratch + piece.pack_offset;
}

// Apart, so that plans of one step are not slowed by what the others need.
[[gnu::noinline]] void RunRange(const Job& job, const Piece& piece, const Range& range, KernelFn kernel,
                                KernelArgs& args) {
  Walker walker(piece, piece.SrcIn(job.src), piece.DstIn(job.dst), args);
  walker.Seek(range.begin);
  for (int64_t step = range.begin + 1; step < range.end; ++step) {
    if (piece.streams) args.next = walker.NextSource();
    kernel(walker.src(), walker.dst(), args);
    walker.Next();
  }
  args.next = nullptr;
  kernel(walker.src(), walker.dst(), args);
}

// Runs a task with its scratch; without, staged pieces store directly.
void RunSteps(const Job& job, int64_t task, uint8_t* scratch) {
  for (int32_t p = 0; p < job.plan.num_pieces; ++p) {
    const Piece& piece = job.pieces[p];
    const KernelFn kernel = scratch == nullptr ? piece.direct : piece.kernel;
    KernelArgs args = piece.args;
    SetPointers(piece, scratch, &args);
    if (piece.steps == 1) {
      if (task == 0) kernel(piece.SrcIn(job.src), piece.DstIn(job.dst), args);
    } else {
      const Range range = TaskRange(piece.steps, task, job.plan.threads);
      if (range.begin != range.end) RunRange(job, piece, range, kernel, args);
    }
    if (piece.streams) FenceStreams();
  }
}

// Apart, so that only tasks that need it have a large frame.
[[gnu::noinline]] void RunOnStack(const Job& job, int64_t task) {
  alignas(kPageBytes) uint8_t scratch[kStackScratchBytes];
  RunSteps(job, task, scratch);
}

bool RunInSlot(const Job& job, int64_t task) {
  if (job.slots == nullptr) return false;
  for (int64_t i = 0; i < job.slots->count; ++i) {
    if (job.slots->taken[i].exchange(true, std::memory_order_acquire)) continue;
    RunSteps(job, task, job.slots->memory + i * job.slots->slot_bytes);
    job.slots->taken[i].store(false, std::memory_order_release);
    return true;
  }
  return false;
}

void RunTask(void* arg, size_t index) {
  const Job& job = *static_cast<const Job*>(arg);
  const int64_t task = static_cast<int64_t>(index);
  const int64_t bytes = job.plan.scratch_bytes;
  if (bytes == 0) {
    // No kernel of this plan looks at scratch; any pointer but null says that none is missing.
    return RunSteps(job, task, reinterpret_cast<uint8_t*>(arg));
  }
  if (job.workspace != nullptr) return RunSteps(job, task, job.workspace + task * bytes);
  if (RunInSlot(job, task)) return;
  if (bytes <= kStackScratchBytes) return RunOnStack(job, task);
  RunSteps(job, task, nullptr);
}

Status CheckPointers(const PlanData& plan, const void* src, const void* dst) {
  if (src == nullptr || dst == nullptr) {
    return Status(StatusCode::kInvalidArgument, Rule::kNullPointer, src == nullptr ? 0 : 1);
  }
  if (!Overlap(plan, src, dst)) return Status();
  const uintptr_t src_begin = reinterpret_cast<uintptr_t>(src) + static_cast<uintptr_t>(plan.src_begin);
  const uintptr_t dst_begin = reinterpret_cast<uintptr_t>(dst) + static_cast<uintptr_t>(plan.dst_begin);
  return Status(StatusCode::kInvalidArgument, Rule::kBuffersOverlap, plan.src_end - plan.src_begin,
                plan.dst_end - plan.dst_begin, static_cast<int64_t>(dst_begin - src_begin));
}

// A copy, since what is handed to an executor is not const.
void RunTasks(Job job) {
  if (job.plan.threads == 1) return RunTask(&job, 0);
  const dimorder_executor& executor = job.plan.executor;
  executor.parallel_for(executor.ctx, static_cast<size_t>(job.plan.threads), &RunTask, &job);
}

// What is in memory would be read into the caches before it is written over, which pays only where it stays there.
const Piece* PiecesFor(const PlanData& plan, const void* dst) {
  if (!plan.asks) return plan.pieces();
  const Question& question = plan.question();
  return question.trials.NextStreams(IsInMemory(question.probe, dst)) ? plan.streamed() : plan.pieces();
}

Status Run(const PlanData& plan, const void* src, void* dst, const ScratchSlots* slots, uint8_t* workspace) {
  if (plan.bytes == 0) return Status();
  if (Status status = CheckPointers(plan, src, dst); !status.ok()) return status;
  RunTasks(Job{plan, PiecesFor(plan, dst), src, dst, slots, workspace});
  return Status();
}

}  // namespace

Status ExecuteTasks(const PlanData& plan, const void* src, void* dst, const ScratchSlots* slots) noexcept {
  return Run(plan, src, dst, slots, nullptr);
}

Status ExecutePlan(const PlanData& plan, const void* src, void* dst, std::span<std::byte> workspace) noexcept {
  if (plan.scratch_bytes == 0) return ExecutePlan(plan, src, dst, nullptr);
  const int64_t needed = plan.threads * plan.scratch_bytes;
  if (workspace.size() < static_cast<size_t>(needed)) {
    return Status(StatusCode::kInvalidArgument, Rule::kWorkspaceSize, static_cast<int64_t>(workspace.size()), needed);
  }
  // A task's share has room for this: see PlanData::scratch_bytes.
  const uintptr_t past_line = reinterpret_cast<uintptr_t>(workspace.data()) % kLineBytes;
  uint8_t* memory = reinterpret_cast<uint8_t*>(workspace.data()) + (past_line == 0 ? 0 : kLineBytes - past_line);
  return Run(plan, src, dst, nullptr, memory);
}

}  // namespace v1
}  // namespace dimorder
