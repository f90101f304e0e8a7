// SPDX-License-Identifier: Apache-2.0
//
// The one-shot calls. Each writes its arguments into a key and asks, in this order, the thread's own front, the shared
// cache, and the planner. Only the last one needs a Move, so only then is it built.
//
// Nothing here can fail for want of memory: a plan that cannot be kept is made on the stack and run once.
#include <cstddef>
#include <cstdint>

#include "dimorder/dimorder.h"
#include "dispatch/execute.h"
#include "dispatch/plan.h"
#include "dispatch/plan_cache.h"
#include "dispatch/plan_front.h"
#include "dispatch/plan_handle.h"
#include "dispatch/plan_key.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

void CountFrontHits() {
  if (thread_front != nullptr) AddPlanCacheHits(thread_front->TakeHits());
}

// Runs a plan of the thread's front.
Status RunFound(CachedPlan* plan, const Options& options, const void* src, void* dst) {
  if (options.executor == nullptr) return ExecuteHandle(plan->handle, src, dst);
  // The caller's parallel_for may come back with one-shot calls of its own, which change the front.
  RetainCachedPlan(plan);
  const Status status = ExecuteHandle(plan->handle, src, dst);
  ReleaseCachedPlan(plan);
  return status;
}

// Runs a plan and puts it into the thread's front, reference and all.
Status RunAndKeep(CachedPlan* plan, const void* src, void* dst) {
  const Status status = ExecuteHandle(plan->handle, src, dst);
  if (PlanFront* front = ThreadFront(); front != nullptr) {
    front->Keep(plan);
  } else {
    ReleaseCachedPlan(plan);
  }
  return status;
}

Status RunHandleOnce(PlanHandle* handle, const void* src, void* dst) {
  const Status status = ExecuteHandle(handle, src, dst);
  ReleaseHandle(handle);
  return status;
}

Status RunOnce(const Move& move, const Options& options, const void* src, void* dst) {
  if (options.allocator != nullptr) {
    const Result<PlanHandle*> handle = CreateHandle(move, options);
    return handle.ok() ? RunHandleOnce(*handle, src, dst) : handle.status();
  }
  PlanStorage<1> plan;
  if (const Status status = MakePlan(move, options, &plan); !status.ok()) return status;
  if (plan.data.scratch_bytes > kStackScratchBytes) {
    if (const Result<PlanHandle*> handle = CreateHandle(move, options); handle.ok()) {
      return RunHandleOnce(*handle, src, dst);
    }
  }
  return ExecutePlan(plan.data, src, dst, nullptr);
}

// Makes a plan, runs it, and keeps it where that is possible.
Status RunNew(const Move& move, const Options& options, const PlanKey& key, uint64_t generation, const void* src,
              void* dst) {
  const Result<PlanHandle*> handle = CreateHandle(move, options);
  if (!handle.ok()) {
    return handle.status().code() == StatusCode::kOutOfMemory ? RunOnce(move, options, src, dst) : handle.status();
  }
  CachedPlan* plan = MakeCachedPlan(key, generation, *handle);
  if (plan == nullptr) return RunHandleOnce(*handle, src, dst);
  SharePlan(plan);
  return RunAndKeep(plan, src, dst);
}

// All but a hit in the front. Apart, and without a key when the request has none, so that a hit has a small frame.
template <class MakeMove>
[[gnu::noinline]] Status RunMissed(const PlanKey* key, const MakeMove& make_move, const Options& options,
                                   const void* src, void* dst) {
  CountFrontHits();
  if (key == nullptr || !PlanCacheIsOn()) return RunOnce(make_move(), options, src, dst);
  const uint64_t generation = PlanGeneration();
  if (CachedPlan* plan = FindSharedPlan(*key, generation); plan != nullptr) return RunAndKeep(plan, src, dst);
  return RunNew(make_move(), options, *key, generation, src, dst);
}

template <class MakeMove>
Status Run(const PlanKey* key, const MakeMove& make_move, const Options& options, const void* src, void* dst) {
  if (key != nullptr && thread_front != nullptr) {
    if (CachedPlan* plan = thread_front->Find(*key); plan != nullptr) return RunFound(plan, options, src, dst);
  }
  return RunMissed(key, make_move, options, src, dst);
}

}  // namespace

Status Permute(const void* src, void* dst, Dims sizes, const Perm& perm, int64_t element_bytes,
               const Options& options) noexcept {
  PlanKey key;
  const bool has_key = key.Fill(sizes, nullptr, perm, element_bytes, options);
  const auto make_move = [&] { return Move::Permute(sizes, perm, element_bytes); };
  return Run(has_key ? &key : nullptr, make_move, options, src, dst);
}

Status ToDimOrder(const void* src, void* dst, Dims sizes, const DimOrder& from, const DimOrder& to,
                  int64_t element_bytes, const Options& options) noexcept {
  PlanKey key;
  const bool has_key = key.Fill(sizes, &from, to, element_bytes, options);
  const auto make_move = [&] { return Move::ToDimOrder(sizes, from, to, element_bytes); };
  return Run(has_key ? &key : nullptr, make_move, options, src, dst);
}

Status Execute(const Move& move, const void* src, void* dst, const Options& options) noexcept {
  PlanKey key;
  const bool has_key = key.Fill(move, options);
  const auto make_move = [&]() -> const Move& { return move; };
  return Run(has_key ? &key : nullptr, make_move, options, src, dst);
}

void SetPlanCacheCapacity(size_t plans) noexcept {
  SetSharedPlanCapacity(plans);
  if (thread_front != nullptr) thread_front->Clear();
}

void ClearPlanCache() noexcept {
  ClearSharedPlans();
  if (thread_front != nullptr) thread_front->Clear();
}

PlanCacheStats GetPlanCacheStats() noexcept {
  CountFrontHits();
  return GetSharedPlanStats();
}

}  // namespace v1
}  // namespace dimorder
