// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/targets.h"
#include "tests/executors.h"
#include "tests/targets.h"

namespace dimorder::test {
namespace {

// Each test starts with an empty cache of the given capacity and counts from there.
class PlanCacheTest : public testing::Test {
 protected:
  void Start(size_t capacity) {
    SetPlanCacheCapacity(capacity);
    start_ = GetPlanCacheStats();
    EXPECT_EQ(start_.size, 0u);
    EXPECT_EQ(start_.capacity, capacity);
  }
  void TearDown() override { SetPlanCacheCapacity(1024); }

  uint64_t Hits() const { return GetPlanCacheStats().hits - start_.hits; }
  uint64_t Misses() const { return GetPlanCacheStats().misses - start_.misses; }
  uint64_t Evictions() const { return GetPlanCacheStats().evictions - start_.evictions; }
  size_t Size() const { return GetPlanCacheStats().size; }

  // A transpose of (n, 3) bytes through the cache, checked.
  static void RunCase(int64_t n, const Options& options = {}) {
    std::vector<uint8_t> src(static_cast<size_t>(3 * n)), dst(src.size());
    for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>(i * 37 + 11);
    ASSERT_TRUE(Permute(src.data(), dst.data(), {n, 3}, {1, 0}, 1, options).ok());
    for (size_t i = 0; i < src.size(); ++i) ASSERT_EQ(dst[i % 3 * static_cast<size_t>(n) + i / 3], src[i]);
  }

