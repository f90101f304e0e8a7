// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_EXECUTE_H_
#define DIMORDER_DISPATCH_EXECUTE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dimorder/status.h"
#include "dispatch/plan_data.h"

namespace dimorder {
inline namespace v1 {

// Scratch that a task keeps on its stack when nothing better is to be had: threads with 64 KB stacks must work.
inline constexpr int64_t kStackScratchBytes = int64_t{32} * 1024;

// Memory that tasks borrow while they run: `count` slots of `slot_bytes`, each taken by setting its flag. Owned by a
// PlanHandle. Any number of threads may borrow at once.
struct ScratchSlots {
  std::atomic<bool>* taken = nullptr;
  uint8_t* memory = nullptr;
  int64_t slot_bytes = 0;
  int64_t count = 0;
};

// Whether what a plan reads and what it writes overlap.
inline bool Overlap(const PlanData& plan, const void* src, const void* dst) {
  const uintptr_t distance = reinterpret_cast<uintptr_t>(dst) - reinterpret_cast<uintptr_t>(src);
  return distance - plan.first_overlap < plan.overlaps;
}

// Runs a plan by way of tasks. `slots` may be null: tasks then use their stack when scratch fits there, else the direct
// kernels. Checks null pointers and overlap first. Allocates nothing and takes no lock.
Status ExecuteTasks(const PlanData& plan, const void* src, void* dst, const ScratchSlots* slots) noexcept;

// Runs a plan: the same, but most moves of a few hundred bytes are one call, and take longer to set up than to run.
inline Status ExecutePlan(const PlanData& plan, const void* src, void* dst, const ScratchSlots* slots) noexcept {
  if (!plan.calls_once || src == nullptr || dst == nullptr || Overlap(plan, src, dst))
    return ExecuteTasks(plan, src, dst, slots);
  const Piece& piece = plan.pieces()[0];
  piece.kernel(piece.SrcIn(src), piece.DstIn(dst), piece.args);
  return Status();
}
// The same with the caller's scratch, threads * scratch_bytes of it, of any alignment.
Status ExecutePlan(const PlanData& plan, const void* src, void* dst, std::span<std::byte> workspace) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_EXECUTE_H_
