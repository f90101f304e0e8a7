// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PROBLEM_H_
#define DIMORDER_DISPATCH_PROBLEM_H_

#include <cstdint>

#include "dimorder/dimorder.h"
#include "kernels/kernels.h"

namespace dimorder {
inline namespace v1 {

// The bytes of an element are one more axis before they are fused or widened.
inline constexpr int kMaxAxes = kMaxRank + 1;

// A move as a list of loops over units of `unit` contiguous bytes, 1, 2, 4, 8 or 16. All axes have n >= 1; a move of
// no elements has no axes and bytes == 0.
struct Problem {
  Axis axes[kMaxAxes];
  int num_axes = 0;
  int64_t unit = 1;
  int64_t bytes = 0;  // payload; 0 when a size is 0
  int64_t src_offset = 0;
  int64_t dst_offset = 0;
  // Bytes touched lie in [pointer + begin, pointer + end).
  int64_t src_begin = 0, src_end = 0;
  int64_t dst_begin = 0, dst_end = 0;
};

// Checks every rule of a request and writes its loops: one axis per logical axis, then {element_bytes, 1, 1}.
Status MakeProblem(const Move& move, Problem* problem) noexcept;

// Simplifies without changing what is moved: drops n == 1, makes os > 0, sorts by os (largest first), fuses axes that
// chain on both sides, and widens the unit when the innermost axis is a run of 2, 4, 8 or 16 bytes.
// Refuses destination axes that do not nest: two elements might share a byte.
Status Canonicalize(Problem* problem) noexcept;
// The same for one whose axes are sorted and nest already, and have no n == 1 nor os < 0.
void Simplify(Problem* problem) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PROBLEM_H_