 private:
  PlanCacheStats start_;
};

TEST_F(PlanCacheTest, SecondCallHits) {
  Start(16);
  RunCase(5);
  EXPECT_EQ(Misses(), 1u);
  EXPECT_EQ(Hits(), 0u);
  EXPECT_EQ(Size(), 1u);
  for (int i = 0; i < 10; ++i) RunCase(5);
  EXPECT_EQ(Misses(), 1u);
  EXPECT_EQ(Hits(), 10u);
}

TEST_F(PlanCacheTest, WhatIsNoEnumeratorIsRefusedBesideACachedPlan) {
  Start(16);
  RunCase(5);
  uint8_t src[15] = {}, dst[15];
  for (const Options& wrong : {Options{.stores = static_cast<Stores>(7)}, Options{.tuning = static_cast<Tuning>(7)}}) {
    EXPECT_EQ(Permute(src, dst, {5, 3}, {1, 0}, 1, wrong).rule(), Rule::kEnumValue);
  }
}

TEST_F(PlanCacheTest, OtherThreadsFindThePlan) {
  Start(16);
  RunCase(5);
  std::thread([] { RunCase(5); }).join();
  EXPECT_EQ(Misses(), 1u);
  EXPECT_EQ(Hits(), 1u);
}

TEST_F(PlanCacheTest, SameMoveInAnotherFormIsTheSamePlan) {
  Start(16);
  const std::vector<uint8_t> src(24);
  std::vector<uint8_t> dst(24);
  ASSERT_TRUE(Permute(src.data(), dst.data(), {2, 3, 4}, {0, 2, 1}, 1).ok());
  ASSERT_TRUE(ToDimOrder(src.data(), dst.data(), {2, 3, 4}, {0, 1, 2}, {0, 2, 1}, 1).ok());
  ASSERT_TRUE(Execute(Move::Permute({2, 3, 4}, {0, 2, 1}, 1), src.data(), dst.data()).ok());
  EXPECT_EQ(Misses(), 1u);
}

TEST_F(PlanCacheTest, DifferentRequestsDoNotShareAPlan) {
  Start(64);
  const std::vector<uint8_t> src(64);
  std::vector<uint8_t> dst(64);
  const dimorder_executor executor = ReversedExecutor(2);
  Options stores, disjoint, threads, target;
  stores.stores = Stores::kNonTemporal;
  disjoint.assume_disjoint = true;
  threads.executor = &executor;
  target.target = SupportedTargets()[SupportedTargets().size() - 1];
  for (const Options& options : {Options(), stores, disjoint, threads, target}) {
    ASSERT_TRUE(Permute(src.data(), dst.data(), {2, 4}, {1, 0}, 4, options).ok());
  }
  ASSERT_TRUE(Permute(src.data(), dst.data(), {4, 2}, {1, 0}, 4).ok());
  ASSERT_TRUE(Permute(src.data(), dst.data(), {2, 4}, {0, 1}, 4).ok());
  ASSERT_TRUE(Permute(src.data(), dst.data(), {2, 4}, {1, 0}, 2).ok());
  ASSERT_TRUE(Permute(src.data(), dst.data(), {2, 4, 1}, {1, 0, 2}, 4).ok());
  for (int64_t offset : {0, 4}) {
    const Layout view = Layout::Strided({2, 4}, {16, 4}, offset);
    ASSERT_TRUE(Execute(Move::Between(view, Layout::Contiguous({2, 4}), 4), src.data(), dst.data()).ok());
  }
  EXPECT_EQ(Misses(), 11u);
  EXPECT_EQ(Size(), 11u);
}

TEST_F(PlanCacheTest, LeastRecentlyUsedLeavesFirst) {
  Start(2);
  RunCase(4);
  RunCase(5);
  // From another thread, whose front is empty: the shared part sees the use of 4.
  std::thread([] { RunCase(4); }).join();
  RunCase(6);
  EXPECT_EQ(Evictions(), 1u);
  EXPECT_EQ(Size(), 2u);
  const uint64_t misses = Misses();
  std::thread([] { RunCase(4); }).join();
  EXPECT_EQ(Misses(), misses);
  std::thread([] { RunCase(5); }).join();
  EXPECT_EQ(Misses(), misses + 1);
}

TEST_F(PlanCacheTest, StaysWithinItsCapacity) {
  for (size_t capacity : {1, 3, 64, 100, 1000}) {
    Start(capacity);
    for (int64_t n = 1; n <= 1500; ++n) RunCase(n);
    EXPECT_LE(Size(), capacity);
    EXPECT_GT(Evictions(), 0u);
  }
}

TEST_F(PlanCacheTest, CapacityZeroKeepsNothing) {
  Start(0);
  for (int i = 0; i < 3; ++i) RunCase(5);
  EXPECT_EQ(Size(), 0u);
  EXPECT_EQ(Hits(), 0u);
}

TEST_F(PlanCacheTest, ClearForgets) {
  Start(16);
  RunCase(5);
  ClearPlanCache();
  EXPECT_EQ(Size(), 0u);
  RunCase(5);
  EXPECT_EQ(Misses(), 2u);
}

TEST_F(PlanCacheTest, ChangeOfTargetMakesNewPlans) {
  Start(16);
  for (const std::string& target : TargetNames()) {
    ASSERT_TRUE(SetTarget(target.c_str()).ok());
    RunCase(5);
  }
  ASSERT_TRUE(SetTarget(nullptr).ok());
  EXPECT_EQ(Misses(), TargetNames().size());
}

TEST_F(PlanCacheTest, CallersAllocatorIsNotHeldOnTo) {
  Start(16);
  static int live = 0;
  const dimorder_allocator allocator = {sizeof(dimorder_allocator),
                                        [](void*, size_t bytes, size_t alignment) {
                                          ++live;
                                          return std::aligned_alloc(alignment,
                                                                    (bytes + alignment - 1) / alignment * alignment);
                                        },
                                        [](void*, void* pointer, size_t) {
                                          --live;
                                          std::free(pointer);
                                        },
                                        nullptr};
  Options options;
  options.allocator = &allocator;
  RunCase(5, options);
  EXPECT_EQ(live, 0);
}

// The executor of a cached plan may come back with one-shot calls that push this very plan out.
TEST_F(PlanCacheTest, CallsFromInsideACallAreFine) {
  Start(1);
  const dimorder_executor executor = {sizeof(dimorder_executor), 2,
                                      [](void*, size_t n, dimorder_task task, void* arg) {
                                        for (int64_t m = 1; m < 60; ++m) RunCase(m);
                                        ClearPlanCache();
                                        for (size_t i = 0; i < n; ++i) task(arg, i);
                                      },
                                      nullptr};
  Options options;
  options.executor = &executor;
  for (int i = 0; i < 4; ++i) RunCase(300000, options);
}

}  // namespace
}  // namespace dimorder::test
