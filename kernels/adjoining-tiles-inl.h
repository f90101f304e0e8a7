// SPDX-License-Identifier: Apache-2.0
// Short columns that adjoin in the destination: vectors of which they, or their last rows, fill the most, stored one
// over the end of the other.
//
// Where a block has a single row, as the last of 49 rows of bytes, only that is loaded, and blocks without one are left
// out. By vectors of a line, on Zen 5: 33 to 49 rows of bytes in 0.66 to 0.8 of the time, 17 and 49 of 2 bytes in 0.7
// to 0.9, 25 of floats in 0.75 to 0.95, 9 of floats the same; by vectors of half a line 17 rows of bytes in 0.6 to 0.7.
// (What gained nothing, or only in L2, is left to others: 50 to 63 rows of bytes, 18 to 32 and 50 to 64 of 2 bytes, 26
// to 31 of floats. Six rows of 8 bytes took up to 1.3 times as long without their fourth block.)
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

// Columns of a microtile that adjoin; the last one is stored exactly, `bytes` bytes of it.
struct LastColumns {
  StoreColumns columns;
  int64_t bytes;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    if (column != kBlockLanes<hn::TFromD<D>> - 1) return columns.Store(d, column, v);
    HWY_ALIGN uint8_t all[kLineBytes];
    hn::Store(v, d, reinterpret_cast<hn::TFromD<D>*>(all));
    CopyUpTo64(all, columns.dst + column * columns.os, static_cast<size_t>(bytes));
  }
};

// Rows of a microtile that fill kFull blocks, and one more. What is beyond comes from anywhere.
template <class T, int64_t kFull>
struct RowsAndOne {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    const auto at = [this, i](int64_t k) { return src + (i + k * kBlockLanes<T>)*is; };
    return i == 0 ? LoadSomeBlocks<kFull + 1>(d, at) : LoadSomeBlocks<kFull>(d, at);
  }
};

// Rows that fill kFull blocks, and some more at offsets of their own.
template <class T, int64_t kFull>
struct RowsAndSome {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;
  const int64_t* HWY_RESTRICT more_at;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return LoadSomeBlocks<kFull + 1>(
        d, [this, i](int64_t k) { return src + (k < kFull ? (i + k * kBlockLanes<T>)*is : more_at[i]); });
  }
};

// Columns that adjoin, of fewer rows than a vector has elements: rows(p) from the column of the source at `p` on. What
// a column has too much is overwritten by the next. cols >= L.
template <class D, class Rows>
HWY_INLINE void AdjoiningTiles(D d, const uint8_t* src, uint8_t* dst, const Box& box, const Rows& rows) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  const int64_t last = box.inner[1].n - kCols;
  const int64_t os = box.inner[1].os;
  for (int64_t c = 0; c < last; c += kCols) MicroTile(d, rows(src + c * kSize), StoreColumns{dst + c * os, os});
  MicroTile(d, rows(src + last * kSize), LastColumns{{dst + last * os, os}, box.inner[0].n * kSize});
}

template <int64_t kFull, class D>
HWY_NOINLINE void AdjoiningAndOne(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  const int64_t is = box.inner[0].is;
  AdjoiningTiles(d, src, dst, box, [is](const uint8_t* p) { return RowsAndOne<hn::TFromD<D>, kFull>{p, is}; });
}

template <int64_t kFull, class D>
HWY_NOINLINE void AdjoiningAndSome(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kBlock = kBlockLanes<T>;
  const int64_t is = box.inner[0].is;
  int64_t more_at[kBlock];
  for (int64_t i = 0; i < kBlock; ++i) more_at[i] = HWY_MIN(i + kFull * kBlock, box.inner[0].n - 1) * is;
  AdjoiningTiles(d, src, dst, box, [is, &more_at](const uint8_t* p) { return RowsAndSome<T, kFull>{p, is, more_at}; });
}

