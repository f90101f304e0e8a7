// SPDX-License-Identifier: Apache-2.0
#include "tests/guard.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/fault.h"
#include "tests/run.h"
#include "tests/sweep/families.h"
#include "tests/targets.h"
#include "tests/trial.h"

// Whole plans between guard pages: what the kernel tests show for each kernel, with the planner's blocks and loops.
namespace dimorder::test {
namespace {

class GuardTest : public testing::TestWithParam<std::string> {
 protected:
  void Check(const Move& move) {
    Trial trial{move, {}};
    trial.conditions.target = GetParam();
    for (Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
      trial.conditions.stores = stores;
      const auto run = [&](const void* src, void* dst) {
        const Status status = RunMove(move, trial.conditions, src, dst);
        ASSERT_TRUE(status.ok()) << status.ToString();
      };
      ASSERT_EQ(buffers_.Check(move, ToText(trial), run), "");
    }
  }

  GuardedBuffers buffers_{size_t{1} << 28};
};

TEST_P(GuardTest, DenseMoves) {
  const Family family = AllPermutations();
  for (int64_t i = 0; i < family.count; i += 13) ASSERT_NO_FATAL_FAILURE(Check(family.move(i)));
}

TEST_P(GuardTest, EveryPairOfSizes) {
  const Family family = AllSizes();
  for (int64_t i = 0; i < family.count; i += 29) ASSERT_NO_FATAL_FAILURE(Check(family.move(i)));
}

TEST_P(GuardTest, StridedMoves) {
  const Family family = StridedLayouts();
  for (int64_t i = 0; i < family.count; i += 23) ASSERT_NO_FATAL_FAILURE(Check(family.move(i)));
}

INSTANTIATE_TEST_SUITE_P(All, GuardTest, testing::ValuesIn(TargetNames()), [](const auto& test) { return test.param; });

}  // namespace
}  // namespace dimorder::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  dimorder::test::InstallFaultHandler();
  return RUN_ALL_TESTS();
}
