// SPDX-License-Identifier: Apache-2.0
// Four, eight or sixteen rows interleaved into pixels of up to 16 bytes, which leave as whole vectors.
//
// Interleaving stays within blocks of 16 bytes: of rows as they are loaded, each block of a vector ends up with pixels
// from a part of the columns of its own, and has to be stored apart (four stores and three shuffles for a line). So on
// the way groups of 4 bytes are dealt out to the blocks in turn, by one permutation of each vector: then blocks of the
// result adjoin. In L1 8 and 16 rows of bytes 5.8 -> 2.9 and 6.6 -> 4.0 times a copy, 8 rows of 2 bytes 6.6 -> 3.0; in
// L2 2.0 -> 1.1, 1.7 -> 1.1 and 1.6 -> 1.1.
//
// Rows are interleaved two by two, so that elements double, until there are four; those are dealt, and interleaved in
// two more steps. Shuffles are what bounds this, three to five for each vector: there is one port for those of 64
// bytes. So elements that may be dealt one by one change places by shifts and blends in the first of these steps (4
// bytes 1.25 to 1.33 times as fast, 2 bytes 1.15 times). Vectors of 32 bytes, which have two ports, lost by it.
#if defined(DIMORDER_KERNELS_WEAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_WEAVE_INL_H_
#undef DIMORDER_KERNELS_WEAVE_INL_H_
#else
#define DIMORDER_KERNELS_WEAVE_INL_H_
#endif

#include <type_traits>

#include "kernels/microtile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Units that are moved: of 4 bytes, or elements of 2 where there is a permutation of those.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
template <class D>
constexpr bool kDealsShorts = sizeof(hn::TFromD<D>) == 2 && kBlocks<D> == 4;
#else
template <class D>
constexpr bool kDealsShorts = false;
#endif
template <class D>
using DealtUnit = std::conditional_t<kDealsShorts<D>, uint16_t, uint32_t>;
template <class D>
constexpr bool kDealsElements = kBlocks<D> == 4 && sizeof(hn::TFromD<D>) == sizeof(DealtUnit<D>);

// Where units come from when groups of 4 bytes are dealt to the blocks in turn. Of the four that a block gets, the
// units of the first two alternate, and those of the last two.
template <class U, int64_t kBlocks>
struct DealTable {
  constexpr DealTable() {
    constexpr int64_t kUnits = 16 / sizeof(U);
    constexpr int64_t kGroup = kUnits / 4;
    for (int64_t i = 0; i < kUnits * kBlocks; ++i) {
      const int64_t block = i / kUnits;
      const int64_t turn = i % kUnits / (kUnits / 2) * 2 + i % 2;
      from[i] = static_cast<U>(kGroup * (turn * kBlocks + block) + i / 2 % kGroup);
    }
  }

  alignas(16 * kBlocks) U from[16 / sizeof(U) * kBlocks] = {};
};
template <class U, int64_t kBlocks>
constexpr DealTable<U, kBlocks> kDealTable = DealTable<U, kBlocks>();

template <class D, class V>
HWY_INLINE V Deal(D d, V v) {
  using U = DealtUnit<D>;
  [[maybe_unused]] constexpr const U* kFrom = kDealTable<U, kBlocks<D>>.from;
  if constexpr (kBlocks<D> == 1) {
    return v;
  } else if constexpr (kDealsShorts<D>) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    return V{_mm512_permutexvar_epi16(_mm512_load_si512(kFrom), v.raw)};
#endif
  } else {
    const hn::Repartition<U, D> units;
    const auto from = PinnedPlaces(hn::SetTableIndices(units, kFrom));
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(units, v), from));
  }
}

// Elements of two vectors side by side, by shifts and blends: those of even or odd places.
template <class D, class V>
HWY_INLINE VPairs<D> EvenPairs(D d, V a, V b) {
  const hn::RepartitionToWide<D> pairs;
  const auto up = hn::ShiftLeft<8 * sizeof(hn::TFromD<D>)>(hn::BitCast(pairs, b));
  return hn::BitCast(pairs, hn::OddEven(hn::BitCast(d, up), a));
}
template <class D, class V>
HWY_INLINE VPairs<D> OddPairs(D d, V a, V b) {
  const hn::RepartitionToWide<D> pairs;
  const auto down = hn::ShiftRight<8 * sizeof(hn::TFromD<D>)>(hn::BitCast(pairs, a));
  return hn::BitCast(pairs, hn::OddEven(b, hn::BitCast(d, down)));
}

// Vector i of those that part kPart of kC / 4 makes of four vectors.
template <int kC, int64_t kPart>
struct WovenPart {
  uint8_t* HWY_RESTRICT dst;

