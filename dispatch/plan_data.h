// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLAN_DATA_H_
#define DIMORDER_DISPATCH_PLAN_DATA_H_

#include <cstdint>
#include <type_traits>

#include "dispatch/choice.h"
#include "dispatch/probe.h"
#include "dispatch/problem.h"
#include "dispatch/store_trials.h"
#include "kernels/kernels.h"

namespace dimorder {
inline namespace v1 {

// A loop that the executor walks round the kernel: over an outer axis, or over the blocks of an inner axis.
struct Loop {
  static constexpr int32_t kOuter = -1;
  int64_t n;
  int64_t is, os;  // bytes from one step to the next
  int32_t inner;   // the inner axis that this loop cuts into blocks, or kOuter
  int64_t last;    // that axis' count in the last block

  // That axis' count in block `index`, where it is `full` in all but the last.
  int64_t CountIn(int64_t index, int64_t full) const { return index == n - 1 ? last : full; }
};

inline constexpr int64_t kNoPack = -1;
inline constexpr int kMaxLoops = kMaxAxes + kInnerAxes;

// One rectangle of a plan: which buffers, which kernel, which loops. Loops are outermost first.
struct Piece {
  KernelFn kernel;
  KernelFn direct;  // what runs when no scratch is to be had; equals `kernel` when that needs none
  KernelId kernel_id;
  uint8_t src_buffer, dst_buffer;
  uint8_t src_element_bytes, dst_element_bytes;
  int32_t num_loops;
  int64_t src_offset, dst_offset;
  int64_t steps;        // kernel calls: the product of all loops' n
  bool streams;         // the kernel writes past the caches
  int64_t pack_offset;  // of KernelArgs::pack in a task's scratch; kNoPack when the kernel does not pack
  KernelArgs args;      // of a full block; what points to scratch is set by tasks
  union {
    Loop loops[kMaxLoops];  // the first num_loops are set
    BlockTables blocks;     // of kLookup, which has no loops: what its arguments point to
  };
  union {  // what those of kJoined and kTwoPass point to
    JoinedAxes joined;
    Passes passes;
  };

  // Where the first step reads and writes.
  const uint8_t* SrcIn(const void* src) const { return static_cast<const uint8_t*>(src) + src_offset; }
  uint8_t* DstIn(void* dst) const { return static_cast<uint8_t*>(dst) + dst_offset; }
};

// What Execute asks of the destination, and what it makes of the answers.
struct Question {
  Probe probe;
  mutable StoreTrials trials;
};

// A plan without its memory: trivially copyable, no pointers to data. The pieces follow it (see PlanStorage), in a
// PlanHandle without what they do not use.
struct PlanData {
  int32_t num_pieces;
  int32_t threads;  // tasks that Execute makes
  bool calls_once;  // one kernel call, whose arguments need no pointers
  bool asks;        // Execute asks whether the destination is in memory; where it is, streamed() mostly runs instead
  Origin origin;
  int64_t target;  // Highway's bit
  int64_t bytes;
  int64_t src_begin, src_end, dst_begin, dst_end;
  // Source and destination overlap where dst - src is one of `overlaps` numbers from first_overlap on, modulo 2^64;
  // none where that is not to be tested.
  uintptr_t first_overlap, overlaps;
  int64_t scratch_bytes;  // per task; a multiple of a line, with a line to spare for alignment
  double cost_ns;
  dimorder_executor executor;  // parallel_for null: serial

  const Piece* pieces() const { return reinterpret_cast<const Piece*>(this + 1); }
  // Of a plan that asks: the same move by as many pieces that write past the caches, and what is asked.
  const Piece* streamed() const { return pieces() + num_pieces; }
  const Question& question() const { return *reinterpret_cast<const Question*>(streamed() + num_pieces); }
};

// A plan of K pieces on the stack.
template <int K>
struct PlanStorage {
  PlanData data;
  Piece pieces[K];
  Piece streamed[K];
  Question question;
};
static_assert(std::is_trivially_copyable_v<PlanStorage<1>>);
static_assert(sizeof(PlanData) % alignof(Piece) == 0 && sizeof(Piece) % alignof(Question) == 0);

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLAN_DATA_H_