// One microtile. (Two that are inline in one loop took up to 1.1 times as long.)
template <class D, class Rows, class Columns>
HWY_NOINLINE void OneTile(D d, Rows rows, Columns columns) {
  MicroTile(d, rows, columns);
}

// The same for rows that fill a vector, kFull blocks of another, and one more. All columns of a microtile get their
// last rows first, so that the others overwrite what those have too much.
template <int64_t kFull, class D>
HWY_NOINLINE void AdjoiningVectorAndOne(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  constexpr int64_t kRows = hn::MaxLanes(D());
  const int64_t last = box.inner[1].n - kCols;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  const auto move = [&](int64_t c, const auto& ends) {
    const uint8_t* const from = src + c * kSize;
    OneTile(d, RowsAndOne<T, kFull>{from + kRows * is, is}, ends);
    OneTile(d, SourceRows<T>{from, is}, StoreColumns{dst + c * os, os});
  };
  const auto ends_of = [&](int64_t c) { return StoreColumns{dst + c * os + kRows * kSize, os}; };
  for (int64_t c = 0; c < last; c += kCols) move(c, ends_of(c));
  move(last, LastColumns{ends_of(last), (box.inner[0].n - kRows) * kSize});
}

// A box of as many rows as gain by vectors of two blocks, and of four; others are left alone, and false is returned.
template <class D>
HWY_INLINE bool MovesInTwoBlocks(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kBlock = kBlockLanes<T>;
  const int64_t rows = box.inner[0].n;
  if (rows <= kBlock || rows >= 2 * kBlock) return false;
  const bool one = sizeof(T) == 1 && rows == kBlock + 1;
  one ? AdjoiningAndOne<1>(d, src, dst, box) : AdjoiningAndSome<1>(d, src, dst, box);
  return true;
}
template <class D>
HWY_INLINE bool MovesInFourBlocks(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kBlock = kBlockLanes<T>;
  const int64_t rows = box.inner[0].n;
  if constexpr (sizeof(T) == 1) {
    if (rows <= 2 * kBlock || rows > 3 * kBlock + 1) return false;
    if (rows == 3 * kBlock + 1) {
      AdjoiningAndOne<3>(d, src, dst, box);
    } else {
      rows == 2 * kBlock + 1 ? AdjoiningAndOne<2>(d, src, dst, box) : AdjoiningAndSome<2>(d, src, dst, box);
    }
  } else if constexpr (sizeof(T) < 8) {
    if (rows >= 8 * kBlock || rows % (4 * kBlock) != 2 * kBlock + 1) return false;
    rows > 4 * kBlock ? AdjoiningVectorAndOne<2>(d, src, dst, box) : AdjoiningAndOne<2>(d, src, dst, box);
  } else {
    if (rows < 3 * kBlock || rows >= 4 * kBlock) return false;
    AdjoiningAndSome<3>(d, src, dst, box);
  }
  return true;
}

template <class T>
constexpr bool kHasAdjoiningTiles = std::is_integral_v<T>&& kWideBlocks<T> >= (sizeof(T) == 8 ? 4 : 2);

// The same for any box of cols >= L, if its columns adjoin.
template <class T>
HWY_INLINE bool MovesAdjoining(const uint8_t* src, uint8_t* dst, const Box& box) {
  const WideTag<T> wide;
  const int64_t rows = box.inner[0].n;
  if (box.inner[1].os != rows * static_cast<int64_t>(sizeof(T))) return false;
  if constexpr (kWideBlocks<T> == 2) {
    return MovesInTwoBlocks(wide, src, dst, box);
  } else {
    const bool few = sizeof(T) < 8 && rows <= 2 * kBlockLanes<T>;
    return few ? MovesInTwoBlocks(hn::Half<WideTag<T>>(), src, dst, box) : MovesInFourBlocks(wide, src, dst, box);
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ADJOINING_TILES_INL_H_
