// SPDX-License-Identifier: Apache-2.0
// Pixels that are taken apart into planes, or put together from them, as whole lines past the caches.
//
// Both sides are a few long runs, so a few lines in L1 are all that needs to be gathered: planes from 3 channels 1.5 to
// 1.95 -> 1.0 to 1.1 times a copy that writes through the caches, pixels of 3 channels 1.04 to 1.47 -> 0.85 to 1.0
// times what a stage of 4 KB took.
#if defined(DIMORDER_KERNELS_PIXEL_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PIXEL_LINES_INL_H_
#undef DIMORDER_KERNELS_PIXEL_LINES_INL_H_
#else
#define DIMORDER_KERNELS_PIXEL_LINES_INL_H_
#endif

#include "kernels/make-lines-inl.h"
#include "kernels/staged-run-inl.h"
#include "kernels/unzip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Whether a box is pixels to be taken apart, or rows to be put together.
template <class T>
HWY_INLINE bool IsUnzip(const Box& box) {
  const int64_t channels = box.inner[1].n;
  return IsUnzipCount(channels, sizeof(T)) && box.inner[0].is == channels * static_cast<int64_t>(sizeof(T));
}
template <class T>
HWY_INLINE bool IsZip(const Box& box) {
  const int64_t channels = box.inner[0].n;
  return IsZipCount(channels, sizeof(T)) && box.inner[1].os == channels * static_cast<int64_t>(sizeof(T));
}

// Whole lines of each plane, from n pixels of kC elements.
template <int kC, class D, class T = hn::TFromD<D>>
HWY_NOINLINE void StreamPlanes(D d, const uint8_t* src, uint8_t* dst, int64_t os, int64_t n) {
  constexpr int64_t kSize = sizeof(T);
  for (int64_t i = 0; i < n; i += kLineBytes / kSize) {
    MakeLines<kC>(
        d, dst + i * kSize, os, 0, [&](int64_t pixel, const auto& out) __attribute__((always_inline)) {
          const uint8_t* from = src + (i + pixel) * kC * kSize;
          if constexpr (kUnzipsWhole<kC, D>) {
            UnzipVector<kC>(d, reinterpret_cast<const T*>(from), out);
          } else {
            UnzipTile<kC>(d, from, out);
          }
        });
  }
}

// A line's worth of elements of each row as pixels of kC. May store up to 15 bytes too many.
template <int kC, class D>
HWY_INLINE void MakePixels(D d, const uint8_t* src, int64_t is, uint8_t* dst) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  for (int64_t i = 0; i < kLineBytes / kSize; i += static_cast<int64_t>(hn::Lanes(d))) {
    if constexpr (kZipsWhole<kC, D>) {
      ZipVector<kC>(d, src + i * kSize, is, dst + i * kC * kSize);
    } else {
      ZipTile<kC>(d, src + i * kSize, is, dst + i * kC * kSize);
    }
  }
}

// Pixels of kC elements, from n elements of each row, a multiple of a line's, as lines: whole ones where `dst` begins
// one, else what is cut is carried from line to line. (Asking for twice as far ahead, 2 and 3 rows took 0.8 to 1.05 of
// the time, 4 rows 1.1 to 1.6.)
template <int kC, class D, class T = hn::TFromD<D>>
HWY_NOINLINE void StreamPixels(D d, const uint8_t* src, int64_t is, uint8_t* dst, int64_t n) {
  constexpr int64_t kSize = sizeof(T);
  alignas(kLineBytes) uint8_t lines[(kC + 1) * kLineBytes + 16];
  StagedRun run = {lines + kLineBytes, dst, 0, true, false};
  for (int64_t i = 0; i < n; i += kLineBytes / kSize) {
    for (int64_t c = 0; c < kC; ++c) hwy::Prefetch(src + c * is + i * kSize + 8 * kLineBytes);
    MakePixels<kC>(d, src + i * kSize, is, run.stage);
    StreamNext(&run, kC * kLineBytes, i + kLineBytes / kSize == n);
  }
}

// The last `left` of n pixels, fewer than a line of each row makes; n is no less.
template <int kC, class D, class T = hn::TFromD<D>>
HWY_NOINLINE void StreamLastPixels(D d, const uint8_t* src, int64_t is, uint8_t* dst, int64_t n, int64_t left) {
  constexpr int64_t kPixel = kC * static_cast<int64_t>(sizeof(T));
  alignas(kLineBytes) uint8_t lines[kC * kLineBytes + 16];
  const int64_t first = n - kLineBytes / static_cast<int64_t>(sizeof(T));
  MakePixels<kC>(d, src + first * static_cast<int64_t>(sizeof(T)), is, lines);
  StreamRun(lines + (n - left - first) * kPixel, dst + (n - left) * kPixel, static_cast<size_t>(left * kPixel));
}

// StreamPlanes() of n pixels, after which there are `more`: where those are fewer than it loads too much, the last ones
// by way of a buffer.
template <int kC, class T>
HWY_NOINLINE void StreamPlanesUpTo(const uint8_t* src, uint8_t* dst, int64_t os, int64_t n, int64_t more) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kPixel = kC * kSize;
  constexpr int64_t kPixels = kLineBytes / kSize;
  const WideTag<T> d;
  const int64_t last = kUnzipsWhole<kC, WideTag<T>> || more >= OverrunPixels(kPixel) ? 0 : kPixels;
  StreamPlanes<kC>(d, src, dst, os, n - last);
  if (last == 0) return;
  alignas(kLineBytes) uint8_t in[kPixels * kPixel + 16];
  memcpy(in, src + (n - last) * kPixel, kPixels * kPixel);
  StreamPlanes<kC>(d, in, dst + (n - last) * kSize, os, last);
}

