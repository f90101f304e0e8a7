// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_DUET_H_
#define DIMORDER_BENCH_DUET_H_

#include <cstdint>
#include <span>
#include <vector>

#include "dispatch/measure.h"

// What blocks of dispatch/measure.h say about B against A. Pure functions, free of assumptions about how times are
// distributed: medians, signs and ranks only, since benchmark times are skewed, bimodal and full of outliers.
namespace dimorder::bench {

struct DuetResult {
  double ratio = 1;  // time of B / time of A: exp of the median log ratio
  double lower = 0;  // confidence bounds of `ratio`; 0 and infinity where there are too few blocks for the confidence
  double upper = 0;
  double p = 1;  // of the sign test: how likely so many blocks have B slower when neither is
  int64_t blocks = 0;
  double a_ns = 0;  // medians of the time per call
  double b_ns = 0;
};

// `confidence` is that of the interval [lower, upper], both sides together.
DuetResult Summarize(std::span<const BlockTimes> blocks, double confidence = 0.95);

// The mean of the two middle values when their number is even; NaN without values.
double Median(std::vector<double> values);

// Exact one-sided sign test: the probability of at least `positive` heads in `n` throws of a fair coin.
double SignTest(int64_t positive, int64_t n);

// How many values to leave out at each end of `n` sorted values so that what remains spans their population's median
// with at least `confidence`: the bounds are values k and n - 1 - k. Negative when no two values do.
int64_t MedianBoundRank(int64_t n, double confidence);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_DUET_H_
