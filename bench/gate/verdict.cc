// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/verdict.h"

#include <algorithm>
#include <cmath>

// Two stages, because a gate that looks at sixty cases on every merge must hardly ever be wrong about one. The screen
// is cheap and lets about one of a thousand unchanged cases through. Who is let through is measured again in other
// processes, harder, and without the screen's blocks: those were selected for looking slow.
//
// Both ask for effect and evidence: a tiny change is no regression however sure it is, a large one is none while the
// bounds do not exclude that it is tiny.
//
// The second stage counts processes, not blocks. What a process happens to get (where code, plan and stack lie) stays
// with it and moves all of its blocks by up to one or two percent, so bounds from pooled blocks are too narrow: on a
// busy machine they took base for different from its own copy in 3 of 12 cases. That comparison, the control, is
// measured in turn with the suspect; a regression must also exceed what the control took for slower, or for any
// difference at all where the control did not come out even. Improvements stand the same tests: a gate that praises
// noise is not believed when it blames.
namespace dimorder::bench::gate {
namespace {

constexpr double kSuspectRatio = 1.02;
constexpr double kSuspectP = 0.01;
constexpr double kChangedRatio = 1.025;
constexpr double kSureRatio = 1.01;
constexpr double kConfidence = 0.99;  // both sides together: 99.5 percent for the lower bound
constexpr double kQuietRatio = 1.01;

bool HasBounds(const DuetResult& result) { return result.lower > 0; }

// Whether base against base came out as it must.
bool IsQuiet(const DuetResult& control) {
  const bool even = control.lower <= 1 && control.upper >= 1;
  return even && control.ratio < kQuietRatio && control.ratio > 1 / kQuietRatio;
}

// What a process says, as a block.
BlockTimes MedianOf(const std::vector<BlockTimes>& blocks) {
  const DuetResult result = Summarize(blocks);
  return {result.a_ns, result.b_ns, std::log(result.ratio)};
}

}  // namespace

std::vector<BlockTimes> Pooled(const ProcessBlocks& processes) {
  std::vector<BlockTimes> pooled;
  for (const std::vector<BlockTimes>& blocks : processes) pooled.insert(pooled.end(), blocks.begin(), blocks.end());
  return pooled;
}

Screened Screen(std::span<const BlockTimes> blocks) {
  const DuetResult result = Summarize(blocks);
  // Ties are evidence for neither side.
  const auto slower =
      std::count_if(blocks.begin(), blocks.end(), [](const auto& block) { return block.log_ratio > 0; });
  const auto faster =
      std::count_if(blocks.begin(), blocks.end(), [](const auto& block) { return block.log_ratio < 0; });
  if (result.ratio > kSuspectRatio && SignTest(slower, result.blocks) < kSuspectP) return Screened::kSlower;
  if (result.ratio < 1 / kSuspectRatio && SignTest(faster, result.blocks) < kSuspectP) return Screened::kFaster;
  return Screened::kSame;
}

DuetResult SummarizeProcesses(const ProcessBlocks& processes) {
  std::vector<BlockTimes> medians;
  for (const std::vector<BlockTimes>& blocks : processes) {
    if (!blocks.empty()) medians.push_back(MedianOf(blocks));
  }
  return Summarize(medians, kConfidence);
}

Confirmed Confirm(const ProcessBlocks& suspect, const ProcessBlocks& control) {
  const DuetResult head = SummarizeProcesses(suspect);
  const DuetResult base = SummarizeProcesses(control);
  if (!HasBounds(head) || !HasBounds(base)) return Confirmed::kNoisy;
  const bool quiet = IsQuiet(base);
  const double slower = quiet ? base.upper : std::max(base.upper, 1 / base.lower);
  const double faster = quiet ? base.lower : std::min(base.lower, 1 / base.upper);
  // Slower for sure, but base is from its own copy, too: nobody can tell.
  if (head.ratio > kChangedRatio && head.lower > kSureRatio) {
    return head.lower > slower ? Confirmed::kRegression : Confirmed::kNoisy;
  }
  if (head.ratio < 1 / kChangedRatio && head.upper < std::min(1 / kSureRatio, faster)) return Confirmed::kImprovement;
  return quiet ? Confirmed::kCleared : Confirmed::kNoisy;
}

}  // namespace dimorder::bench::gate
