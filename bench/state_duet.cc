// SPDX-License-Identifier: Apache-2.0
#include "bench/state_duet.h"

#include <vector>

namespace dimorder::bench {

DuetResult RunDuet(benchmark::State& state, Contender& limit, Contender& subject, const BufferPairs& pairs,
                   const SamplerOptions& options) {
  const Side a{limit, pairs};
  const Side b{subject, pairs};
  AbbaSampler sampler(a, b, options);
  sampler.WarmUp();
  const int64_t calls = 2 * sampler.calls();
  std::vector<BlockTimes> blocks;
  while (state.KeepRunningBatch(calls)) {
    blocks.push_back(sampler.Next());
    state.SetIterationTime(blocks.back().b_ns * static_cast<double>(calls) * 1e-9);
  }
  return Summarize(blocks);
}

}  // namespace dimorder::bench