  template <class D>
  HWY_INLINE void Store(D d, int64_t i, hn::VFromD<D> v) const {
    using T = hn::TFromD<D>;
    constexpr int64_t kNear = 4 / kBlocks<D>;  // adjoining ones
    const int64_t at = (i / kNear * (kC / 4) + kPart) * kNear + i % kNear;
    hn::StoreU(v, d, reinterpret_cast<T*>(dst) + at * static_cast<int64_t>(hn::Lanes(d)));
  }
};

// Four or eight vectors, each of the same columns, to pixels of kC of the smallest elements.
template <int kC, int64_t kPart, class D, class V>
HWY_INLINE void Weave(D d, uint8_t* HWY_RESTRICT dst, V a0, V a1, V a2, V a3) {
  const hn::RepartitionToWide<D> pairs;
  const WovenPart<kC, kPart> out = {dst};
  const V b0 = Deal(d, a0), b1 = Deal(d, a1), b2 = Deal(d, a2), b3 = Deal(d, a3);
  if constexpr (kDealsElements<D>) {
    const auto c0 = EvenPairs(d, b0, b1), e0 = OddPairs(d, b0, b1);
    const auto c1 = EvenPairs(d, b2, b3), e1 = OddPairs(d, b2, b3);
    out.Store(pairs, 0, hn::InterleaveLower(pairs, c0, c1));
    out.Store(pairs, 1, hn::InterleaveLower(pairs, e0, e1));
    out.Store(pairs, 2, hn::InterleaveUpper(pairs, c0, c1));
    out.Store(pairs, 3, hn::InterleaveUpper(pairs, e0, e1));
  } else {
    const auto c0 = LowerPairs(d, b0, b1), e0 = UpperPairs(d, b0, b1);
    const auto c1 = LowerPairs(d, b2, b3), e1 = UpperPairs(d, b2, b3);
    out.Store(pairs, 0, hn::InterleaveLower(pairs, c0, c1));
    out.Store(pairs, 1, hn::InterleaveUpper(pairs, c0, c1));
    out.Store(pairs, 2, hn::InterleaveLower(pairs, e0, e1));
    out.Store(pairs, 3, hn::InterleaveUpper(pairs, e0, e1));
  }
}
template <int kC, int64_t kPart, class D, class V>
HWY_INLINE void Weave(D d, uint8_t* HWY_RESTRICT dst, V a0, V a1, V a2, V a3, V a4, V a5, V a6, V a7) {
  const hn::RepartitionToWide<D> pairs;
  const auto b0 = LowerPairs(d, a0, a1), c0 = UpperPairs(d, a0, a1);
  const auto b1 = LowerPairs(d, a2, a3), c1 = UpperPairs(d, a2, a3);
  const auto b2 = LowerPairs(d, a4, a5), c2 = UpperPairs(d, a4, a5);
  const auto b3 = LowerPairs(d, a6, a7), c3 = UpperPairs(d, a6, a7);
  Weave<kC, 2 * kPart>(pairs, dst, b0, b1, b2, b3);
  Weave<kC, 2 * kPart + 1>(pairs, dst, c0, c1, c2, c3);
}

// As many pixels as vectors have elements, from row(0) to row(kC - 1).
template <int kC, class D, class Row>
HWY_INLINE void WeaveTile(D d, const Row& row, hn::TFromD<D>* HWY_RESTRICT to) {
  uint8_t* const dst = reinterpret_cast<uint8_t*>(to);
  if constexpr (kC == 4) {
    Weave<kC, 0>(d, dst, row(0), row(1), row(2), row(3));
  } else if constexpr (kC == 8) {
    const auto a = [&](int64_t i) { return Pinned(row(i)); };
    Weave<kC, 0>(d, dst, a(0), a(1), a(2), a(3), a(4), a(5), a(6), a(7));
  } else {
    static_assert(kC == 16);
    const hn::RepartitionToWide<D> pairs;
    hn::VFromD<decltype(pairs)> a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    const auto pair = [&](int64_t i, auto& lower, auto& upper) {
      const auto a = Pinned(row(i)), b = Pinned(row(i + 1));
      lower = LowerPairs(d, a, b);
      upper = UpperPairs(d, a, b);
    };
    pair(0, a0, b0);
    pair(2, a1, b1);
    pair(4, a2, b2);
    pair(6, a3, b3);
    pair(8, a4, b4);
    pair(10, a5, b5);
    pair(12, a6, b6);
    pair(14, a7, b7);
    Weave<kC, 0>(pairs, dst, a0, a1, a2, a3, a4, a5, a6, a7);
    Weave<kC, 1>(pairs, dst, b0, b1, b2, b3, b4, b5, b6, b7);
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_WEAVE_INL_H_
