// SPDX-License-Identifier: Apache-2.0
// Vectors of blocks of 16 bytes, each of which lies at a place of its own.
#if defined(DIMORDER_KERNELS_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_BLOCKS_INL_H_
#undef DIMORDER_KERNELS_BLOCKS_INL_H_
#else
#define DIMORDER_KERNELS_BLOCKS_INL_H_
#endif

#include <type_traits>
#include <utility>

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

// use(0), use(1), ... of kN constants.
template <int64_t kN, class Use>
HWY_INLINE void ForEachConstant(const Use& use) {
  const auto each = [&]<int64_t... i>(std::integer_sequence<int64_t, i...>) __attribute__((always_inline)) {
    (use(std::integral_constant<int64_t, i>()), ...);
  };
  each(std::make_integer_sequence<int64_t, kN>());
}

template <class D, class At>
HWY_INLINE hn::VFromD<D> LoadBlocksAt(D d, const At& at);

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// The lower two of four blocks; what the upper ones are does not matter.
template <class D, class At>
HWY_INLINE hn::VFromD<D> LoadLowerBlocks(D, const At& at) {
  return hn::VFromD<D>{_mm512_castsi256_si512(LoadBlocksAt(hn::Half<D>(), at).raw)};
}

// The lower half of one vector and the upper half of the other.
template <class V>
HWY_INLINE V BlendHalves(V lower, V upper) {
  return V{_mm512_mask_blend_epi64(PinnedMask<__mmask8>(0xF0), lower.raw, upper.raw)};
}

// Four blocks, the upper ones by inserts that take their block from memory: Combine() of two halves costs a shuffle, on
// the one port that the network waits for. 1.1 to 1.25 times as fast in L1. The halves of 1- and 2-byte elements are
// made apart and blended: one insert after the other took up to 1.25 times as long, while 4 and 8 bytes gain up to 1.15
// times by it.
template <class D, class At, class V = hn::VFromD<D>>
HWY_INLINE V LoadFourBlocks(D d, const At& at) {
  const auto block = [&at](int64_t k) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at(k))); };
  const V lower = LoadLowerBlocks(d, at);
  if constexpr (sizeof(hn::TFromD<D>) <= 2) {
    V third = {_mm512_broadcast_i32x4(block(2))};
    if constexpr (HWY_COMPILER_CLANG != 0) third = Pinned(third);  // it makes three inserts else
    return BlendHalves(lower, V{_mm512_inserti32x4(third.raw, block(3), 3)});
  } else {
    return V{_mm512_inserti32x4(_mm512_inserti32x4(lower.raw, block(2), 2), block(3), 3)};
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
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    if constexpr (kBlocks<D> == 4) return LoadFourBlocks(d, at);
#endif
    const hn::Half<D> half;
    const auto upper_at = [&at](int64_t k) { return at(k + kBlocks<D> / 2); };
    return hn::Combine(d, LoadBlocksAt(half, upper_at), LoadBlocksAt(half, at));
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
    static_assert(kBlocks<D> == 4);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    const auto lower = LoadLowerBlocks(d, at);
    if constexpr (kCount == 2) return lower;
    return BlendHalves(lower, hn::LoadDup128(d, reinterpret_cast<const hn::TFromD<D>*>(at(2))));
#endif
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

// Block kBlock of a vector.
template <int64_t kBlock, class D>
HWY_INLINE auto BlockOf(D, hn::VFromD<D> v) {
  if constexpr (kBlocks<D> == 1) {
    return v;
  } else {
    constexpr int64_t kHalf = kBlocks<D> / 2;
    const hn::Half<D> half;
    const auto part = kBlock < kHalf ? hn::LowerHalf(half, v) : hn::UpperHalf(half, v);
    return BlockOf<kBlock % kHalf>(half, part);
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
