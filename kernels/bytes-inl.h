// SPDX-License-Identifier: Apache-2.0
// Copies of a few bytes, and of whole cache lines past the caches.
#if defined(DIMORDER_KERNELS_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_BYTES_INL_H_
#undef DIMORDER_KERNELS_BYTES_INL_H_
#else
#define DIMORDER_KERNELS_BYTES_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/kernels.h"
#include "kernels/pin-inl.h"

// Targets that only imitate vectors are better off without: EMU128 keeps them in memory, and its interleaved loads and
// stores want aligned elements.
#undef DIMORDER_HAVE_VECTORS
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
#define DIMORDER_HAVE_VECTORS 0
#else
#define DIMORDER_HAVE_VECTORS 1
#endif

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Copies kPart bytes. (Arrays of 32 bytes gcc writes to the stack, too: many runs of 48 bytes took twice as long.)
template <size_t kPart>
HWY_INLINE void CopyPart(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst) {
#if DIMORDER_HAVE_VECTORS
  if constexpr (kPart > 16) {
    const hn::CappedTag<uint8_t, kPart> d;
    for (size_t i = 0; i < kPart; i += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, src + i), d, dst + i);
    return;
  }
#endif
  memcpy(dst, src, kPart);
}

// Copies n bytes, kPart <= n <= 2 * kPart, by two moves that overlap.
template <size_t kPart>
HWY_INLINE void CopyPair(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t n) {
  CopyPart<kPart>(src, dst);
  CopyPart<kPart>(src + n - kPart, dst + n - kPart);
}

// Copies n < 16 bytes.
HWY_INLINE void CopyBelow16(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t n) {
  if (n >= 8) return CopyPair<8>(src, dst, n);
  if (n >= 4) return CopyPair<4>(src, dst, n);
  if (n >= 2) return CopyPair<2>(src, dst, n);
  if (n == 1) *dst = *src;
}

// Copies n <= 64 bytes.
HWY_INLINE void CopyUpTo64(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t n) {
  if (n >= 32) return CopyPair<32>(src, dst, n);
  if (n >= 16) return CopyPair<16>(src, dst, n);
  CopyBelow16(src, dst, n);
}

// A run of at least one vector: four vectors at a time, all loaded before the first is stored (up to 1.6 times as fast
// as line by line), then single ones, the last of which overlaps.
HWY_INLINE void CopyVectors(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t bytes) {
#if !DIMORDER_HAVE_VECTORS
  memcpy(dst, src, bytes);
#else
  const hn::CappedTag<uint8_t, kLineBytes> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + 4 * lanes <= bytes; i += 4 * lanes) {
    const auto v0 = hn::LoadU(d, src + i);
    const auto v1 = hn::LoadU(d, src + i + lanes);
    const auto v2 = hn::LoadU(d, src + i + 2 * lanes);
    const auto v3 = hn::LoadU(d, src + i + 3 * lanes);
    hn::StoreU(v0, d, dst + i);
    hn::StoreU(v1, d, dst + i + lanes);
    hn::StoreU(v2, d, dst + i + 2 * lanes);
    hn::StoreU(v3, d, dst + i + 3 * lanes);
  }
  for (; i + lanes <= bytes; i += lanes) hn::StoreU(Pinned(hn::LoadU(d, src + i)), d, dst + i);
  if (i != bytes) hn::StoreU(hn::LoadU(d, src + bytes - lanes), d, dst + bytes - lanes);
#endif
}

// A run of any length; from a page on the C library's memcpy is as good.
HWY_INLINE void CopyRun(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t bytes) {
  bytes <= kLineBytes ? CopyUpTo64(src, dst, bytes) : CopyVectors(src, dst, bytes);
}

// Where a line that is asked for shall be. What is not used before much else is belongs in L2: in L1 it drives out what
// is being streamed, and rows that collide drive out each other (cores with 32 KB of L1: activations beyond the caches
// in 0.55 to 0.9 of the time of asking for L1, runs of 128 bytes 0.85).
enum class Level { kL1, kL2 };

template <Level kLevel>
HWY_INLINE void AskFor(const uint8_t* line) {
  __builtin_prefetch(line, 0, kLevel == Level::kL1 ? 3 : 2);
}

// Writes one cache line past the caches; `dst` is line-aligned. Needs FenceStreams before the data is handed on.
HWY_INLINE void StreamLine(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst) {
#if !DIMORDER_HAVE_VECTORS
  memcpy(dst, src, kLineBytes);
#else
  const hn::CappedTag<uint8_t, kLineBytes> d;
  for (size_t i = 0; i < static_cast<size_t>(kLineBytes); i += hn::Lanes(d)) {
    hn::Stream(hn::LoadU(d, src + i), d, dst + i);
  }
#endif
}

// Bytes from `p` up to the next multiple of a line.
HWY_INLINE size_t BytesToLine(const uint8_t* p) {
  return static_cast<size_t>(-reinterpret_cast<intptr_t>(p)) & (kLineBytes - 1);
}

// The whole lines of a run that begins with one; returns the bytes that are left at its end. What is asked for is 1 KB
// ahead, of this run or, where they adjoin, of the next. (On Zen 5 by half of it runs of 0.2 to 20 KB took 0.97 to 1.4
// times as long, by a distance that the length decides up to 1.5 times.)
HWY_INLINE size_t StreamWholeLines(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t bytes) {
  for (; bytes >= static_cast<size_t>(kLineBytes); bytes -= kLineBytes) {
    AskFor<Level::kL1>(src + 16 * kLineBytes);
    StreamLine(src, dst);
    src += kLineBytes;
    dst += kLineBytes;
  }
  return bytes;
}

// Copies a run; whole lines of it past the caches, as StreamLine().
HWY_INLINE void StreamRun(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t bytes) {
  const size_t head = HWY_MIN(BytesToLine(dst), bytes);
  CopyUpTo64(src, dst, head);
  const size_t tail = StreamWholeLines(src + head, dst + head, bytes - head);
  CopyUpTo64(src + bytes - tail, dst + bytes - tail, tail);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_BYTES_INL_H_
