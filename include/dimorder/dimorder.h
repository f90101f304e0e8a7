// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DIMORDER_H_
#define DIMORDER_DIMORDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "dimorder/executor.h"
#include "dimorder/export.h"
#include "dimorder/layout.h"
#include "dimorder/status.h"
#include "dimorder/version.h"

// dimorder moves tensors between memory layouts at memory speed.
//
// Two conventions name the same move. A perm is numpy.transpose's: destination axis i is source axis perm[i]. A
// dim_order is ExecuTorch's: the logical axes from outermost to innermost in memory. For a dense f32 tensor of logical
// sizes (N,C,H,W) = {1,64,56,56}, to channels-last, element size 4:
//
//   dimorder::Permute(src, dst, {1, 64, 56, 56}, {0, 2, 3, 1}, 4);
//   dimorder::ToDimOrder(src, dst, {1, 64, 56, 56}, dimorder::kNCHW, dimorder::kNHWC, 4);
//
// Both go through a cache of plans. A plan of one's own is faster still, and can hold any strides:
//
//   auto move = dimorder::Move::ToDimOrder({1, 64, 56, 56}, dimorder::kNCHW, dimorder::kNHWC, 4);
//   auto plan = dimorder::Plan::Create(move);
//   if (!plan.ok()) return fail(plan.status().ToString());
//   dimorder::Status status = plan->Execute(src, dst);   // any number of times, from any number of threads
//
// Elements are moved as bits: nothing is rounded, NaN payloads survive. Elements of 1 to 8 and of 16 bytes have SIMD
// kernels, and so has what an unchanged inner axis makes that wide; all others are short runs. Up to 32 axes; sizes 0
// and 1 anywhere.
//
// The library never throws, aborts, exits or prints. What can be wrong is a Status that names the rule and the value.
// It allocates in Plan::Create, Plan::Measure and the one-shot calls only, from Options::allocator where there is one.
namespace dimorder {
inline namespace v1 {

// Whether stores bypass the caches.
enum class Stores : int32_t {
  kAuto = 0,         // where the move is large for the caches; and where the last level is near (96 MB at most), also
                     // from the larger of half of L2 and 512 KB per thread on, if its destination is not in the caches
                     // when it is run: Execute then reads a few bytes that it will write, to find out (and stores now
                     // and then, to find out whether what is repeated stays in them)
  kTemporal = 1,     // never
  kNonTemporal = 2,  // wherever the kernel has such a form
};

// How a plan's kernel, blocks, order and stores are chosen.
enum class Tuning : int32_t {
  kEstimate = 0,  // from the sizes of the caches, without touching data; or from wisdom (wisdom.h)
  kMeasure = 1,   // by running a few on scratch, the estimate first; the fastest is remembered as wisdom, which later
                  // plans take, also those that measure, until ForgetWisdom. Views that span more than 64 MB, and more
                  // than four times what is moved, keep the estimate, but for Plan::Measure
};

// How a move is to be run. The defaults are right for nearly everyone.
struct Options {
  // Threads: nullptr is serial. See executor.h; dimorder/openmp.h has one made of OpenMP.
  const dimorder_executor* executor = nullptr;
  // Memory of the plan, and of what kMeasure moves: nullptr is operator new(std::nothrow). Never called by a plan's
  // Execute.
  const dimorder_allocator* allocator = nullptr;
  // Instruction set by name ("AVX2"); nullptr: as targets.h says.
  const char* target = nullptr;
  Stores stores = Stores::kAuto;
  Tuning tuning = Tuning::kEstimate;
  // kMeasure: about how long it may take. The plan that it starts from is never given up for a slower one.
  int64_t tuning_ns = 100'000'000;
  // Skips Execute's overlap test, for interleaved views whose byte spans meet but whose bytes do not.
  bool assume_disjoint = false;
};

// What is to be moved: the same logical elements in a source and a destination layout. A plain value.
struct Move {
  Layout src;
  Layout dst;
  int64_t element_bytes = 0;
  bool by_perm = false;  // dst's order is a perm: only the wording of errors depends on it

  // Dense `sizes`, destination axis i = source axis perm[i] (numpy.transpose, then made contiguous).
  DIMORDER_EXPORT static Move Permute(Dims sizes, const Perm& perm, int64_t element_bytes) noexcept;
  // Dense `sizes`, from one dim_order to another.
  DIMORDER_EXPORT static Move ToDimOrder(Dims sizes, const DimOrder& from, const DimOrder& to,
                                         int64_t element_bytes) noexcept;
  // Any two layouts of the same sizes: views, gaps, reversed axes, broadcast sources.
  DIMORDER_EXPORT static Move Between(const Layout& src, const Layout& dst, int64_t element_bytes) noexcept;
};

struct PlanHandle;  // dispatch/plan_handle.h

// A move decided once and run many times. Move-only; an empty Plan (default-made or moved-from) is a move of nothing.
// A plan holds no data pointers, so one plan may run on many buffers from many threads at once.
class Plan {
 public:
  Plan() = default;
  Plan(Plan&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Plan& operator=(Plan&& other) noexcept {
    Plan moved(std::move(other));
    std::swap(handle_, moved.handle_);
    return *this;
  }
  ~Plan() { Release(); }

  // Checks the whole request and decides how to run it. Touches no tensor data. One allocation; kMeasure makes others,
  // which it gives back.
  // Errors: every Rule but those of Execute and ImportWisdom, and kOrderName. Destination axes sorted by |stride| must
  // nest; else kDestinationOverlap.
  DIMORDER_EXPORT static Result<Plan> Create(const Move& move, const Options& options = {}) noexcept;

  // The same with Tuning::kMeasure on the caller's buffers instead of scratch: afterwards `dst` holds the moved
  // elements. Errors: those of Create and Execute; after kAllocationFailed `dst` may hold them, too.
  DIMORDER_EXPORT static Result<Plan> Measure(const Move& move, const void* src, void* dst,
                                              const Options& options = {}) noexcept;

  // Moves the elements. No allocation, no lock, any alignment. Writes nothing but the destination's elements; may read
  // source bytes between elements, never before the first or past the last, and bytes of the destination that it then
  // writes (Stores::kAuto). Errors, before the first byte is written: kNullPointer (unless the move has no elements)
  // and kBuffersOverlap.
  DIMORDER_EXPORT Status Execute(const void* src, void* dst) const noexcept;
  // The same with the caller's scratch, at least ScratchBytes() for each of the plan's threads; else kWorkspaceSize. Of
  // any alignment, but fastest where it begins with a page.
  DIMORDER_EXPORT Status Execute(const void* src, void* dst, std::span<std::byte> workspace) const noexcept;

  // Bytes of scratch per thread; 0 when the plan needs none.
  DIMORDER_EXPORT size_t ScratchBytes() const noexcept;
  // Threads that Execute uses at most, 1 without an executor.
  DIMORDER_EXPORT size_t Threads() const noexcept;
  // Bytes of payload: the number of elements times their size.
  DIMORDER_EXPORT int64_t Bytes() const noexcept;
  // Predicted nanoseconds on a nominal machine, from the bytes and the kernel's compiled-in rate: the same on every
  // machine with the same target, so decisions made with it are reproducible.
  DIMORDER_EXPORT double EstimatedCost() const noexcept;

  // One line on what the plan does: the problem after fusing, kernel, target, blocks, loop order, stores, threads, how
  // it was chosen, bytes, cost. Same contract as Status::Format.
  DIMORDER_EXPORT size_t Describe(char* buffer, size_t capacity) const noexcept;

  std::string Describe() const {
    std::string text(Describe(nullptr, 0), '\0');
    Describe(text.data(), text.size() + 1);
    return text;
  }

 private:
  explicit Plan(PlanHandle* handle) : handle_(handle) {}
  DIMORDER_EXPORT void Release() noexcept;

  PlanHandle* handle_ = nullptr;
};

// The one-shot calls take their plan from the plan cache. Thread-safe. Errors: those of Plan::Create and Plan::Execute,
// but for want of memory they do without a kept plan instead of failing. With Options::allocator the plan is made in
// the caller's memory and given back before the call returns: the cache does not hold on to it.
//
// Move::Permute's move.
DIMORDER_EXPORT Status Permute(const void* src, void* dst, Dims sizes, const Perm& perm, int64_t element_bytes,
                               const Options& options = {}) noexcept;
// Move::ToDimOrder's move.
DIMORDER_EXPORT Status ToDimOrder(const void* src, void* dst, Dims sizes, const DimOrder& from, const DimOrder& to,
                                  int64_t element_bytes, const Options& options = {}) noexcept;
// Any move.
DIMORDER_EXPORT Status Execute(const Move& move, const void* src, void* dst, const Options& options = {}) noexcept;

// The plan cache of the one-shot calls: least recently used plans leave first. Shared by all threads; safe after fork.
struct PlanCacheStats {
  // Of all calls so far. A thread's hits among the few plans that it keeps for itself are added when it next misses,
  // asks for these numbers, or ends.
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t evictions = 0;  // plans that left for others
  size_t size = 0;         // plans in the cache
  size_t capacity = 0;
};
// The number of plans kept, 1024 at the start and at most 65536; 0 turns the cache off. Empties the cache.
DIMORDER_EXPORT void SetPlanCacheCapacity(size_t plans) noexcept;
// No later call uses a plan made before this one. The counts go on.
DIMORDER_EXPORT void ClearPlanCache() noexcept;
DIMORDER_EXPORT PlanCacheStats GetPlanCacheStats() noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DIMORDER_H_
