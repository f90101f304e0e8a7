// SPDX-License-Identifier: Apache-2.0
// Transposes of short axes, in two passes where one is mostly edges.
#include <limits>

#include "dispatch/choose.h"
#include "dispatch/integers.h"
#include "dispatch/two_pass.h"

namespace dimorder {
inline namespace v1 {
namespace {

// What kJoined takes for a line of bytes and of 2-byte elements where rows or columns fill less than two blocks, in the
// nanoseconds of two_pass.cc, and times that where they do not fill one.
constexpr double kJoinedLineNs[2] = {4.2, 3.5};
constexpr double kPartialBlocks = 2;
// Two passes are to take no more of that.
constexpr double kGain = 0.85;

// Moves of fewer bytes are over before a second pass pays (of small tiles 1.8 to 2.6 times as long below 64 bytes, 1.0
// to 1.4 below this, 0.42 and 0.76 up to 256).
constexpr int64_t kFewestBytes = 128;

// Fewer pixels than these are not regrouped: their planes are short, and so is each kernel call.
constexpr int64_t kManyPixels = 512;

// What a shape takes for a line without: of other kernels than kJoined longer than any two passes, where those pay; 0
// where they do not.
double LineNsInOnePass(const Shape& shape) {
  constexpr double kLonger = std::numeric_limits<double>::max();
  if (Regroups(shape, false)) {
    const int64_t pixels = NextAxis(shape, &Axis::os, shape.inner[0].n * shape.element_bytes).n;
    return pixels < kManyPixels ? kLonger : 0;
  }
  if (Joins(shape, false)) {
    const JoinedSides sides = JoinSides(shape);
    const int64_t least = Min(sides.rows.steps, sides.columns.steps) * shape.element_bytes;
    if (least >= 2 * kBlockBytes) return 0;
    return kJoinedLineNs[shape.element_bytes - 1] * (least < kBlockBytes ? kPartialBlocks : 1);
  }
  return Max(shape.inner[0].n, shape.inner[1].n) < kBlockBytes / shape.element_bytes ? kLonger : 0;
}

}  // namespace

// Of 7500 random permutations of 0.5 KB to 2 MB with 32-byte vectors 286 of bytes take 0.45 of the time of kJoined, 77
// of 2-byte elements 0.58; regrouped ones 0.53 and 0.72, small tiles 0.38 and 0.56; vectors of 16 and 64 bytes gain as
// much. (Elements of 4 bytes gained nothing.)
bool TakesTwoPasses(const Shape& shape, int64_t bytes, int64_t* copy) noexcept {
  TwoPassBox box;
  if (shape.family != Family::kTile || bytes < kFewestBytes) return false;
  if (FindKernelId(Family::kTwoPass, shape.element_bytes) == kNumKernels) return false;
  const double other = LineNsInOnePass(shape);
  if (other == 0 || !FindTwoPassBox(shape, &box)) return false;
  int64_t best;
  if (ChooseCopy(box, &best) >= kGain * other) return false;
  *copy = best;
  return true;
}

}  // namespace v1
}  // namespace dimorder
