// SPDX-License-Identifier: Apache-2.0
//
// The one-shot calls. Each asks, in this order, for the plan that the thread used last, its front, the shared cache and
// the planner. The first compares the arguments where they are, the next two need a key, and only the last one needs a
// Move: each step makes no more than it needs.
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

// Runs a plan of the thread's front.
Status RunFound(CachedPlan* plan, const Options& options, const void* src, void* dst) {
  thread_front->CountHit();
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
  if (options.allocator != nullptr || options.tuning != Tuning::kEstimate) {
    const Result<PlanHandle*> handle = CreateHandle(move, options);
    if (handle.ok()) return RunHandleOnce(*handle, src, dst);
    if (handle.status().code() != StatusCode::kOutOfMemory) return handle.status();
  }
  Options estimate = options;
  estimate.tuning = Tuning::kEstimate;
  PlanStorage<1> plan;
  if (const Status status = MakePlan(move, estimate, &plan); !status.ok()) return status;
  if (plan.data.scratch_bytes > kStackScratchBytes) {
    if (const Result<PlanHandle*> handle = CreateHandle(move, estimate); handle.ok()) {
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
  // Measuring makes all earlier plans stale, so also one of this generation.
  CachedPlan* plan = PlanGeneration() == generation ? MakeCachedPlan(key, generation, *handle) : nullptr;
  if (plan == nullptr) return RunHandleOnce(*handle, src, dst);
  SharePlan(plan);
  return RunAndKeep(plan, src, dst);
}

// A call that does not repeat the thread's last one.
template <class Request>
[[gnu::noinline]] Status RunAnother(const Request& request, const Options& options, const void* src, void* dst) {
  PlanKey key;
  PlanKeyWriter writer(&key);
  if (!request.AddTo(writer, options)) return RunOnce(request.ToMove(), options, src, dst);
  writer.Finish();
  if (thread_front != nullptr) {
    if (CachedPlan* plan = thread_front->Find(key); plan != nullptr) return RunFound(plan, options, src, dst);
    AddPlanCacheHits(thread_front->TakeHits());
  }
  if (!PlanCacheIsOn()) return RunOnce(request.ToMove(), options, src, dst);
  const uint64_t generation = PlanGeneration();
  if (CachedPlan* plan = FindSharedPlan(key, generation); plan != nullptr) return RunAndKeep(plan, src, dst);
  return RunNew(request.ToMove(), options, key, generation, src, dst);
}

// By value, so that a repeated call keeps all of the request in registers.
template <class Request>
Status Run(const Request request, const Options& options, const void* src, void* dst) {
  if (thread_front != nullptr) {
    if (CachedPlan* plan = thread_front->Last(); plan != nullptr) {
      PlanKeyMatcher matcher(plan->words());
      if (request.AddTo(matcher, options)) return RunFound(plan, options, src, dst);
    }
  }
  return RunAnother(Request(request), options, src, dst);
}

}  // namespace

Status Permute(const void* src, void* dst, Dims sizes, const Perm& perm, int64_t element_bytes,
               const Options& options) noexcept {
  return Run(OrderRequest{sizes, nullptr, perm, element_bytes}, options, src, dst);
}

Status ToDimOrder(const void* src, void* dst, Dims sizes, const DimOrder& from, const DimOrder& to,
                  int64_t element_bytes, const Options& options) noexcept {
  return Run(OrderRequest{sizes, &from, to, element_bytes}, options, src, dst);
}

Status Execute(const Move& move, const void* src, void* dst, const Options& options) noexcept {
  return Run(MoveRequest{move}, options, src, dst);
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
  if (thread_front != nullptr) AddPlanCacheHits(thread_front->TakeHits());
  return GetSharedPlanStats();
}

}  // namespace v1
}  // namespace dimorder
