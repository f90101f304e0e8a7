// SPDX-License-Identifier: Apache-2.0
// Whose kernels a plan goes by (choose_target.cc), as Describe() tells.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "dimorder/dimorder.h"
#include "dimorder/targets.h"
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/target.h"
#include "tests/targets.h"

namespace dimorder::test {
namespace {

// The target of a transpose's plan.
std::string TargetOf(int64_t rows, int64_t cols, int64_t element, const Options& options = {}) {
  const std::string line = Plan::Create(Move::Permute({rows, cols}, {1, 0}, element), options)->Describe();
  return line.substr(0, line.find(' '));
}

// Whether the machine is like Zen 4.
bool RunsVectorsInHalves() { return HasLargeL2() && !HasSpareWays() && Avx2Beside(BestTarget()) != BestTarget(); }

// Leaves the target open, whatever the environment says.
class ChooseTarget : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(SetTarget(nullptr).ok()); }
  void TearDown() override { EXPECT_TRUE(SetTarget(nullptr).ok()); }

  const std::string best_ = TargetNames().front();
};

TEST_F(ChooseTarget, TakesShorterVectorsForWideTransposes) {
  if (!RunsVectorsInHalves() || LeavesNearLevel(1025 * 1025 * 4)) GTEST_SKIP() << "not Zen 4, or a small last level";
  for (const int64_t element : {1, 2, 4}) {
    EXPECT_EQ(TargetOf(64, 64, element), "AVX2") << element;
    EXPECT_EQ(TargetOf(1024, 1024, element), "AVX2") << element;
    EXPECT_EQ(TargetOf(1025, 1025, element), "AVX2") << element;  // L1 holds few of either side
  }
  EXPECT_EQ(TargetOf(3136, 256, 2), "AVX2");
  EXPECT_EQ(TargetOf(49, 512, 1), "AVX2");  // few rows
  EXPECT_EQ(TargetOf(81, 79, 2), "AVX2");   // in L1
  EXPECT_EQ(TargetOf(99, 101, 5), "AVX2");
  EXPECT_EQ(TargetOf(16, 32, 4), "AVX2");
  EXPECT_EQ(TargetOf(16, 28, 4), best_);  // less than 2 KB
}

TEST_F(ChooseTarget, TakesTheBestForOthers) {
  EXPECT_EQ(TargetOf(1000, 1000, 8), best_);
  EXPECT_EQ(TargetOf(17, 1000, 1), best_);    // pixels by masks
  EXPECT_EQ(TargetOf(1001, 700, 4), best_);   // columns cut lines
  EXPECT_EQ(TargetOf(8192, 8192, 4), best_);  // beyond the caches
  EXPECT_EQ(TargetOf(64, 64, 4, {.stores = Stores::kNonTemporal}), best_);
  if (RunsVectorsInHalves()) return;
  EXPECT_EQ(TargetOf(64, 64, 4), best_);
  EXPECT_EQ(TargetOf(1024, 1024, 2), best_);
}

TEST_F(ChooseTarget, TakesTheOneThatIsNamed) {
  EXPECT_EQ(TargetOf(64, 64, 4, {.target = best_.c_str()}), best_);
  ASSERT_TRUE(SetTarget(best_.c_str()).ok());
  EXPECT_EQ(TargetOf(64, 64, 4), best_);
}

}  // namespace
}  // namespace dimorder::test
