// SPDX-License-Identifier: Apache-2.0
// Pixels of A elements in B images to pixels of B elements in A images.
#include "dispatch/choose.h"
#include "dispatch/integers.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Planes, one for each element of all images' pixels, that are in L1 at a time: 15 images of pixels of 15 bytes make
// the most. More than the second number are many.
constexpr int64_t kMostPlanes = 225;
constexpr int64_t kManyPlanes = 64;
// Bytes of all planes, and of each at most.
constexpr int64_t kPlanesBytes = int64_t{16} * 1024;
constexpr int64_t kPlaneBytes = 1024;
// The same where lines are streamed, and of each at least: little at a time, so that reads, writes and work overlap.
constexpr int64_t kStreamedPlanesBytes = int64_t{2} * 1024;
constexpr int64_t kStreamedPlaneBytes = 192;

// Fewer pixels than these, of elements up to 2 bytes and wider ones, take as long joined.
constexpr int64_t kMinPixels = 16;
constexpr int64_t kMinWidePixels = 48;
// Of many planes, pixels of so many elements in fewer images do: kJoined has nearly full microtiles for them.
constexpr int64_t kMinLongPixel = 12;
// Images at odd places are streamed from here on: each of them cuts a line at both ends (800 bytes 1.4 times as long).
constexpr int64_t kMinImageBytes = 2048;

Axis PixelsOf(const Shape& shape) { return NextAxis(shape, &Axis::os, shape.inner[0].n * shape.element_bytes); }

// Whether images make more than a block of a new pixel, and an interleave is made for so many.
bool IsLongZip(int64_t images, int64_t element_bytes) {
  return images * element_bytes > 16 && IsZipCount(images, element_bytes);
}

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
  if (!CanRegroup(shape)) return false;
  const int64_t element = shape.element_bytes;
  const int64_t images = shape.inner[0].n;
  const int64_t elements = shape.inner[1].n;
  const bool many = images * elements > kManyPlanes;
  const bool block = IsUnzipCount(images, element);
  const bool small = element <= 2 && !many && (streams || block);
  if (PixelsOf(shape).n < (small ? kMinPixels : kMinWidePixels)) return false;
  if (streams && !many) return true;
  if (many && elements >= kMinLongPixel && images < elements) return false;
  return IsUnzipCount(elements, element) && (block || IsLongZip(images, element));
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
