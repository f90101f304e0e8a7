// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_CHOICE_H_
#define DIMORDER_DISPATCH_CHOICE_H_

#include <cstdint>

#include "dimorder/dimorder.h"
#include "dispatch/classify.h"

namespace dimorder {
inline namespace v1 {

// What a plan is free to decide about a shape: every choice moves the same bytes. Estimated from the machine's caches,
// or measured and remembered as wisdom.
struct Choice {
  Family family;  // the shape's, or its form that writes past the caches
  bool pack;      // KernelArgs::pack is given
  int64_t panel;  // KernelArgs::panel
  int64_t run;    // KernelArgs::run
  int64_t rows;   // a kernel call's share of the rows and columns of a transpose, of the runs of run copies; at most
  int64_t cols;
};

// The choice for a move of `bytes` bytes, from what is known about caches. `stores` may forbid or demand streaming.
Choice EstimateChoice(const Shape& shape, int64_t bytes, Stores stores) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_CHOICE_H_
