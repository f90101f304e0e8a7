// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_SHARE_H_
#define DIMORDER_DISPATCH_SHARE_H_

#include <cstdint>

#include "dispatch/integers.h"

namespace dimorder {
inline namespace v1 {

// An axis that loops walk in blocks.
struct BlockedAxis {
  int64_t n;
  int64_t block;
  int64_t unit;  // blocks are multiples of it, but for the last one
  bool whole;    // must not be cut further

  int64_t NumBlocks() const { return CeilDivide(n, block); }
};

// Makes the blocks of axes smaller, and one axis' more, where tasks that take consecutive steps would have unequal
// shares: a step is one block of each axis, `outer_steps` times. The axes to cut first come first.
void ShareEvenly(int64_t outer_steps, int32_t threads, BlockedAxis* axes, int num_axes) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_SHARE_H_
