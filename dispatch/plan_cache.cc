// SPDX-License-Identifier: Apache-2.0
//
// A bounded map from keys to plans, shared by all threads: shards, each with a lock of its own, a hash table of fixed
// size and a list from the most to the least recently used plan. A shard holds its lock for a search or for a few
// pointers; plans are made and freed outside of it.
//
// Validity does not hang on the locks. A plan carries the generation that it was made in and is found in that one
// only, so clearing means to advance the generation; that the lists are emptied then gives the memory back.
#include "dispatch/plan_cache.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "dispatch/spin_lock.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

constexpr size_t kDefaultCapacity = 1024;
constexpr size_t kMaxCapacity = 65536;
constexpr size_t kMaxShards = 16;
constexpr size_t kMinShardCapacity = 64;  // smaller caches have one shard: strictly the least recently used plan leaves
constexpr size_t kBuckets = 256;

struct Shard {
  std::atomic<bool> locked;
  std::atomic<size_t> size;  // written under the lock
  CachedPlan* newest;
  CachedPlan* oldest;
  CachedPlan* buckets[kBuckets];
};

constinit Shard shards[kMaxShards] = {};
constinit std::atomic<size_t> capacity{kDefaultCapacity};
constinit std::atomic<uint64_t> hits{0};
constinit std::atomic<uint64_t> misses{0};
constinit std::atomic<uint64_t> evictions{0};

size_t NumShards(size_t plans) { return std::clamp<size_t>(plans / kMinShardCapacity, 1, kMaxShards); }

// The shards' shares add up to the capacity; those beyond NumShards() have none.
size_t ShardCapacity(const Shard& shard) {
  const size_t plans = capacity.load(std::memory_order_relaxed);
  const size_t index = static_cast<size_t>(&shard - shards);
  const size_t num_shards = NumShards(plans);
  return index < num_shards ? plans / num_shards + (index < plans % num_shards ? 1 : 0) : 0;
}

Shard& ShardOf(uint64_t hash) { return shards[(hash >> 32) % NumShards(capacity.load(std::memory_order_relaxed))]; }

CachedPlan** BucketOf(Shard& shard, uint64_t hash) { return &shard.buckets[hash % kBuckets]; }

void LinkAsNewest(Shard& shard, CachedPlan* plan) {
  plan->newer = nullptr;
  plan->older = shard.newest;
  (shard.newest == nullptr ? shard.oldest : shard.newest->newer) = plan;
  shard.newest = plan;
}

void UnlinkFromUse(Shard& shard, CachedPlan* plan) {
  (plan->newer == nullptr ? shard.newest : plan->newer->older) = plan->older;
  (plan->older == nullptr ? shard.oldest : plan->older->newer) = plan->newer;
}

