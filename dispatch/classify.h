// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_CLASSIFY_H_
#define DIMORDER_DISPATCH_CLASSIFY_H_

#include "dispatch/problem.h"
#include "kernels/kernels.h"

namespace dimorder {
inline namespace v1 {

// A block, the least that kernels load at a time.
inline constexpr int64_t kBlockBytes = 16;

// What kind of move a canonical problem is: the kernel family that fits it and the axes that the family walks.
struct Shape {
  Family family;          // kRun, kTile, kZip, kUnzip, kPick, kShuffle, kLookup or kGeneric; stores are chosen later
  int64_t element_bytes;  // of the kernel
  Axis inner[2];          // as the family wants them
  int num_outer;
  Axis outer[kMaxAxes];  // all others, largest min(|is|, os) first: the order to walk them in; of kLookup all axes of
                         // the problem and that of the bytes of a unit, as the destination has them
};

// `problem` is canonical and has bytes > 0. Only what counts of `shape` is written: a copy of all of it is a tenth of
// the time that a plan takes.
void Classify(const Problem& problem, Shape* shape) noexcept;

// The same, if it is kLookup: at most a line of bytes in another order, which span no more on either side. (A source
// may then still have gaps, and repeat something instead: all of its span is read.) Not what Classify() says: a target
// without vectors has no such kernel, nor can it be one of two passes, which have no tables.
bool ClassifyLookup(const Problem& problem, Shape* shape) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_CLASSIFY_H_
