// SPDX-License-Identifier: Apache-2.0
// Transposes of short axes, in two passes where one is mostly edges.
#include <limits>

#include "dispatch/choose.h"
#include "dispatch/integers.h"
#include "dispatch/machine.h"
#include "dispatch/two_pass.h"

namespace dimorder {
inline namespace v1 {
namespace {

// What one pass takes for a line of whole blocks, which rows and columns fill or not, in the nanoseconds of
// two_pass.cc; and where rows fill more than a half but not all of a block, or columns not one. (Of 6000 permutations
// on Emerald Rapids with vectors of 32 and 64 bytes half take 0.73 to 1.21 times that, small tiles of 2 bytes 1.02
// to 1.35.)
constexpr double kOnePassLineNs = 3.2;
constexpr double kOnePassPartNs = 4.4;

// What kShuffle takes for a box (0.2 to 1.3 where boxes adjoin on both sides, which two passes do not better).
constexpr double kShuffledBoxNs = 2;

// Two passes are to take no more of that; less where both sides leave L1, whose misses the model leaves out.
constexpr double kGain = 0.85;
constexpr double kGainBeyondL1 = 0.65;

// Two passes lose where rows and columns fill so many bytes, of joined ones either of them (0.9 to 1.3 times as long).
constexpr int64_t kLongSide = 2 * kBlockBytes;

// Moves of fewer bytes are over before a second pass pays (of small tiles 1.8 to 2.6 times as long below 64 bytes, 1.0
// to 1.4 below this, 0.42 and 0.76 up to 256).
constexpr int64_t kFewestBytes = 128;

// Fewer pixels than these are not regrouped: their planes are short, and so is each kernel call.
constexpr int64_t kManyPixels = 512;

double OnePassLineNs(int64_t rows, int64_t cols, int64_t element_bytes) {
  const int64_t block = kBlockBytes / element_bytes;
  const bool parts = (rows > block / 2 && rows < block) || cols < block;
  const auto lines = static_cast<double>(RoundUp(rows, block) * RoundUp(cols, block));
  return (parts ? kOnePassPartNs : kOnePassLineNs) * lines / static_cast<double>(rows * cols);
}

double JoinedLineNs(const Shape& shape) {
  const JoinedSides sides = JoinSides(shape);
  const int64_t rows = sides.rows.steps;
  const int64_t cols = sides.columns.steps;
  return Min(rows, cols) * shape.element_bytes < kLongSide ? OnePassLineNs(rows, cols, shape.element_bytes) : 0;
}

double TileLineNs(const Shape& shape) {
  const int64_t rows = shape.inner[0].n;
  const int64_t cols = shape.inner[1].n;
  return Max(rows, cols) * shape.element_bytes < kLongSide ? OnePassLineNs(rows, cols, shape.element_bytes) : 0;
}

double ShuffledLineNs(const Shape& shape) {
  const int64_t bytes = shape.inner[0].n * shape.inner[1].n * shape.element_bytes;
  return bytes <= kBlockBytes && !BoxesAdjoin(shape) ? kShuffledBoxNs * kLineBytes / static_cast<double>(bytes) : 0;
}

// What a shape takes for a line in one pass: regrouped longer than any two, where those pay; 0 where they do not.
double LineNsInOnePass(const Shape& shape) {
  if (shape.family == Family::kShuffle) return ShuffledLineNs(shape);
  if (shape.family != Family::kTile) return 0;
  if (Regroups(shape, false)) {
    const int64_t pixels = NextAxis(shape, &Axis::os, shape.inner[0].n * shape.element_bytes).n;
    return pixels < kManyPixels ? std::numeric_limits<double>::max() : 0;
  }
  return Joins(shape, false) ? JoinedLineNs(shape) : TileLineNs(shape);
}

}  // namespace

// Of 6000 random permutations of 128 bytes to 256 KB those that go in two passes take of the time of one, by vectors of
// 32 bytes and of 64: joined ones of bytes 0.50 and 0.54, of 2 bytes 0.69 and 0.64, small tiles 0.33 to 0.42, regrouped
// ones 0.51 to 0.60. (Elements of 4 bytes gained nothing.)
bool TakesTwoPasses(const Shape& shape, int64_t bytes, int64_t* copy) noexcept {
  if (bytes < kFewestBytes || FindKernelId(Family::kTwoPass, shape.element_bytes) == kNumKernels) return false;
  const double other = LineNsInOnePass(shape);
  TwoPassBox box;
  if (other == 0 || !FindTwoPassBox(shape, &box)) return false;
  const double gain = bytes > MachineCaches().l1 / 2 ? kGainBeyondL1 : kGain;
  int64_t best;
  if (ChooseCopy(box, &best) >= gain * other) return false;
  *copy = best;
  return true;
}

}  // namespace v1
}  // namespace dimorder
