// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_FIGURES_H_
#define DIMORDER_BENCH_FIGURES_H_

#include <cstdint>
#include <string_view>

namespace dimorder::bench {

// Not a class: moves of kLargeBytes or more, with several threads.
inline constexpr char kThreadsGroup[] = "threads";
inline constexpr int64_t kLargeBytes = int64_t{4} << 20;

// What bench/figures.csv asks of the geometric mean ratio of a class at an element size, with one thread; of
// kThreadsGroup that of all large moves with more; 0: nothing.
double FigureOf(std::string_view group, int64_t element_bytes);

// No single case may be above its class's figure by more than this factor.
inline constexpr double kSingleCaseFactor = 1.7;

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_FIGURES_H_