// Pixels [from, to) of a box to planes at `dst`, `os` bytes apart, by ordinary stores.
template <class T>
HWY_INLINE void StorePlanes(const uint8_t* src, uint8_t* dst, int64_t os, Box box, int64_t from, int64_t to) {
  if (from == to) return;
  src += from * box.inner[0].is;
  box.inner[0].n = to - from;
  box.inner[1].os = os;
  UnzipBox<T>(src, dst, box);
}

// The lines that adjoining planes share, of which the first `to_line` bytes of the first plane are one's end: the ends
// and begins of all planes, before and after what is whole, meet in L1.
template <class T>
HWY_NOINLINE void StreamPlaneSeams(const uint8_t* src, uint8_t* dst, const Box& box, int64_t to_line) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t n = box.inner[0].n;
  const int64_t channels = box.inner[1].n;
  const int64_t os = box.inner[1].os;
  const int64_t end = kLineBytes - to_line;
  alignas(kLineBytes) uint8_t seams[(kMostZipped + 1) * kLineBytes];
  StorePlanes<T>(src, seams + end, kLineBytes, box, 0, to_line / kSize);
  StorePlanes<T>(src, seams + kLineBytes, kLineBytes, box, n - end / kSize, n);
  CopyUpTo64(seams + end, dst, static_cast<size_t>(to_line));
  for (int64_t c = 1; c < channels; ++c) StreamLine(seams + c * kLineBytes, dst + c * os - end);
  CopyUpTo64(seams + channels * kLineBytes, dst + channels * os - end, static_cast<size_t>(end));
}

// Shorter planes that begin within a line are stored as they are: most of their lines would be seams.
constexpr int64_t kMinCutPlaneBytes = 8 * kLineBytes;

// The planes of a box, where they are whole lines apart; the pixels before the first whole line and those after the
// last one by ordinary stores, but where planes adjoin.
template <class T>
HWY_NOINLINE void UnzipLines(const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kPixels = kLineBytes / kSize;
  const int64_t os = box.inner[1].os;
  const int64_t n = box.inner[0].n;
  const auto to_line = static_cast<int64_t>(BytesToLine(dst));
  const int64_t head = to_line / kSize;
  const int64_t streamed = HWY_MAX(n - head, 0) / kPixels * kPixels;
  const bool whole = os % kLineBytes == 0 && to_line % kSize == 0 && streamed != 0;
  if (!whole || (to_line != 0 && n * kSize < kMinCutPlaneBytes)) return UnzipBox<T>(src, dst, box);
  WithCount<T>(box.inner[1].n, [&](auto count) {
    constexpr int kC = decltype(count)::value;
    if constexpr (IsUnzipCount(kC, kSize)) {
      StreamPlanesUpTo<kC, T>(src + head * kC * kSize, dst + to_line, os, streamed, n - head - streamed);
    }
  });
  if (to_line != 0 && os == n * kSize) return StreamPlaneSeams<T>(src, dst, box, to_line);
  StorePlanes<T>(src, dst, os, box, 0, head);
  StorePlanes<T>(src, dst + (head + streamed) * kSize, os, box, head + streamed, n);
}

// Pixels at `dst` before the first that begins with a line; none if none of n does.
HWY_INLINE int64_t PixelsToLine(const uint8_t* dst, int64_t pixel, int64_t n) {
  for (int64_t i = 0; i < HWY_MIN(n, kLineBytes); ++i) {
    if (BytesToLine(dst + i * pixel) == 0) return i;
  }
  return 0;
}

// Shorter boxes that begin within a line are stored as they are: their ends cost more (3 channels: 2 KB 0.7 of the time
// of storing all, 768 bytes 0.95, 192 bytes 2 times; 9 bytes: 9 KB 0.85, 2 KB 1.4 times).
template <int kC, class T>
constexpr int64_t kMinCutPixelsBytes = (kZipsWhole<kC, BlockTag<T>> ? 12 : 64) * kLineBytes;

// The pixels of a box; those before the first that begins with a line by ordinary stores.
template <int kC, class T>
HWY_NOINLINE void ZipLinesOf(const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kPixel = kC * kSize;
  constexpr int64_t kPixels = kLineBytes / kSize;
  const int64_t n = box.inner[1].n;
  if (BytesToLine(dst) != 0 && n * kPixel < kMinCutPixelsBytes<kC, T>) return ZipBox<T>(src, dst, box);
  const int64_t head = PixelsToLine(dst, kPixel, n);
  const int64_t streamed = (n - head) / kPixels * kPixels;
  StreamPixels<kC>(WideTag<T>(), src + head * kSize, box.inner[0].is, dst + head * kPixel, streamed);
  const auto store = [&](int64_t from, int64_t to) {
    Box part = box;
    part.inner[1].n = to - from;
    if (from < to) ZipBox<T>(src + from * kSize, dst + from * kPixel, part);
  };
  store(0, head);
  const int64_t left = n - head - streamed;
  if (n < kPixels) return store(n - left, n);
  if (left > 0) StreamLastPixels<kC>(WideTag<T>(), src, box.inner[0].is, dst, n, left);
}

template <class T>
HWY_INLINE void ZipLines(const uint8_t* src, uint8_t* dst, const Box& box) {
  WithCount<T>(box.inner[0].n, [&](auto count) { ZipLinesOf<decltype(count)::value, T>(src, dst, box); });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PIXEL_LINES_INL_H_
