// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLAN_FRONT_H_
#define DIMORDER_DISPATCH_PLAN_FRONT_H_

#include <cstddef>
#include <cstdint>

#include "dispatch/plan_cache.h"
#include "dispatch/plan_key.h"
#include "dispatch/target.h"

// A thread's pointer to its front must cost one load. With glibc, that of a shared library may live in the static
// block of thread-local storage, which has room to spare for 8 bytes; elsewhere the default model does.
#if defined(__GLIBC__)
#define DIMORDER_TLS_MODEL [[gnu::tls_model("initial-exec")]]
#else
#define DIMORDER_TLS_MODEL
#endif

namespace dimorder {
inline namespace v1 {

// The plans that one thread used last: no locks and no shared cache lines, so a hit costs little more than comparing
// the key. A small two-way table, since a model's moves come in pairs that must not push each other out.
class PlanFront {
 public:
  PlanFront() = default;
  ~PlanFront() { Clear(); }
  PlanFront(const PlanFront&) = delete;
  PlanFront& operator=(const PlanFront&) = delete;

  // The plan that was found or kept last, or null when it is stale.
  CachedPlan* Last() const { return last_->generation == PlanGeneration() ? last_->plan : nullptr; }

  // The plan of a key, or null. Plans stay valid until the next Keep or Clear.
  CachedPlan* Find(const PlanKey& key) {
    const uint64_t generation = PlanGeneration();
    for (Slot& slot : SetOf(key.hash).ways) {
      if (slot.hash == key.hash && slot.generation == generation && slot.plan->Matches(key)) {
        last_ = &slot;
        return slot.plan;
      }
    }
    return nullptr;
  }

  // Takes over a reference. The older of the set's two plans leaves.
  void Keep(CachedPlan* plan) {
    Set& set = SetOf(plan->hash);
    Drop(&set.ways[1]);
    set.ways[1] = set.ways[0];
    set.ways[0] = Slot{plan->hash, plan->generation, plan};
    last_ = &set.ways[0];
  }

  void Clear() {
    for (Set& set : sets_) {
      for (Slot& slot : set.ways) Drop(&slot);
    }
  }

  void CountHit() { ++hits_; }
  // Hits since the last call.
  uint64_t TakeHits() {
    const uint64_t hits = hits_;
    hits_ = 0;
    return hits;
  }

 private:
  static constexpr size_t kSets = 8;
  static constexpr uint64_t kNever = ~uint64_t{0};  // the generation of an empty slot

  struct Slot {
    uint64_t hash = 0;
    uint64_t generation = kNever;
    CachedPlan* plan = nullptr;
  };
  struct Set {
    Slot ways[2];
  };

  Set& SetOf(uint64_t hash) { return sets_[hash % kSets]; }

  static void Drop(Slot* slot) {
    if (slot->plan != nullptr) ReleaseCachedPlan(slot->plan);
    *slot = Slot{};
  }

  Set sets_[kSets];
  const Slot* last_ = &sets_[0].ways[0];
  uint64_t hits_ = 0;
};

// The calling thread's front; null before ThreadFront() made it.
DIMORDER_TLS_MODEL extern constinit thread_local PlanFront* thread_front;

// The same, made if need be, and freed when the thread ends. Null when that cannot be arranged or memory is short.
PlanFront* ThreadFront() noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLAN_FRONT_H_
