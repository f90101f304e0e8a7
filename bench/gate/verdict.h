// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_VERDICT_H_
#define DIMORDER_BENCH_GATE_VERDICT_H_

#include <cstdint>
#include <span>
#include <vector>

#include "bench/duet.h"

// What the gate concludes from blocks of head (side B) against base (side A). Pure functions.
namespace dimorder::bench::gate {

// A case has this many blocks in each stage, less where time runs out; the lesser number where a call fills a batch.
inline constexpr int64_t kScreenProcesses = 4;
inline constexpr int64_t kScreenBlocks = 96;
inline constexpr int64_t kSlowScreenBlocks = 36;
inline constexpr int64_t kConfirmProcesses = 24;
inline constexpr int64_t kConfirmBlocks = 192;
inline constexpr int64_t kSlowConfirmBlocks = 72;

// The blocks of one case, by the process that they come from.
using ProcessBlocks = std::vector<std::vector<BlockTimes>>;

// All blocks alike.
std::vector<BlockTimes> Pooled(const ProcessBlocks& processes);

// The first look at a case.
enum class Screened {
  kSame,  // no evidence of a change worth a second look
  kFaster,
  kSlower,
};
Screened Screen(std::span<const BlockTimes> blocks);

// The second look, on new blocks: those of the suspect, and between them those of base against a copy of itself.
enum class Confirmed {
  kRegression,
  kImprovement,
  kCleared,  // the change is too small, or not sure enough
  kNoisy,    // the control saw a difference where there is none, or there are too few processes: nothing can be said
};
Confirmed Confirm(const ProcessBlocks& suspect, const ProcessBlocks& control);

// The suspect's or the control's figures as Confirm sees them: one value per process, that one's median.
DuetResult SummarizeProcesses(const ProcessBlocks& processes);

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_VERDICT_H_
