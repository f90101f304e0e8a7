// SPDX-License-Identifier: Apache-2.0
// Vectors of blocks of 16 bytes, each of which lies at a place of its own.
#if defined(DIMORDER_KERNELS_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_BLOCKS_INL_H_
#undef DIMORDER_KERNELS_BLOCKS_INL_H_
#else
#define DIMORDER_KERNELS_BLOCKS_INL_H_
#endif

#include "kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Blocks in a vector of D; of scalable vectors only one is used.
template <class D>
constexpr int64_t kBlocks = HWY_HAVE_SCALABLE ? 1
                                              : static_cast<int64_t>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>)) / 16;

// The upper half of four blocks, by inserts that take their block from memory: Combine() of two halves costs a shuffle,
// on the one port that the network waits for. 1.1 to 1.25 times as fast in L1. The halves of 1- and 2-byte elements are
// made apart and blended: one insert after the other took up to 1.25 times as long, while 4 and 8 bytes gain up to 1.15
// times by it.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
template <class D, class At>
HWY_INLINE hn::VFromD<D> AddUpperBlocks(D, hn::VFromD<hn::Half<D>> lower_half, const At& at) {
  const auto block = [&at](int64_t k) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at(k))); };
  const __m512i lower = _mm512_castsi256_si512(lower_half.raw);
  if constexpr (sizeof(hn::TFromD<D>) <= 2) {
    const __m512i upper = _mm512_inserti32x4(_mm512_broadcast_i32x4(block(2)), block(3), 3);
    return hn::VFromD<D>{_mm512_mask_blend_epi64(0xF0, lower, upper)};
  } else {
    return hn::VFromD<D>{_mm512_inserti32x4(_mm512_inserti32x4(lower, block(2), 2), block(3), 3)};
  }
}
#endif

// Loads a vector of which block k is the 16 bytes at at(k). (For two blocks, two broadcasts and a blend took up to 1.1
// times as long.)
template <class D, class At>
HWY_INLINE hn::VFromD<D> LoadBlocksAt(D d, const At& at) {
  if constexpr (kBlocks<D> == 1) {
    return hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(at(0)));
  } else {
    const hn::Half<D> half;
    const auto lower = LoadBlocksAt(half, at);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    if constexpr (kBlocks<D> == 4) return AddUpperBlocks(d, lower, at);
#endif
    return hn::Combine(d, LoadBlocksAt(half, [&at](int64_t k) { return at(k + kBlocks<D> / 2); }), lower);
  }
}

// The first kCount blocks of a vector, half of them at least; what the others are does not matter.
template <int64_t kCount, class D, class At>
HWY_INLINE hn::VFromD<D> LoadSomeBlocks(D d, const At& at) {
  if constexpr (kCount == kBlocks<D>) {
    return LoadBlocksAt(d, at);
  } else if constexpr (kCount == 1) {
    return hn::LoadDup128(d, reinterpret_cast<const hn::TFromD<D>*>(at(0)));
  } else {
    const hn::VFromD<D> lower = hn::ZeroExtendVector(d, LoadBlocksAt(hn::Half<D>(), at));
    if constexpr (kCount == 2) return lower;
    const auto third = hn::LoadDup128(d, reinterpret_cast<const hn::TFromD<D>*>(at(2)));
    return hn::ConcatUpperLower(d, third, lower);
  }
}

// All blocks, `stride` bytes apart from `src` on.
template <class D>
HWY_INLINE hn::VFromD<D> LoadBlocks(D d, const uint8_t* src, int64_t stride) {
  return LoadBlocksAt(d, [=](int64_t k) { return src + k * stride; });
}

// The inverse: block k goes to dst + k * stride. (Extracting each of four blocks to memory gained nothing.)
template <class D>
HWY_INLINE void StoreBlocks(D d, hn::VFromD<D> v, uint8_t* dst, [[maybe_unused]] int64_t stride) {
  if constexpr (kBlocks<D> == 1) {
    hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(dst));
  } else {
    const hn::Half<D> half;
    StoreBlocks(half, hn::LowerHalf(half, v), dst, stride);
    StoreBlocks(half, hn::UpperHalf(half, v), dst + kBlocks<D> / 2 * stride, stride);
  }
}

// The same, of the last block only the first kBytes, 8 < kBytes < 16.
template <int64_t kBytes, class D>
HWY_INLINE void StoreBlocksCut(D d, hn::VFromD<D> v, uint8_t* dst, [[maybe_unused]] int64_t stride) {
  const hn::Half<D> half;
  if constexpr (kBlocks<D> == 1) {
    constexpr int64_t kLast = kBytes - 8;
    const auto last = hn::ShiftRightBytes<kLast>(d, v);
    hn::StoreU(hn::LowerHalf(half, v), half, reinterpret_cast<hn::TFromD<D>*>(dst));
    hn::StoreU(hn::LowerHalf(half, last), half, reinterpret_cast<hn::TFromD<D>*>(dst + kLast));
  } else {
    StoreBlocks(half, hn::LowerHalf(half, v), dst, stride);
    StoreBlocksCut<kBytes>(half, hn::UpperHalf(half, v), dst + kBlocks<D> / 2 * stride, stride);
  }
}

// Elements of two vectors side by side: of the lower or upper halves of blocks.
template <class D>
using VPairs = hn::VFromD<hn::RepartitionToWide<D>>;
template <class D, class V>
HWY_INLINE VPairs<D> LowerPairs(D d, V a, V b) {
  return hn::BitCast(hn::RepartitionToWide<D>(), hn::InterleaveLower(d, a, b));
}
template <class D, class V>
HWY_INLINE VPairs<D> UpperPairs(D d, V a, V b) {
  return hn::BitCast(hn::RepartitionToWide<D>(), hn::InterleaveUpper(d, a, b));
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_BLOCKS_INL_H_
