// SPDX-License-Identifier: Apache-2.0
// Which axes go into the kernel.
//
// Two axes matter: D, contiguous in the destination, and S, contiguous in the source. If they are one, the move copies
// runs. If they differ, it is a transpose of S by D, and all other axes merely repeat it; a D or S of a few elements
// that is dense on the other side too makes it an interleave or deinterleave, where the other axis fills a block; and
// many boxes of both that are at most a line and dense on both sides are shuffled. If one of them does not exist (a
// gap, a broadcast or a reversal at the innermost axis), or the transpose is tiny and no axis continues either of them,
// the generic kernel is right, but for every second to fourth element out of a row. Before all that, a line at most
// that spans no more on either side is looked up.
#include "dispatch/classify.h"

#include <algorithm>

#include "dispatch/integers.h"

namespace dimorder {
inline namespace v1 {
namespace {

constexpr Axis kUnitAxis = {1, 0, 0};

// A transpose that fills no block on one side and has at most this many elements is faster one by one.
constexpr int64_t kTinyTranspose = 16;

constexpr int kNone = -1;

// The outer axes: those of `problem` other than a, b and c, smallest stride innermost. Stepping the shorter way first
// keeps pages and lines of one side in use for longest.
void CollectOuter(const Problem& problem, int a, int b, int c, Shape* shape) {
  shape->num_outer = 0;
  for (int i = 0; i < problem.num_axes; ++i) {
    if (i == a || i == b || i == c) continue;
    const Axis axis = problem.axes[i];
    int at = shape->num_outer++;
    const auto stride = [](const Axis& outer) { return MinStride(outer.is, outer.os); };
    for (; at > 0 && stride(shape->outer[at - 1]) < stride(axis); --at) shape->outer[at] = shape->outer[at - 1];
    shape->outer[at] = axis;
  }
}

// The axis whose steps are `bytes` bytes on one side.
int FindAxis(const Problem& problem, int64_t Axis::*stride, int64_t bytes) {
  for (int i = problem.num_axes - 1; i >= 0; --i) {
    if (problem.axes[i].*stride == bytes) return i;
  }
  return kNone;
}

Family TransposeFamily(const Axis& d, const Axis& s, int64_t unit) {
  if (unit > 8) return Family::kTile;
  if (IsZipCount(d.n, unit) && s.os == d.n * unit && s.n * unit >= kBlockBytes) return Family::kZip;
  if (IsUnzipCount(s.n, unit) && d.is == s.n * unit && d.n * unit >= kBlockBytes) return Family::kUnzip;
  return Family::kTile;
}

// One of a few elements each, of rows longer than a line.
bool IsPick(const Axis& d, int64_t unit) {
  return unit <= 8 && d.os == unit && d.is % unit == 0 && IsPickCount(d.is / unit) && d.n * unit > kLineBytes;
}

// Boxes of at most a line are shuffled where one call moves as many; fewer are not worth its tables.
constexpr int64_t kFewestBoxes = 16;

// Whether the box of d and s is dense on both sides and so small.
bool IsSmallBox(const Problem& problem, const Axis& d, const Axis& s) {
  const bool dense = d.is == s.n * problem.unit && s.os == d.n * problem.unit;
  return dense && problem.unit <= 8 && d.n * s.n * problem.unit <= kLineBytes;
}

// Whether another axis continues d in the destination or one s in the source: a tiny transpose grows by it, since such
// axes are joined (9x8x64x2 bytes (2 0 3 1) 88 -> 14 times a copy, 7x3x128x4 floats 15 -> 1.8; 36 shapes 0.31 of the
// time).
bool IsContinued(const Problem& problem, const Axis& d, const Axis& s) {
  const int next_d = FindAxis(problem, &Axis::os, d.n * problem.unit);
  const int next_s = FindAxis(problem, &Axis::is, s.n * problem.unit);
  return (next_d != kNone && &problem.axes[next_d] != &s) || (next_s != kNone && &problem.axes[next_s] != &d);
}

// Whether runs of `bytes` bytes are pixels that a kernel transposes.
bool IsPixel(int64_t bytes) { return bytes == 3 || bytes == 5 || bytes == 6 || bytes == 7; }

// A transpose of pixels shorter than this on one side is mostly tails.
constexpr int64_t kMinPixels = 8;

bool IsTiny(const Axis& d, const Axis& s, int64_t unit) {
  return d.n * s.n <= kTinyTranspose && (d.n * unit < kBlockBytes || s.n * unit < kBlockBytes);
}

void SetRunShape(const Problem& problem, int run, Shape* shape) {
  shape->family = Family::kRun;
  shape->element_bytes = 1;
  shape->inner[0] = run == kNone ? Axis{problem.unit, 1, 1} : problem.axes[run];
  shape->inner[1] = kUnitAxis;
  CollectOuter(problem, run, kNone, kNone, shape);
}

void SetTwoAxisShape(const Problem& problem, Family family, int first, int second, Shape* shape) {
  shape->family = family;
  shape->element_bytes = problem.unit;
  shape->inner[0] = problem.axes[first];
  shape->inner[1] = second == kNone ? kUnitAxis : problem.axes[second];
  CollectOuter(problem, first, second, kNone, shape);
}

// Boxes of d and s, if they are small and one call has enough of them.
bool SetShuffleShape(const Problem& problem, int d, int s, Shape* shape) {
  if (!IsSmallBox(problem, problem.axes[d], problem.axes[s])) return false;
  SetTwoAxisShape(problem, Family::kShuffle, d, s, shape);
  int64_t boxes = 1;
  for (int i = shape->num_outer; i > 0 && i > shape->num_outer - 2 && boxes < kFewestBoxes; --i) {
    boxes *= shape->outer[i - 1].n;
  }
  return boxes >= kFewestBoxes;
}

// Where runs of `bytes` bytes adjoin along one axis in the source and along another in the destination.
bool SetPixelShape(const Problem& problem, int64_t bytes, Shape* shape) {
  const int row = FindAxis(problem, &Axis::os, bytes);
  const int col = FindAxis(problem, &Axis::is, bytes);
  if (row == kNone || col == kNone || row == col) return false;
  if (problem.axes[row].n < kMinPixels || problem.axes[col].n < kMinPixels) return false;
  shape->family = Family::kTile;
  shape->element_bytes = bytes;
  shape->inner[0] = problem.axes[row];
  shape->inner[1] = problem.axes[col];
  CollectOuter(problem, row, col, problem.num_axes - 1, shape);
  return true;
}

bool SpansAreFull(const Problem& problem) {
  const bool full = problem.src_end - problem.src_begin == problem.bytes;
  return full && problem.dst_end - problem.dst_begin == problem.bytes;
}

}  // namespace

bool ClassifyLookup(const Problem& problem, Shape* shape) noexcept {
  if (problem.bytes > kLineBytes || !SpansAreFull(problem)) return false;
  if (problem.num_axes == 0 || (problem.num_axes == 1 && problem.axes[0].is == problem.unit)) return false;  // a copy
  shape->family = Family::kLookup;
  shape->element_bytes = 1;
  shape->inner[0] = Axis{problem.bytes, 1, 1};
  shape->inner[1] = kUnitAxis;
  shape->num_outer = problem.num_axes;
  std::copy(problem.axes, problem.axes + problem.num_axes, shape->outer);
  if (problem.unit > 1) shape->outer[shape->num_outer++] = Axis{problem.unit, 1, 1};
  return true;
}

void Classify(const Problem& problem, Shape* shape) noexcept {
  const int last = problem.num_axes - 1;
  if (problem.num_axes == 0) return SetRunShape(problem, kNone, shape);
  const Axis& d = problem.axes[last];
  if (problem.unit == 1 && d.is == 1 && d.os == 1) {
    if (IsPixel(d.n) && SetPixelShape(problem, d.n, shape)) return;
    return SetRunShape(problem, last, shape);
  }
  const int source_inner = FindAxis(problem, &Axis::is, problem.unit);
  if (d.os == problem.unit && source_inner != kNone) {
    const Axis& s = problem.axes[source_inner];
    if (SetShuffleShape(problem, last, source_inner, shape)) return;
    if (!IsTiny(d, s, problem.unit) || IsContinued(problem, d, s)) {
      return SetTwoAxisShape(problem, TransposeFamily(d, s, problem.unit), last, source_inner, shape);
    }
  }
  const Family family = IsPick(d, problem.unit) ? Family::kPick : Family::kGeneric;
  SetTwoAxisShape(problem, family, last, problem.num_axes > 1 ? last - 1 : kNone, shape);
}

}  // namespace v1
}  // namespace dimorder
