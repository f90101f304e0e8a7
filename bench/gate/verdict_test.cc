// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dimorder::bench::gate {
namespace {

BlockTimes Block(double log_ratio) { return {100, 100 * std::exp(log_ratio), log_ratio}; }

// Blocks around ln(ratio), normally distributed with that deviation.
class Blocks {
 public:
  explicit Blocks(uint64_t seed = 1) : random_(seed) {}

  std::vector<BlockTimes> Around(double ratio, double deviation, int64_t count = kScreenBlocks) {
    std::vector<BlockTimes> blocks;
    for (int64_t i = 0; i < count; ++i) blocks.push_back(Block(std::log(ratio) + deviation * normal_(random_)));
    return blocks;
  }

  // Each process is off by an amount of its own.
  ProcessBlocks Processes(double ratio, double process_deviation, double deviation,
                          int64_t processes = kConfirmProcesses) {
    ProcessBlocks blocks;
    for (int64_t i = 0; i < processes; ++i) {
      const double own = std::exp(process_deviation * normal_(random_));
      blocks.push_back(Around(ratio * own, deviation, kConfirmBlocks / kConfirmProcesses));
    }
    return blocks;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

TEST(ScreenTest, SeesSlowerFasterAndSame) {
  Blocks blocks;
  EXPECT_EQ(Screen(blocks.Around(1.10, 0.02)), Screened::kSlower);
  EXPECT_EQ(Screen(blocks.Around(1.05, 0.02)), Screened::kSlower);
  EXPECT_EQ(Screen(blocks.Around(1 / 1.05, 0.02)), Screened::kFaster);
  EXPECT_EQ(Screen(blocks.Around(1.00, 0.02)), Screened::kSame);
}

TEST(ScreenTest, SmallChangesAreNoneHoweverSure) {
  EXPECT_EQ(Screen(Blocks().Around(1.015, 0.0001)), Screened::kSame);
  EXPECT_EQ(Screen(Blocks().Around(1 / 1.015, 0.0001)), Screened::kSame);
}

TEST(ScreenTest, LargeChangesAreNoneWhileUnsure) {
  EXPECT_EQ(Screen(Blocks().Around(1.10, 0.01, 6)), Screened::kSame);
  EXPECT_EQ(Screen(Blocks().Around(1.10, 0.01, 7)), Screened::kSlower);
  EXPECT_EQ(Screen({}), Screened::kSame);
}

TEST(ScreenTest, DriftIsNoChange) {
  std::vector<BlockTimes> blocks;
  for (int i = 0; i < kScreenBlocks; ++i) blocks.push_back(Block(0.2 * (i / (kScreenBlocks - 1.0) - 0.5)));
  EXPECT_EQ(Screen(blocks), Screened::kSame);
}

TEST(ScreenTest, TwoModesAreNoChange) {
  Blocks random;
  std::vector<BlockTimes> blocks = random.Around(1.10, 0.005, kScreenBlocks / 2);
  for (const BlockTimes& block : random.Around(1 / 1.10, 0.005, kScreenBlocks / 2)) blocks.push_back(block);
  EXPECT_EQ(Screen(blocks), Screened::kSame);
  // Nor is one of them alone above 1, when the other one has nearly half of the blocks.
  blocks = random.Around(1.10, 0.005, 52);
  for (const BlockTimes& block : random.Around(1 / 1.001, 0.0001, 44)) blocks.push_back(block);
  EXPECT_EQ(Screen(blocks), Screened::kSame);
}

TEST(ScreenTest, OutliersAreNoChange) {
  std::vector<BlockTimes> blocks = Blocks().Around(1.00, 0.01);
  for (size_t i = 0; i < blocks.size(); i += 3) blocks[i] = Block(2);
  EXPECT_EQ(Screen(blocks), Screened::kSame);
}

TEST(ScreenTest, TiesAreNoEvidence) {
  std::vector<BlockTimes> blocks(static_cast<size_t>(kScreenBlocks), Block(0));
  EXPECT_EQ(Screen(blocks), Screened::kSame);
  for (size_t i = 0; i < blocks.size() / 2; ++i) blocks[i] = Block(0.1);
  EXPECT_EQ(Screen(blocks), Screened::kSame);
}

TEST(ConfirmTest, SeesRegressionsAndImprovements) {
  Blocks blocks;
  const ProcessBlocks quiet = blocks.Processes(1, 0.003, 0.02);
  EXPECT_EQ(Confirm(blocks.Processes(1.10, 0.01, 0.02), quiet), Confirmed::kRegression);
  EXPECT_EQ(Confirm(blocks.Processes(1.05, 0.01, 0.02), quiet), Confirmed::kRegression);
  EXPECT_EQ(Confirm(blocks.Processes(1 / 1.05, 0.01, 0.02), quiet), Confirmed::kImprovement);
  EXPECT_EQ(Confirm(blocks.Processes(1.00, 0.01, 0.02), quiet), Confirmed::kCleared);
  EXPECT_EQ(Confirm(blocks.Processes(1.02, 0.001, 0.001), quiet), Confirmed::kCleared);
}

// Bounds from pooled blocks would be sure of a change here: 192 blocks, nearly all of them above 0.
TEST(ConfirmTest, OneProcessInThreeIsNoRegression) {
  Blocks blocks;
  const ProcessBlocks quiet = blocks.Processes(1, 0.003, 0.002);
  ProcessBlocks suspect = blocks.Processes(1.06, 0.001, 0.002);
  for (size_t i = 0; i < suspect.size(); i += 3) suspect[i] = blocks.Around(1.001, 0.0002, 8);
  EXPECT_EQ(Confirm(suspect, quiet), Confirmed::kCleared);
}

TEST(ConfirmTest, NoisyControlsAnswerNothing) {
  Blocks blocks;
  const ProcessBlocks suspect = blocks.Processes(1.04, 0.005, 0.02);
  EXPECT_EQ(Confirm(suspect, blocks.Processes(1.05, 0.001, 0.02)), Confirmed::kNoisy);      // off
  EXPECT_EQ(Confirm(suspect, blocks.Processes(1 / 1.05, 0.001, 0.02)), Confirmed::kNoisy);  // off the other way
  EXPECT_EQ(Confirm(blocks.Processes(1, 0.005, 0.02), blocks.Processes(1.05, 0.001, 0.02)), Confirmed::kNoisy);
}

TEST(ConfirmTest, RegressionsBeyondTheNoiseAreSeen) {
  Blocks blocks;
  EXPECT_EQ(Confirm(blocks.Processes(1.15, 0.005, 0.02), blocks.Processes(1.015, 0.005, 0.02)), Confirmed::kRegression);
}

// Some processes in which base was out of luck say nothing against head.
TEST(ConfirmTest, UnluckyBasesAreNoNoise) {
  Blocks blocks;
  ProcessBlocks control = blocks.Processes(1, 0.003, 0.02);
  for (size_t i = 0; i < control.size(); i += 5) control[i] = blocks.Around(0.7, 0.02, 8);
  EXPECT_EQ(Confirm(blocks.Processes(1.10, 0.01, 0.02), control), Confirmed::kRegression);
}

TEST(ConfirmTest, FewProcessesAnswerNothing) {
  Blocks blocks;
  EXPECT_EQ(Confirm(blocks.Processes(1.10, 0.001, 0.01, 7), blocks.Processes(1, 0.001, 0.01, 7)), Confirmed::kNoisy);
  EXPECT_EQ(Confirm(blocks.Processes(1.10, 0.001, 0.01, 8), blocks.Processes(1, 0.001, 0.01, 8)),
            Confirmed::kRegression);
  EXPECT_EQ(Confirm({}, {}), Confirmed::kNoisy);
  // Processes that ran out of time have no blocks.
  ProcessBlocks cut = blocks.Processes(1.10, 0.001, 0.01, 7);
  cut.resize(kConfirmProcesses);
  EXPECT_EQ(Confirm(cut, cut), Confirmed::kNoisy);
}

// Both stages together, on cases that did not change: wrong hardly ever, even where processes differ by 3 percent.
TEST(ConfirmTest, UnchangedCasesPass) {
  Blocks blocks(11);
  int wrong = 0;
  for (int run = 0; run < 2000; ++run) {
    const Confirmed confirmed = Confirm(blocks.Processes(1, 0.03, 0.03), blocks.Processes(1, 0.03, 0.03));
    wrong += confirmed == Confirmed::kRegression;
  }
  EXPECT_LE(wrong, 1);
}

}  // namespace
}  // namespace dimorder::bench::gate
