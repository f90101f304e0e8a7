// SPDX-License-Identifier: Apache-2.0
#include "bench/duet.h"

#include <algorithm>
#include <cmath>
#include <limits>

// The statistics rest on one fact: when the median of the population is m, the number of n independent values above m
// is distributed as heads among n throws of a fair coin, whatever the population looks like. The sign test asks it
// about m = 0 (equal speed); the bounds are those m that it would not reject, which are order statistics. Both are
// exact for any n and deterministic, unlike a bootstrap. Blocks on several placements of the buffers, about as many on
// each, are a stratified sample of these: the bounds are of their median, and if anything too wide.
namespace dimorder::bench {
namespace {

// Probability of exactly k heads in n throws.
double Heads(int64_t k, int64_t n) {
  const double log_choose = std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
                            std::lgamma(static_cast<double>(n - k) + 1);
  return std::exp(log_choose - static_cast<double>(n) * std::log(2.0));
}

std::vector<double> SortedLogRatios(std::span<const BlockTimes> blocks) {
  std::vector<double> ratios;
  ratios.reserve(blocks.size());
  for (const BlockTimes& block : blocks) ratios.push_back(block.log_ratio);
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

double MedianOf(std::span<const BlockTimes> blocks, double BlockTimes::*field) {
  std::vector<double> values;
  values.reserve(blocks.size());
  for (const BlockTimes& block : blocks) values.push_back(block.*field);
  return Median(std::move(values));
}

}  // namespace

double Median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

double SignTest(int64_t positive, int64_t n) {
  double p = 0;
  for (int64_t k = n; k >= std::max<int64_t>(positive, 0); --k) p += Heads(k, n);
  return std::min(p, 1.0);
}

int64_t MedianBoundRank(int64_t n, double confidence) {
  const double tail = 0.5 * (1 - confidence);
  double below = 0;  // probability of at most k heads
  for (int64_t k = 0; k < n; ++k) {
    below += Heads(k, n);
    if (below > tail) return k - 1;
  }
  return -1;
}

DuetResult Summarize(std::span<const BlockTimes> blocks, double confidence) {
  DuetResult result;
  result.blocks = static_cast<int64_t>(blocks.size());
  if (blocks.empty()) return result;
  const std::vector<double> sorted = SortedLogRatios(blocks);
  result.ratio = std::exp(Median(sorted));
  const int64_t rank = MedianBoundRank(result.blocks, confidence);
  result.lower = rank < 0 ? 0 : std::exp(sorted[static_cast<size_t>(rank)]);
  result.upper = rank < 0 ? std::numeric_limits<double>::infinity()
                          : std::exp(sorted[static_cast<size_t>(result.blocks - 1 - rank)]);
  const auto zeros = std::equal_range(sorted.begin(), sorted.end(), 0.0);
  const int64_t slower = sorted.end() - zeros.second;
  result.p = SignTest(slower, slower + (zeros.first - sorted.begin()));
  result.a_ns = MedianOf(blocks, &BlockTimes::a_ns);
  result.b_ns = MedianOf(blocks, &BlockTimes::b_ns);
  return result;
}

}  // namespace dimorder::bench
