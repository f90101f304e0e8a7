// SPDX-License-Identifier: Apache-2.0
#include "bench/state_duet.h"

#include <vector>

namespace dimorder::bench {

DuetResult RunDuet(benchmark::State& state, Contender& limit, Contender& subject, BufferPairs& pairs,
                   const SamplerOptions& options) {
  Duet duet(limit, subject, pairs, options);
  duet.WarmUp();
  const int64_t calls = 2 * duet.calls();
  std::vector<BlockTimes> blocks;
  while (state.KeepRunningBatch(calls)) {
    blocks.push_back(duet.Next());
    state.SetIterationTime(blocks.back().b_ns * static_cast<double>(calls) * 1e-9);
  }
  return Summarize(blocks);
}

}  // namespace dimorder::bench
