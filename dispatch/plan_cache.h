// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLAN_CACHE_H_
#define DIMORDER_DISPATCH_PLAN_CACHE_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "dimorder/dimorder.h"
#include "dispatch/plan_handle.h"
#include "dispatch/plan_key.h"

// The part of the plan cache that all threads share (plan_front.h is the part before it). Every call may fail to get a
// lock, since after fork one may belong to a thread that the child does not have; it then does without the cache.
namespace dimorder {
inline namespace v1 {

// A plan and its key, which the cache, the fronts of threads and running calls refer to.
struct CachedPlan {
  std::atomic<uint32_t> references;
  uint64_t hash;
  uint64_t generation;  // the plan is stale in any other
  PlanHandle* handle;
  // The shard's lists; guarded by its lock.
  CachedPlan* bucket_next;
  CachedPlan* newer;
  CachedPlan* older;
  size_t num_words;

  // The key's words follow.
  const uint64_t* words() const { return reinterpret_cast<const uint64_t*>(this + 1); }
  bool Matches(const PlanKey& key) const {
    return hash == key.hash && std::equal(words(), words() + num_words, key.words, key.words + key.size);
  }
};

// A plan with one reference, which owns `handle` from now on; null, and `handle` still the caller's, without memory.
CachedPlan* MakeCachedPlan(const PlanKey& key, uint64_t generation, PlanHandle* handle) noexcept;
inline void RetainCachedPlan(CachedPlan* plan) { plan->references.fetch_add(1, std::memory_order_relaxed); }
void ReleaseCachedPlan(CachedPlan* plan) noexcept;

// Whether plans are kept at all.
bool PlanCacheIsOn() noexcept;
// The plan of this key and generation, with a reference for the caller, or null.
CachedPlan* FindSharedPlan(const PlanKey& key, uint64_t generation) noexcept;
// Lets all threads find a plan. It takes the place of one with the same key, and of the least recently used ones where
// there are too many.
void SharePlan(CachedPlan* plan) noexcept;

// SetPlanCacheCapacity, ClearPlanCache and GetPlanCacheStats for the shared part; both of the former advance the
// generation, so that no stale plan runs even where a lock was not to be had.
void SetSharedPlanCapacity(size_t plans) noexcept;
void ClearSharedPlans() noexcept;
PlanCacheStats GetSharedPlanStats() noexcept;
// Adds hits that a front has counted.
void AddPlanCacheHits(uint64_t more) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLAN_CACHE_H_
