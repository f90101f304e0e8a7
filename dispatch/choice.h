// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_CHOICE_H_
#define DIMORDER_DISPATCH_CHOICE_H_

#include <cstdint>

#include "dimorder/dimorder.h"
#include "dispatch/classify.h"
#include "dispatch/text.h"

namespace dimorder {
inline namespace v1 {

struct Request;

// What a plan is free to decide about a shape: every choice moves the same bytes. Estimated from the machine's caches,
// or measured and remembered as wisdom.
struct Choice {
  Family family;  // the shape's, or its form that asks ahead or writes past the caches
  Pack pack;      // KernelArgs::packing
  bool swap;      // the two innermost loops round the kernel change places
  int64_t panel;  // KernelArgs::panel; of kRun, if more than 1: so much of a long axis goes inside, whatever rows and
                  // cols say
  int64_t run;    // KernelArgs::run
  int64_t rows;   // at most so many rows and columns of a transpose, or runs of either axis of run copies, go into one
  int64_t cols;   // kernel call; 0: all. kStream without cols: so many adjoining runs, gathered
  int64_t copy;   // of kTwoPass: the axes of its copy, outermost first, as digits from 1 on (two_pass.h); else 0

  bool operator==(const Choice&) const = default;
};

// Where a plan's choice came from.
enum class Origin : uint8_t { kEstimate, kWisdom, kMeasured };

// The choice for a request with bytes, from what is known about caches. `stores`, for the request's own, may forbid or
// demand streaming.
Choice EstimateChoice(const Request& request, Stores stores) noexcept;

// Whether a choice writes past the caches.
inline bool WritesPastCaches(const Choice& choice) noexcept {
  return WritesPastCaches(choice.family) || (choice.family == Family::kJoined && choice.pack == Pack::kColumns);
}

// Whether a choice moves lines whole.
inline bool ByLineTiles(const Choice& choice) noexcept {
  return choice.family == Family::kTile && choice.panel == kLineTiles;
}

// Whether a choice is one of this shape's: the estimate is; what was read from a text may not be.
bool Suits(const Choice& choice, const Shape& shape) noexcept;

// A choice as text, "Stage4 pack=0 panel=8 run=512 rows=1024 cols=256 swap=0 copy=0", for a kernel of that element
// size.
void WriteChoice(const Choice& choice, int64_t element_bytes, TextWriter* text) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_CHOICE_H_