void Insert(Shard& shard, CachedPlan* plan) {
  CachedPlan** bucket = BucketOf(shard, plan->hash);
  plan->bucket_next = *bucket;
  *bucket = plan;
  LinkAsNewest(shard, plan);
  shard.size.store(shard.size.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// Takes a plan out of the shard and puts it before `removed`, chained by bucket_next: to be released when the lock is.
void Remove(Shard& shard, CachedPlan* plan, CachedPlan** removed) {
  CachedPlan** link = BucketOf(shard, plan->hash);
  while (*link != plan) link = &(*link)->bucket_next;
  *link = plan->bucket_next;
  UnlinkFromUse(shard, plan);
  shard.size.store(shard.size.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  plan->bucket_next = *removed;
  *removed = plan;
}

void ReleaseChain(CachedPlan* plan) {
  while (plan != nullptr) {
    CachedPlan* next = plan->bucket_next;
    ReleaseCachedPlan(plan);
    plan = next;
  }
}

CachedPlan* FindSameKey(Shard& shard, const CachedPlan& wanted) {
  for (CachedPlan* plan = *BucketOf(shard, wanted.hash); plan != nullptr; plan = plan->bucket_next) {
    if (plan->hash == wanted.hash &&
        std::equal(plan->words(), plan->words() + plan->num_words, wanted.words(), wanted.words() + wanted.num_words)) {
      return plan;
    }
  }
  return nullptr;
}

CachedPlan* FindAndUse(Shard& shard, const PlanKey& key, uint64_t generation) {
  for (CachedPlan* plan = *BucketOf(shard, key.hash); plan != nullptr; plan = plan->bucket_next) {
    if (plan->generation != generation || !plan->Matches(key)) continue;
    UnlinkFromUse(shard, plan);
    LinkAsNewest(shard, plan);
    RetainCachedPlan(plan);
    return plan;
  }
  return nullptr;
}

}  // namespace

CachedPlan* MakeCachedPlan(const PlanKey& key, uint64_t generation, PlanHandle* handle) noexcept {
  const size_t key_bytes = key.size * sizeof(uint64_t);
  void* memory = ::operator new(sizeof(CachedPlan) + key_bytes, std::nothrow);
  if (memory == nullptr) return nullptr;
  CachedPlan* plan = new (memory) CachedPlan{1, key.hash, generation, handle, nullptr, nullptr, nullptr, key.size};
  memcpy(static_cast<void*>(plan + 1), key.words, key_bytes);
  return plan;
}

void ReleaseCachedPlan(CachedPlan* plan) noexcept {
  if (plan->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  ReleaseHandle(plan->handle);
  ::operator delete(plan);
}

bool PlanCacheIsOn() noexcept { return capacity.load(std::memory_order_relaxed) != 0; }

CachedPlan* FindSharedPlan(const PlanKey& key, uint64_t generation) noexcept {
  Shard& shard = ShardOf(key.hash);
  CachedPlan* plan = nullptr;
  if (const Locked lock(shard.locked, Patience::kBrief); lock) plan = FindAndUse(shard, key, generation);
  (plan == nullptr ? misses : hits).fetch_add(1, std::memory_order_relaxed);
  return plan;
}

void SharePlan(CachedPlan* plan) noexcept {
  Shard& shard = ShardOf(plan->hash);
  CachedPlan* removed = nullptr;
  if (const Locked lock(shard.locked, Patience::kBrief); lock) {
    if (CachedPlan* same = FindSameKey(shard, *plan); same != nullptr) Remove(shard, same, &removed);
    RetainCachedPlan(plan);
    Insert(shard, plan);
    while (shard.size.load(std::memory_order_relaxed) > ShardCapacity(shard)) {
      Remove(shard, shard.oldest, &removed);
      evictions.fetch_add(1, std::memory_order_relaxed);
    }
  }
  ReleaseChain(removed);
}

void SetSharedPlanCapacity(size_t plans) noexcept {
  // Another capacity puts keys into other shards: start anew.
  capacity.store(std::min(plans, kMaxCapacity), std::memory_order_relaxed);
  ClearSharedPlans();
}

void ClearSharedPlans() noexcept {
  AdvancePlanGeneration();
  for (Shard& shard : shards) {
    CachedPlan* removed = nullptr;
    if (const Locked lock(shard.locked, Patience::kLong); lock) {
      while (shard.oldest != nullptr) Remove(shard, shard.oldest, &removed);
    }
    ReleaseChain(removed);
  }
}

PlanCacheStats GetSharedPlanStats() noexcept {
  PlanCacheStats stats;
  stats.hits = hits.load(std::memory_order_relaxed);
  stats.misses = misses.load(std::memory_order_relaxed);
  stats.evictions = evictions.load(std::memory_order_relaxed);
  for (const Shard& shard : shards) stats.size += shard.size.load(std::memory_order_relaxed);
  stats.capacity = capacity.load(std::memory_order_relaxed);
  return stats;
}

void AddPlanCacheHits(uint64_t more) noexcept { hits.fetch_add(more, std::memory_order_relaxed); }

}  // namespace v1
}  // namespace dimorder
