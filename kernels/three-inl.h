// SPDX-License-Identifier: Apache-2.0
// Three rows of small elements interleaved, and taken apart: in three blocks of pixels each place within a block is the
// first, second or third row's once. So one lookup puts all elements of a row in their places, and blends sort them out
// by block: 3 shuffles and 6 blends for what Highway does with 9 shuffles and 6 ors (in L1, 64 images of 7x7 pixels of
// bytes 4.8 -> 3.3 times a copy, back 5.0 -> 3.2; of 2 bytes 2.6 -> 2.3 and 3.5 -> 3.0).
#if defined(DIMORDER_KERNELS_THREE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_THREE_INL_H_
#undef DIMORDER_KERNELS_THREE_INL_H_
#else
#define DIMORDER_KERNELS_THREE_INL_H_
#endif

#include "kernels/pixel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Whether that is done. (Of 4 bytes it took up to 1.2 times as long; most of four blocks go by blends-inl.h. Others
// than x86 have instructions for it.)
template <class D>
constexpr bool kByThirds = HWY_ARCH_X86 != 0 && kBlocks<D> <= 2 && sizeof(hn::TFromD<D>) <= 2;

// Byte i of a block is of element i / kSize, whose third is that modulo 3.
template <int kSize>
struct ThirdTables {
  constexpr ThirdTables() {
    constexpr int kLanes = 16 / kSize;
    for (int place = 0; place < 3 * kLanes; ++place) {
      const int row = place % 3;
      for (int byte = 0; byte < kSize; ++byte) {
        const int in_pixels = place % kLanes * kSize + byte;
        const int in_row = place / 3 * kSize + byte;
        spread[row][in_pixels] = static_cast<uint8_t>(in_row);
        gather[row][in_row] = static_cast<uint8_t>(in_pixels);
      }
    }
    for (int i = 0; i < 16; ++i) third[i / kSize % 3][i] = 0xFF;
  }

  alignas(16) uint8_t spread[3][16] = {};  // from a row to its places in blocks of pixels
  alignas(16) uint8_t gather[3][16] = {};  // and back
  alignas(16) uint8_t third[3][16] = {};   // which bytes are of each third
};
template <int kSize>
constexpr ThirdTables<kSize> kThirdTables = ThirdTables<kSize>();

// Element j of what it returns is that of a, b or c, where j modulo 3 is 0, 1 or 2.
template <class D, class V = hn::VFromD<D>>
HWY_INLINE V BlendThirds(D d, V a, V b, V c) {
  constexpr const auto& kTables = kThirdTables<sizeof(hn::TFromD<D>)>;
  const hn::Repartition<uint8_t, D> bytes;
  const auto third = [&](int i) { return hn::MaskFromVec(hn::LoadDup128(bytes, kTables.third[i])); };
  const auto of = [&](V v) { return hn::BitCast(bytes, v); };
  return hn::BitCast(d, hn::IfThenElse(third(0), of(a), hn::IfThenElse(third(1), of(b), of(c))));
}

// Block by block in turn to memory.
template <class D, class V, class T>
HWY_INLINE void StoreThreeBlocks(D d, V a, V b, V c, T* HWY_RESTRICT dst) {
  constexpr bool kPairs = kBlocks<D> == 2;
  const auto store = [&](int64_t i, V v) { hn::StoreU(v, d, dst + i * static_cast<int64_t>(hn::MaxLanes(d))); };
  store(0, kPairs ? hn::ConcatLowerLower(d, b, a) : a);
  store(1, kPairs ? hn::ConcatUpperLower(d, a, c) : b);
  store(2, kPairs ? hn::ConcatUpperUpper(d, c, b) : c);
}

// And back.
template <class D, class V, class T>
HWY_INLINE void LoadThreeBlocks(D d, const T* HWY_RESTRICT src, V* HWY_RESTRICT blocks) {
  constexpr bool kPairs = kBlocks<D> == 2;
  const auto load = [&](int64_t i) { return Pinned(hn::LoadU(d, src + i * static_cast<int64_t>(hn::MaxLanes(d)))); };
  const V a = load(0), b = load(1), c = load(2);
  blocks[0] = kPairs ? hn::ConcatUpperLower(d, b, a) : a;
  blocks[1] = kPairs ? hn::ConcatLowerUpper(d, c, a) : b;
  blocks[2] = kPairs ? hn::ConcatUpperLower(d, c, b) : c;
}

// As many pixels as vectors have elements.
template <class D, class V = hn::VFromD<D>, class T = hn::TFromD<D>>
HWY_INLINE void InterleaveThree(D d, V a, V b, V c, T* HWY_RESTRICT dst) {
  if constexpr (kByThirds<D>) {
    constexpr const auto& kTables = kThirdTables<sizeof(T)>;
    constexpr int kTurn = 16 / sizeof(T) % 3;  // the row that the second block begins with
    const V rows[3] = {LookUp(d, a, kTables.spread[0]), LookUp(d, b, kTables.spread[1]),
                       LookUp(d, c, kTables.spread[2])};
    const auto block = [&](int first) {
      return BlendThirds(d, rows[first % 3], rows[(first + 1) % 3], rows[(first + 2) % 3]);
    };
    StoreThreeBlocks(d, block(0), block(kTurn), block(2 * kTurn), dst);
  } else {
    hn::StoreInterleaved3(Pinned(a), Pinned(b), Pinned(c), d, dst);
  }
}

// The inverse.
template <class D, class V = hn::VFromD<D>, class T = hn::TFromD<D>>
HWY_INLINE void DeinterleaveThree(D d, const T* HWY_RESTRICT src, V& a, V& b, V& c) {
  if constexpr (kByThirds<D>) {
    constexpr const auto& kTables = kThirdTables<sizeof(T)>;
    constexpr int kTurn = 16 / sizeof(T) % 3;
    V blocks[3];
    LoadThreeBlocks(d, src, blocks);
    // The block in which an element of that third is of this row.
    const auto block = [&](int row, int third) { return blocks[(row + 3 - third) * kTurn % 3]; };
    const auto row = [&](int r) {
      return LookUp(d, BlendThirds(d, block(r, 0), block(r, 1), block(r, 2)), kTables.gather[r]);
    };
    a = row(0);
    b = row(1);
    c = row(2);
  } else {
    hn::LoadInterleaved3(d, src, a, b, c);
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_THREE_INL_H_
