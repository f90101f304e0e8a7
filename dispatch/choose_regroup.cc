// SPDX-License-Identifier: Apache-2.0
// Pixels of A elements in B images to pixels of B elements in A images.
#include "dispatch/choose.h"
#include "dispatch/integers.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Planes, one for each element of all images' pixels, that are in L1 at a time.
constexpr int64_t kMostPlanes = 64;
// Bytes of all planes, and of each at most.
constexpr int64_t kPlanesBytes = int64_t{16} * 1024;
constexpr int64_t kPlaneBytes = 1024;
// The same where lines are streamed, and of each at least: little at a time, so that reads, writes and work overlap.
constexpr int64_t kStreamedPlanesBytes = int64_t{2} * 1024;
constexpr int64_t kStreamedPlaneBytes = 192;

// Fewer pixels than these, of elements up to 2 bytes and wider ones, take as long joined.
constexpr int64_t kMinPixels = 16;
constexpr int64_t kMinWidePixels = 48;
// Images at odd places are streamed from here on: each of them cuts a line at both ends (800 bytes 1.4 times as long).
constexpr int64_t kMinImageBytes = 2048;

Axis PixelsOf(const Shape& shape) { return NextAxis(shape, &Axis::os, shape.inner[0].n * shape.element_bytes); }

int64_t WholeLinesOf(int64_t bytes) { return bytes / kLineBytes * kLineBytes; }

}  // namespace

bool CanRegroup(const Shape& shape) noexcept {
  const Axis& images = shape.inner[0];
  const Axis& elements = shape.inner[1];
  if (shape.family != Family::kTile || images.n > kMostPlanes || elements.n > kMostPlanes) return false;
  if (images.n * elements.n > kMostPlanes) return false;
  const Axis pixels = PixelsOf(shape);
  if (pixels.n <= 1 || pixels.is != elements.n * shape.element_bytes) return false;
  return FindKernelId(Family::kRegroup, shape.element_bytes) != kNumKernels;
}

bool Regroups(const Shape& shape, bool streams) noexcept {
  const int64_t element = shape.element_bytes;
  if (!CanRegroup(shape) || PixelsOf(shape).n < (element <= 2 ? kMinPixels : kMinWidePixels)) return false;
  return streams || (IsUnzipCount(shape.inner[0].n, element) && IsUnzipCount(shape.inner[1].n, element));
}

void ChooseRegroup(const Shape& shape, bool streams, Choice* choice) noexcept {
  const int64_t planes = shape.inner[0].n * shape.inner[1].n;
  const Axis pixels = PixelsOf(shape);
  streams = streams && (WholeLines(shape.inner[1].os) || pixels.os >= kMinImageBytes / pixels.n);
  choice->family = streams ? Family::kStageRegroup : Family::kRegroup;
  choice->run = streams ? Max(WholeLinesOf(kStreamedPlanesBytes / planes), kStreamedPlaneBytes)
                        : Min(WholeLinesOf(kPlanesBytes / planes), kPlaneBytes);
}

}  // namespace v1
}  // namespace dimorder
