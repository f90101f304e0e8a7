// SPDX-License-Identifier: Apache-2.0
//
// Equal shares for threads. A task takes steps / threads steps, or one more, and all wait for the one that takes
// longest: 17 steps for four threads cost as much as 20, and the second of two blocks may be a short rest. So blocks of
// one axis are made nearly equal, and where tasks still differ, one axis is cut into as many blocks as the threads
// divide. (Four threads, 1025x1025 doubles in blocks of 1016x120: 1.7 times as long.) As few as do it: cutting more
// than that was no faster, and 2 KB runs in pieces of 128 bytes took 2.5 times as long.
#include "dispatch/share.h"

#include <numeric>

#include "dispatch/integers.h"

namespace dimorder {
inline namespace v1 {
namespace {

// What a task may have more than an even share.
constexpr double kEvenShare = 1.0625;
// Ways to cut an axis that are tried for it.
constexpr int kMostCuts = 4;

// A block of an axis such that there are so many, or fewer.
int64_t BlockOf(const BlockedAxis& axis, int64_t blocks) {
  const int64_t units = CeilDivide(CeilDivide(axis.n, blocks), axis.unit);
  return units > axis.n / axis.unit ? axis.n : units * axis.unit;
}

// What the task with most to do has of all, times `threads`: 1 is even. `steps` are those of all other axes.
double LongestShare(const BlockedAxis& axis, int64_t steps, int32_t threads) {
  const auto longest = static_cast<double>(CeilDivide(steps * axis.NumBlocks(), threads));
  return longest * threads / static_cast<double>(steps) * static_cast<double>(axis.block) / static_cast<double>(axis.n);
}

// The best way to cut so far.
struct Cut {
  double share;
  BlockedAxis* axis;  // null: none
  int64_t block;
};

// Tries an axis in more blocks, such that threads divide the number of all steps.
void TryCuts(BlockedAxis* axis, int64_t steps, int32_t threads, Cut* best) {
  if (axis->whole) return;
  const int64_t most = axis->n / axis->unit;
  const int64_t apart = threads / std::gcd(steps, int64_t{threads});
  int64_t blocks = axis->NumBlocks() / apart * apart;
  for (int i = 0; i < kMostCuts && best->share > kEvenShare && blocks < most; ++i) {
    blocks = blocks + apart < most ? blocks + apart : most;
    BlockedAxis cut = *axis;
    cut.block = BlockOf(*axis, blocks);
    const double share = LongestShare(cut, steps, threads);
    if (cut.block < axis->block && share < best->share) *best = Cut{share, axis, cut.block};
  }
}

}  // namespace

void ShareEvenly(int64_t outer_steps, int32_t threads, BlockedAxis* axes, int num_axes) noexcept {
  int64_t steps = outer_steps;
  for (int i = 0; i < num_axes; ++i) {
    const int64_t even = BlockOf(axes[i], axes[i].NumBlocks());
    if (even < axes[i].block) axes[i].block = even;
    steps *= axes[i].NumBlocks();
  }
  Cut best{LongestShare(BlockedAxis{1, 1, 1, true}, steps, threads), nullptr, 0};
  for (int i = 0; i < num_axes; ++i) TryCuts(&axes[i], steps / axes[i].NumBlocks(), threads, &best);
  if (best.axis != nullptr) best.axis->block = best.block;
}

}  // namespace v1
}  // namespace dimorder
