// SPDX-License-Identifier: Apache-2.0
#include "bench/contender.h"

#include <chrono>
#include <vector>

namespace dimorder::bench {

DuetResult RunDuet(Contender& a, Contender& b, const BufferPairs& pairs, int64_t max_blocks, double max_seconds,
                   const SamplerOptions& options, int64_t min_blocks) {
  using Clock = std::chrono::steady_clock;
  const Side side_a{a, pairs};
  const Side side_b{b, pairs};
  AbbaSampler sampler(side_a, side_b, options);
  sampler.WarmUp();
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(max_seconds));
  std::vector<BlockTimes> blocks;
  for (int64_t i = 0; i < max_blocks && (i < min_blocks || Clock::now() < end); ++i) blocks.push_back(sampler.Next());
  return Summarize(blocks);
}

}  // namespace dimorder::bench
