// SPDX-License-Identifier: Apache-2.0
#include "bench/contender.h"

#include <chrono>
#include <vector>

namespace dimorder::bench {
namespace {

// Few, so that short duets see many placements, too.
constexpr int64_t kBlocksAPlacement = 2;

}  // namespace

Duet::Duet(Contender& a, Contender& b, BufferPairs& pairs, const SamplerOptions& options)
    : a_{a, pairs}, b_{b, pairs}, pairs_(pairs), sampler_(a_, b_, options) {
  pairs_.Place(0);
}

// On a new placement both sides find the pair in the caches, as on the last one. (Of five rows first blocks had 0.98 to
// 1.01 times the ratio of second ones.)
BlockTimes Duet::Next() {
  if (pairs_.placements() > 1 && blocks_ % kBlocksAPlacement == 0) {
    pairs_.Place(blocks_ / kBlocksAPlacement);
    pairs_.ReadDst(0);
    a_(0, 1);
    b_(0, 1);
    sampler_.Interrupt();
  }
  ++blocks_;
  return sampler_.Next();
}

DuetResult RunDuet(Contender& a, Contender& b, BufferPairs& pairs, int64_t max_blocks, double max_seconds,
                   const SamplerOptions& options, int64_t min_blocks) {
  using Clock = std::chrono::steady_clock;
  Duet duet(a, b, pairs, options);
  duet.WarmUp();
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(max_seconds));
  std::vector<BlockTimes> blocks;
  for (int64_t i = 0; i < max_blocks && (i < min_blocks || Clock::now() < end); ++i) blocks.push_back(duet.Next());
  return Summarize(blocks);
}

}  // namespace dimorder::bench
