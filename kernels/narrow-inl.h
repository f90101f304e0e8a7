// SPDX-License-Identifier: Apache-2.0
// Few rows, whose columns are at most 8 bytes: rows are interleaved two by two, so that elements double, until each
// column is one element. A microtile would make columns of 16 bytes, of which most are thrown away: 2 to 8 rows of
// bytes take 0.3 to 0.75 of its time, 2 to 4 of 2 bytes 0.45 to 0.8. (Row counts that are no constants: 0.3 to 1.2.)
#if defined(DIMORDER_KERNELS_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_NARROW_INL_H_
#undef DIMORDER_KERNELS_NARROW_INL_H_
#else
#define DIMORDER_KERNELS_NARROW_INL_H_
#endif

#include <utility>

#include "kernels/microtile-inl.h"
#include "kernels/partial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Columns, from number `first` on, of which each is the first kBytes bytes of an element. They begin at `at`.
template <size_t kBytes, class Places>
struct ElementColumns {
  uint8_t* HWY_RESTRICT dst;
  Places at;
  int64_t first;

  template <class V, size_t... kLane>
  HWY_INLINE void StoreEach(V v, int64_t column, std::index_sequence<kLane...>) const {
    (StoreUpTo8(hn::ExtractLane(v, kLane), dst + at[first + column + static_cast<int64_t>(kLane)], kBytes), ...);
  }
};

// Interleaves rows of the same columns, of which the first is kFirst, and hands `out` the columns.
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Narrow(D, const Out& out, V a0) {
  out.StoreEach(a0, kFirst, std::make_index_sequence<hn::MaxLanes(D())>());
}
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Narrow(D d, const Out& out, V a0, V a1) {
  const hn::RepartitionToWide<D> pairs;
  Narrow<kFirst>(pairs, out, LowerPairs(d, a0, a1));
  Narrow<kFirst + kBlockLanes<hn::TFromD<D>> / 2>(pairs, out, UpperPairs(d, a0, a1));
}
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Narrow(D d, const Out& out, V a0, V a1, V a2, V a3) {
  const hn::RepartitionToWide<D> pairs;
  const auto b0 = LowerPairs(d, a0, a1), c0 = UpperPairs(d, a0, a1);
  const auto b1 = LowerPairs(d, a2, a3), c1 = UpperPairs(d, a2, a3);
  Narrow<kFirst>(pairs, out, b0, b1);
  Narrow<kFirst + kBlockLanes<hn::TFromD<D>> / 2>(pairs, out, c0, c1);
}
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Narrow(D d, const Out& out, V a0, V a1, V a2, V a3, V a4, V a5, V a6, V a7) {
  const hn::RepartitionToWide<D> pairs;
  const auto b0 = LowerPairs(d, a0, a1), c0 = UpperPairs(d, a0, a1);
  const auto b1 = LowerPairs(d, a2, a3), c1 = UpperPairs(d, a2, a3);
  const auto b2 = LowerPairs(d, a4, a5), c2 = UpperPairs(d, a4, a5);
  const auto b3 = LowerPairs(d, a6, a7), c3 = UpperPairs(d, a6, a7);
  Narrow<kFirst>(pairs, out, b0, b1, b2, b3);
  Narrow<kFirst + kBlockLanes<hn::TFromD<D>> / 2>(pairs, out, c0, c1, c2, c3);
}

// L columns of kRows rows, of each of which `in` loads a block: of the last one again until they are a power of two.
template <int64_t kRows, class D, class In, class Out>
HWY_INLINE void NarrowTile(D d, const In& in, const Out& out) {
  if constexpr (kRows == 1) {
    Narrow<0>(d, out, in.Load(d, 0));
  } else if constexpr (kRows == 2) {
    Narrow<0>(d, out, in.Load(d, 0), in.Load(d, 1));
  } else if constexpr (kRows <= 4) {
    Narrow<0>(d, out, in.Load(d, 0), in.Load(d, 1), in.Load(d, 2), in.Load(d, 3));
  } else {
    Narrow<0>(d, out, in.Load(d, 0), in.Load(d, 1), in.Load(d, 2), in.Load(d, 3), in.Load(d, 4), in.Load(d, 5),
              in.Load(d, 6), in.Load(d, 7));
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_NARROW_INL_H_
