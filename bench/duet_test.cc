// SPDX-License-Identifier: Apache-2.0
#include "bench/duet.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace dimorder::bench {
namespace {

std::vector<BlockTimes> Blocks(const std::vector<double>& log_ratios) {
  std::vector<BlockTimes> blocks;
  for (const double r : log_ratios) blocks.push_back({100, 100 * std::exp(r), r});
  return blocks;
}

TEST(MedianTest, OddEvenAndNone) {
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(Median({7}), 7);
  EXPECT_TRUE(std::isnan(Median({})));
}

TEST(SignTestTest, IsTheBinomialTail) {
  EXPECT_NEAR(SignTest(0, 10), 1, 1e-12);
  EXPECT_NEAR(SignTest(10, 10), 1.0 / 1024, 1e-12);
  EXPECT_NEAR(SignTest(8, 10), 56.0 / 1024, 1e-12);  // 45 + 10 + 1 of 1024
  EXPECT_NEAR(SignTest(50, 100), 0.5397946, 1e-6);
  EXPECT_EQ(SignTest(0, 0), 1);
  EXPECT_LT(SignTest(3000, 4000), 1e-200);  // does not underflow on the way
}

TEST(MedianBoundRankTest, AgreesWithTables) {
  EXPECT_EQ(MedianBoundRank(5, 0.95), -1);
  EXPECT_EQ(MedianBoundRank(6, 0.95), 0);
  EXPECT_EQ(MedianBoundRank(10, 0.95), 1);    // values 2 and 9 of 10
  EXPECT_EQ(MedianBoundRank(20, 0.95), 5);    // values 6 and 15 of 20
  EXPECT_EQ(MedianBoundRank(100, 0.95), 39);  // values 40 and 61 of 100
  EXPECT_EQ(MedianBoundRank(0, 0.95), -1);
}

TEST(SummarizeTest, NoBlocks) {
  const DuetResult result = Summarize({});
  EXPECT_EQ(result.blocks, 0);
  EXPECT_EQ(result.p, 1);
}

TEST(SummarizeTest, FewBlocksHaveNoBounds) {
  const DuetResult result = Summarize(Blocks({0.1, 0.2, 0.3}));
  EXPECT_NEAR(result.ratio, std::exp(0.2), 1e-12);
  EXPECT_EQ(result.lower, 0);
  EXPECT_EQ(result.upper, std::numeric_limits<double>::infinity());
  EXPECT_NEAR(result.p, 0.125, 1e-12);
}

TEST(SummarizeTest, EqualTimesAreNoEvidence) {
  const DuetResult result = Summarize(Blocks(std::vector<double>(50, 0.0)));
  EXPECT_EQ(result.ratio, 1);
  EXPECT_EQ(result.lower, 1);
  EXPECT_EQ(result.upper, 1);
  EXPECT_EQ(result.p, 1);
}

TEST(SummarizeTest, OutliersDoNotMoveIt) {
  std::vector<double> log_ratios(96, 0.05);
  for (size_t i = 0; i < 20; ++i) log_ratios[i] = 3;
  const DuetResult result = Summarize(Blocks(log_ratios));
  EXPECT_NEAR(result.ratio, std::exp(0.05), 1e-12);
  EXPECT_NEAR(result.upper, std::exp(0.05), 1e-12);
  EXPECT_LT(result.p, 1e-20);
  EXPECT_NEAR(result.b_ns, 100 * std::exp(0.05), 1e-9);
}

// The bounds hold the true median as often as they say, whatever the distribution: here a skewed and bimodal one.
TEST(SummarizeTest, BoundsCover) {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> tail(1);
  const double true_median = std::log(2.0);  // of the exponential distribution
  constexpr int kRuns = 2000;
  int covered = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> log_ratios(40);
    for (double& r : log_ratios) r = (r = tail(random)) > true_median ? r + 5 : r;
    const DuetResult result = Summarize(Blocks(log_ratios), 0.9);
    // The median of this mixture is any value of the gap from ln 2 to ln 2 + 5.
    covered += std::log(result.lower) <= true_median && std::log(result.upper) >= true_median;
  }
  EXPECT_GE(covered, kRuns * 9 / 10);
}

}  // namespace
}  // namespace dimorder::bench
