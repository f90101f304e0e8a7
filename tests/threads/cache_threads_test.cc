// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/targets.h"
#include "tests/threads/together.h"
#include "tests/threads/transpose.h"

// The plan cache, hammered.
namespace dimorder::test {
namespace {

constexpr size_t kThreads = 8;
constexpr int kRounds = 400;
constexpr int64_t kShapes = 24;

class CacheThreadsTest : public testing::Test {
 protected:
  CacheThreadsTest() {
    for (int64_t i = 0; i < kShapes; ++i) transposes_.emplace_back(5 + i, 9 + 2 * i);
  }
  void TearDown() override {
    SetPlanCacheCapacity(1024);
    EXPECT_TRUE(SetTarget(nullptr).ok());
  }

  // One-shot calls over all shapes, checked.
  void Hammer(size_t seed, std::atomic<int>* failures) const {
    for (int i = 0; i < kRounds; ++i) {
      const Transpose& transpose = transposes_[(seed * 7 + static_cast<size_t>(i)) % transposes_.size()];
      std::vector<float> result(transpose.source.size());
      const bool ok = Execute(transpose.move, transpose.source.data(), result.data()).ok();
      *failures += !ok || result != transpose.expected;
    }
  }

  std::vector<Transpose> transposes_;
};

TEST_F(CacheThreadsTest, SameAndOtherMovesAtOnce) {
  std::atomic<int> failures{0};
  Together(kThreads, [&](size_t t) { Hammer(t, &failures); });
  EXPECT_EQ(failures, 0);
}

TEST_F(CacheThreadsTest, SmallerThanWhatIsInUse) {
  SetPlanCacheCapacity(3);
  std::atomic<int> failures{0};
  Together(kThreads, [&](size_t t) { Hammer(t, &failures); });
  EXPECT_EQ(failures, 0);
  EXPECT_LE(GetPlanCacheStats().size, 3u);
}

TEST_F(CacheThreadsTest, ClearedResizedAndRetargetedMeanwhile) {
  const TargetList targets = SupportedTargets();
  std::atomic<int> failures{0};
  Together(kThreads, [&](size_t t) {
    if (t != 0) return Hammer(t, &failures);
    for (size_t i = 0; i < 200; ++i) {
      if (i % 3 == 0) ClearPlanCache();
      if (i % 3 == 1) SetPlanCacheCapacity(i % 40);
      if (i % 3 == 2) failures += !SetTarget(targets[i % targets.size()]).ok();
      GetPlanCacheStats();
    }
  });
  EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace dimorder::test
