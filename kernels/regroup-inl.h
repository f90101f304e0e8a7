// SPDX-License-Identifier: Apache-2.0
// Families kRegroup and kStageRegroup: pixels of A elements in B images become pixels of B elements in A images.
//
// A transpose whose rows and columns are few, and continued by the same axis, so that its tiles would be mostly edges
// and what can be joined, too. Two steps do it with whole vectors: some pixels of all images are taken apart into
// planes in L1, and those put together in the other order, each by the family that suits it (16666 pixels of 4 bytes in
// 3 images 8.5 -> 2.2 times a copy). Past the caches the new images, too, are made in L1, and leave it as whole lines
// while the next pixels are asked for (5 MB of 2 floats in 2 images 2.1 -> 1.1).
#if defined(DIMORDER_KERNELS_REGROUP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_REGROUP_INL_H_
#undef DIMORDER_KERNELS_REGROUP_INL_H_
#else
#define DIMORDER_KERNELS_REGROUP_INL_H_
#endif

#include "kernels/source-ahead-inl.h"
#include "kernels/staged-run-inl.h"
#include "kernels/unzip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Some pixels of all images, a plane for each of their elements, at args.scratch.
template <class T>
class PixelPlanes {
 public:
  // Asks for the lines of the new pixels before it writes them, or not.
  HWY_INLINE PixelPlanes(const KernelArgs& args, bool asks)
      : take_(IsUnzipCount(args.inner[1].n, kSize) ? &Unzip<T, false> : &Tile<T>),
        put_(IsZipCount(args.inner[0].n, kSize) ? (asks ? &Zip<T, true> : &Zip<T, false>) : &Tile<T>),
        planes_(args.scratch),
        pitch_(args.run),
        apart_(args),
        together_(args) {
    const Axis images = args.inner[0];
    const Axis elements = args.inner[1];
    apart_.inner[0] = Axis{0, elements.n * kSize, kSize};
    apart_.inner[1] = Axis{elements.n, kSize, images.n * pitch_};
    apart_.inner[2] = Axis{images.n, images.is, pitch_};
    apart_.panel = MostPixels();
    together_.inner[0] = Axis{images.n, pitch_, kSize};
    together_.inner[1] = Axis{0, kSize, images.n * kSize};
    together_.panel = images.n;
    together_.inner[2] = together_.inner[3] = apart_.inner[3] = Axis{1, 0, 0};
  }

  HWY_INLINE int64_t MostPixels() const { return pitch_ / kSize; }

  // From `n` pixels of the images at `src`.
  HWY_INLINE void Take(const uint8_t* src, int64_t n) {
    apart_.inner[0].n = n;
    take_(src, planes_, apart_);
  }

  // To as many pixels of image c, at `dst`: element c of those taken from.
  HWY_INLINE void Put(int64_t c, uint8_t* dst, int64_t n) {
    together_.inner[1].n = n;
    put_(planes_ + c * apart_.inner[1].os, dst, together_);
  }

 private:
  static constexpr int64_t kSize = sizeof(T);

  KernelFn take_;
  KernelFn put_;
  uint8_t* planes_;
  int64_t pitch_;
  KernelArgs apart_;
  KernelArgs together_;
};

template <class T>
HWY_INLINE void RegroupImages(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  PixelPlanes<T> planes(args, args.ahead != 0);
  const Axis images = args.inner[1];
  const Axis pixels = args.inner[2];
  for (int64_t i = 0, n = 0; i < pixels.n; i += n) {
    n = HWY_MIN(planes.MostPixels(), pixels.n - i);
    planes.Take(src + i * pixels.is, n);
    for (int64_t c = 0; c < images.n; ++c) planes.Put(c, dst + c * images.os + i * pixels.os, n);
  }
}

// The same by way of lines in L1, behind the planes; asks for the images at `next`, if that is not null, at the end.
// (Image by image, so that one is written while the next is made: 0.85 to 0.95 of the time of all at once.)
template <class T>
HWY_INLINE void StreamImages(const uint8_t* src, uint8_t* dst, const KernelArgs& args, const uint8_t* next) {
  PixelPlanes<T> planes(args, false);
  const Axis images = args.inner[1];
  const Axis pixels = args.inner[2];
  const int64_t pitch = args.inner[0].n * args.run + kLineBytes;
  uint8_t* const lines = args.scratch + args.inner[0].n * images.n * args.run + kLineBytes;
  for (int64_t i = 0, n = 0; i < pixels.n; i += n) {
    n = HWY_MIN(planes.MostPixels(), pixels.n - i);
    const bool last = i + n == pixels.n;
    const uint8_t* const later = last ? next : src + (i + n) * pixels.is + kLineBytes - 1;
    SourceAhead<Level::kL1> ahead(later, args.inner[0], Axis{1, 0, 0}, n * pixels.is, 1);
    planes.Take(src + i * pixels.is, n);
    for (int64_t c = 0; c < images.n; ++c) {
      uint8_t* const stage = lines + c * pitch;
      uint8_t* const to = dst + c * images.os + i * pixels.os;
      planes.Put(c, stage, n);
      const StagedRun run = {stage, to, static_cast<size_t>(n * pixels.os), i == 0, last};
      StreamStaged(run, [&ahead] { ahead.AskLine(); });
    }
  }
}

template <class T, bool kStreams>
void Regroup(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const Axis more = args.inner[3];
  for (int64_t k = 0; k < more.n; ++k, src += more.is, dst += more.os) {
    if constexpr (kStreams) {
      StreamImages<T>(src, dst, args, k + 1 < more.n ? src + more.is : args.next);
    } else {
      RegroupImages<T>(src, dst, args);
    }
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_REGROUP_INL_H_
