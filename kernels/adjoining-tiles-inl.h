// SPDX-License-Identifier: Apache-2.0
// Short columns that adjoin in the destination: vectors of which they fill the most, stored one over the end of the
// other.
#if defined(DIMORDER_KERNELS_ADJOINING_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_ADJOINING_TILES_INL_H_
#undef DIMORDER_KERNELS_ADJOINING_TILES_INL_H_
#else
#define DIMORDER_KERNELS_ADJOINING_TILES_INL_H_
#endif

#include <type_traits>

#include "kernels/box-inl.h"
#include "kernels/microtile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Columns of a microtile that adjoin; the last one is stored exactly.
struct LastColumns {
  StoreColumns columns;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    if (column != kBlockLanes<hn::TFromD<D>> - 1) return columns.Store(d, column, v);
    HWY_ALIGN uint8_t all[kLineBytes];
    hn::Store(v, d, reinterpret_cast<hn::TFromD<D>*>(all));
    CopyUpTo64(all, columns.dst + column * columns.os, static_cast<size_t>(columns.os));
  }
};

// Columns that adjoin, of fewer rows than a vector has elements: rows beyond the last repeat it, and what a column has
// too much is overwritten by the next. cols >= L.
template <class D>
HWY_NOINLINE void AdjoiningTiles(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  const int64_t last = box.inner[1].n - kCols;
  const int64_t os = box.inner[1].os;
  int64_t row_at[hn::MaxLanes(d)];
  for (int64_t i = 0; i < static_cast<int64_t>(hn::Lanes(d)); ++i) {
    row_at[i] = HWY_MIN(i, box.inner[0].n - 1) * box.inner[0].is;
  }
  for (int64_t c = 0; c < last; c += kCols) {
    MicroTile(d, RowsAt<T>{src + c * kSize, row_at}, StoreColumns{dst + c * os, os});
  }
  MicroTile(d, RowsAt<T>{src + last * kSize, row_at}, LastColumns{StoreColumns{dst + last * os, os}});
}

// Vectors for AdjoiningTiles(): of two blocks; of four for 8 bytes, of which two blocks are interleaved. (Smaller
// elements in four blocks gain as much in L2, but take up to 1.45 times as long in L1.)
template <class T>
using AdjoiningTag = hn::CappedTag<T, (sizeof(T) == 8 ? 64 : 32) / sizeof(T)>;
template <class T>
constexpr bool kHasAdjoiningTiles = std::is_integral_v<T>&& kWideBlocks<T> >= (sizeof(T) == 8 ? 4 : 2);

// Whether columns adjoin, and nearly fill a vector: in L2, 7 rows of floats 2.4 -> 1.3 times a copy, 15 of 2 bytes 2.5
// -> 1.5, 7 of 8 bytes 2.0 -> 1.25; in L1 0.5 to 0.95 of the time. (5 rows of 8 bytes 1.15 times as long.)
template <class D>
HWY_INLINE bool NearlyFill(D d, const Box& box) {
  const int64_t rows = box.inner[0].n;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const bool adjoin = box.inner[1].os == rows * static_cast<int64_t>(sizeof(hn::TFromD<D>));
  return adjoin && rows < lanes && (kBlocks<D> == 2 ? 2 * rows > lanes : 4 * rows >= 3 * lanes);
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ADJOINING_TILES_INL_H_
