// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/dimorder_c.h"
#include "dimorder/wisdom.h"
#include "tests/counting_allocator.h"

// Allocations that fail. The library allocates by operator new(std::nothrow), which this program replaces, or by the
// caller's allocator. Whichever allocation fails, the caller gets a Status or the right result, and all memory is
// given back.
namespace {

std::atomic<int> live{0};            // allocations by nothrow new that were not freed
std::atomic<int> until_failure{-1};  // how many still succeed; negative: all

bool Fails() { return until_failure >= 0 && until_failure-- == 0; }

void* Allocate(size_t bytes, size_t alignment) {
  if (Fails()) return nullptr;
  ++live;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void Free(void* pointer) {
  if (pointer == nullptr) return;
  --live;
  std::free(pointer);
}

}  // namespace

// Throwing new, which the library never uses, cannot fail; it is replaced too, since one delete serves both.
void* operator new(size_t bytes) {
  ++live;
  return std::malloc(bytes);
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, 16); }
void* operator new(size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Allocate(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* pointer) noexcept { Free(pointer); }
void operator delete(void* pointer, size_t) noexcept { Free(pointer); }
void operator delete(void* pointer, const std::nothrow_t&) noexcept { Free(pointer); }
void operator delete(void* pointer, std::align_val_t, const std::nothrow_t&) noexcept { Free(pointer); }

namespace dimorder::test {
namespace {

constexpr int kMost = 8;  // no call allocates more often

const Move kMove = Move::Permute({300, 200}, {1, 0}, 4);

class Buffers {
 public:
  Buffers() : source_(60000), result_(60000, -1) { std::iota(source_.begin(), source_.end(), 0); }

  const void* src() const { return source_.data(); }
  void* dst() { return result_.data(); }
  bool Right() const {
    for (size_t i = 0; i < result_.size(); ++i) {
      if (result_[i] != source_[i % 300 * 200 + i / 300]) return false;
    }
    return true;
  }

 private:
  std::vector<int> source_, result_;
};

// Calls `call` with its 0th, 1st, ... allocation failing until one of them is never reached; returns how many failed.
template <class Call>
int FailEachAllocation(const Call& call) {
  for (int n = 0; n < kMost; ++n) {
    until_failure = n;
    call();
    const bool all_succeeded = until_failure >= 0;
    until_failure = -1;
    if (all_succeeded) return n;
  }
  ADD_FAILURE() << "more than " << kMost << " allocations";
  return kMost;
}

TEST(AllocationTest, PlanCreate) {
  const int before = live;
  for (Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    Options options;
    options.stores = stores;
    const int failed = FailEachAllocation([&] {
      const Result<Plan> plan = Plan::Create(kMove, options);
      if (plan.ok()) return;
      EXPECT_EQ(plan.status().code(), StatusCode::kOutOfMemory);
      EXPECT_EQ(plan.status().rule(), Rule::kAllocationFailed);
    });
    EXPECT_EQ(failed, 1) << "a plan is one allocation";
  }
  EXPECT_EQ(live, before);
}

TEST(AllocationTest, PlanExecuteAllocatesNothing) {
  Options options;
  options.stores = Stores::kNonTemporal;
  const Result<Plan> plan = Plan::Create(kMove, options);
  ASSERT_TRUE(plan.ok());
  Buffers buffers;
  EXPECT_EQ(FailEachAllocation([&] { EXPECT_TRUE(plan->Execute(buffers.src(), buffers.dst()).ok()); }), 0);
  EXPECT_TRUE(buffers.Right());
}

// A one-shot call does without what it cannot have: a plan in the cache, and in a thread's first call the thread's
// front of the cache.
TEST(AllocationTest, OneShotCalls) {
  for (Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    Options options;
    options.stores = stores;
    const int failed = FailEachAllocation([&] {
      ClearPlanCache();
      Buffers buffers;
      bool ok = false;
      std::thread([&] { ok = Execute(kMove, buffers.src(), buffers.dst(), options).ok(); }).join();
      EXPECT_TRUE(ok);
      EXPECT_TRUE(buffers.Right());
    });
    EXPECT_GE(failed, 3) << "the plan, its entry in the cache, the front";
  }
}

TEST(AllocationTest, MeasuringTakesTheCallersMemory) {
  CountingAllocator counter;
  const dimorder_allocator allocator = counter.Get();
  ForgetWisdom();
  const int failed = FailEachAllocation([&] {
    EXPECT_TRUE(
        Plan::Create(kMove, {.allocator = &allocator, .tuning = Tuning::kMeasure, .tuning_ns = 1'000'000}).ok());
  });
  EXPECT_EQ(failed, 0) << "operator new is not called";
  EXPECT_GT(counter.calls, 2) << "both tensors and the plan";
  EXPECT_EQ(counter.live, 0);
  ForgetWisdom();
}

TEST(AllocationTest, OneShotCallsDoWithoutTheCallersMemory) {
  CountingAllocator none{.limit = 0};
  const dimorder_allocator allocator = none.Get();
  for (Tuning tuning : {Tuning::kEstimate, Tuning::kMeasure}) {
    Buffers buffers;
    EXPECT_TRUE(Execute(kMove, buffers.src(), buffers.dst(), {.allocator = &allocator, .tuning = tuning}).ok());
    EXPECT_TRUE(buffers.Right());
  }
}

TEST(AllocationTest, CacheGivesEverythingBack) {
  Buffers buffers;
  const int before = live;
  std::thread([&] { EXPECT_TRUE(Execute(kMove, buffers.src(), buffers.dst()).ok()); }).join();
  ClearPlanCache();
  EXPECT_LE(live, before);
}

TEST(AllocationTest, CPlans) {
  const int before = live;
  const int64_t sizes[] = {300, 200};
  const int32_t perm[] = {1, 0};
  FailEachAllocation([&] {
    dimorder_plan* plan = nullptr;
    const dimorder_status status = dimorder_plan_create_permute(&plan, 2, sizes, perm, 4, nullptr);
    EXPECT_EQ(status.code == DIMORDER_OK, plan != nullptr);
    if (plan == nullptr) {
      EXPECT_EQ(status.code, static_cast<int32_t>(StatusCode::kOutOfMemory));
    }
    dimorder_plan_destroy(plan);
  });
  EXPECT_EQ(live, before);
}

// The caller's allocator serves the plan, gets all of it back, and may fail.
TEST(AllocationTest, CallersAllocator) {
  struct Count {
    int calls = 0;
    size_t bytes = 0;
    bool fails = false;
  } count;
  const dimorder_allocator allocator = {sizeof(dimorder_allocator),
                                        [](void* ctx, size_t bytes, size_t alignment) -> void* {
                                          Count& c = *static_cast<Count*>(ctx);
                                          ++c.calls;
                                          if (c.fails) return nullptr;
                                          c.bytes += bytes;
                                          return std::aligned_alloc(alignment,
                                                                    (bytes + alignment - 1) / alignment * alignment);
                                        },
                                        [](void* ctx, void* pointer, size_t bytes) {
                                          static_cast<Count*>(ctx)->bytes -= bytes;
                                          std::free(pointer);
                                        },
                                        &count};
  Options options;
  options.allocator = &allocator;
  {
    const Result<Plan> plan = Plan::Create(kMove, options);
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(count.calls, 1);
    EXPECT_GT(count.bytes, 0u);
  }
  EXPECT_EQ(count.bytes, 0u);
  count.fails = true;
  EXPECT_EQ(Plan::Create(kMove, options).status().code(), StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace dimorder::test
