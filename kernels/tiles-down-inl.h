// SPDX-License-Identifier: Apache-2.0
// Microtiles side by side that walk down the rows of a panel, and what is left below and beside them.
#if defined(DIMORDER_KERNELS_TILES_DOWN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_TILES_DOWN_INL_H_
#undef DIMORDER_KERNELS_TILES_DOWN_INL_H_
#else
#define DIMORDER_KERNELS_TILES_DOWN_INL_H_
#endif

#include "kernels/microtile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// L rows by MaxLanes(d) columns: each block of the vectors takes columns of its own.
template <class D>
HWY_INLINE void LowTile(D d, const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst, int64_t os) {
  using T = hn::TFromD<D>;
  constexpr int64_t kRows = kBlockLanes<T>;
  MicroTile(d, FewRows{src, is, kRows}, SplitColumns{dst, os, kRows * os});
}

// One row of `cols` elements, to the first element of each column.
template <class T>
HWY_INLINE void OneRow(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t os, int64_t cols) {
  for (int64_t c = 0; c < cols; ++c) memcpy(dst + c * os, src + c * static_cast<int64_t>(sizeof(T)), sizeof(T));
}

// The last `rows` rows before `end`, no more than half of a microtile's, of the columns of two microtiles side by side:
// by two of half vectors, or a low tile of vectors of two blocks, which begin at the first of these rows or before it.
template <class D>
HWY_INLINE void LastRows(D d, const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst, int64_t os,
                         int64_t end, int64_t rows) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kLanes = kBlockLanes<T>;
  if constexpr (hn::MaxLanes(D()) == 4 * kLanes) {
    const hn::Half<D> half;
    if (rows <= kLanes) return LastRows(half, src, is, dst, os, end, rows);
    const int64_t row = end - 2 * kLanes;
    src += row * is;
    dst += row * kSize;
    MicroTile(half, SourceRows<T>{src, is}, StoreColumns{dst, os});
    MicroTile(half, SourceRows<T>{src + 16, is}, StoreColumns{dst + kLanes * os, os});
  } else {
    const int64_t row = end - kLanes;
    LowTile(d, src + row * is, is, dst + row * kSize, os);
  }
}

// Asks for a line of each of `rows` rows.
HWY_INLINE void AskForRows(const uint8_t* src, int64_t is, int64_t rows) {
  for (int64_t r = 0; r < rows; ++r) AskFor<Level::kL1>(src + r * is);
}

// kBlocks microtiles side by side, down rows >= MaxLanes(d). The last ones overlap; but where kLow is not 0, the last
// kLow rows or fewer go by LastRows(), or one row by its elements. With kAsks, where columns are a line of each row,
// the rows of the next tile are asked for first, if it is whole. (256x3136 floats in 0.90 to 0.94 of the time; by those
// of the tile after it 0.92 to 0.96, eight tiles on 1.03 to 1.09, by destination lines 1.18 to 1.23.)
template <int kBlocks, int64_t kLow, bool kAsks = false, class D>
HWY_INLINE void TilesDown(D d, const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t rows, int64_t is,
                          int64_t os) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  const int64_t kRows = static_cast<int64_t>(hn::Lanes(d));
  static_assert(!kAsks || kBlocks == 4);
  for (;;) {
    if constexpr (kAsks) {
      if (rows >= 2 * kRows) AskForRows(src + kRows * is, is, kRows);
    }
    MicroTile(d, SourceRows<T>{src, is}, StoreColumns{dst, os});
    if constexpr (kBlocks >= 2) MicroTile(d, SourceRows<T>{src + 16, is}, StoreColumns{dst + kBlockLanes<T> * os, os});
    if constexpr (kBlocks == 4) {
      MicroTile(d, SourceRows<T>{src + 32, is}, StoreColumns{dst + 2 * kBlockLanes<T> * os, os});
      MicroTile(d, SourceRows<T>{src + 48, is}, StoreColumns{dst + 3 * kBlockLanes<T> * os, os});
    }
    rows -= kRows;
    if (rows <= kLow) break;
    const int64_t step = HWY_MIN(rows, kRows);
    src += step * is;
    dst += step * kSize;
  }
  if constexpr (kLow == 1) {
    if (rows > 0) OneRow<T>(src + kRows * is, dst + kRows * kSize, os, kBlocks * kBlockLanes<T>);
  } else if constexpr (kLow != 0) {
    static_assert(kBlocks == 2);
    if (rows > 0) LastRows(d, src, is, dst, os, kRows + rows, rows);
  }
}

// Columns from kFrom to before kTo of the L columns at `dst`, down rows >= MaxLanes(d).
template <int64_t kFrom, int64_t kTo, class D>
HWY_NOINLINE void SomeColumnsDown(D d, const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t rows,
                                  int64_t is, int64_t os) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  const int64_t kRows = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t r = 0; r < rows; r += kRows) {
    const int64_t row = HWY_MIN(r, rows - kRows);
    const SomeColumns<kFrom, kTo> out = {StoreColumns{dst + row * kSize, os}};
    MicroTile(d, SourceRows<T>{src + row * is, is}, out);
  }
}

// The last columns of a panel, `left` of the L columns at `dst`. Of 1 and 2 bytes only a half or two of them are made,
// where that is enough: 17 columns in 0.80 and 0.95 of the time. (4 and 8 bytes gained nothing.)
template <class D>
HWY_INLINE void ColumnsLeft(D d, const uint8_t* src, uint8_t* dst, int64_t left, int64_t rows, int64_t is, int64_t os) {
  constexpr int64_t kCols = kBlockLanes<hn::TFromD<D>>;
  if constexpr (kCols >= 8) {
    if (left <= 2) return SomeColumnsDown<kCols - 2, kCols>(d, src, dst, rows, is, os);
    if (left <= kCols / 2) return SomeColumnsDown<kCols / 2, kCols>(d, src, dst, rows, is, os);
  }
  TilesDown<1, 0>(d, src, dst, rows, is, os);
}

// The columns from `c` on, for cols >= L, as ColumnsLeft() makes them.
template <class D>
HWY_INLINE void ColumnsFrom(int64_t c, D d, const uint8_t* src, uint8_t* dst, int64_t cols, int64_t rows, int64_t is,
                            int64_t os) {
  using T = hn::TFromD<D>;
  constexpr int64_t kCols = kBlockLanes<T>;
  for (; c < cols; c += kCols) {
    const int64_t col = HWY_MIN(c, cols - kCols);
    ColumnsLeft(d, src + col * static_cast<int64_t>(sizeof(T)), dst + col * os, cols - c, rows, is, os);
  }
}

// The last `low` of all rows, no more than half of MaxLanes(d), for cols >= 2 * L: as LastRows() makes them, or one by
// its elements.
template <class D>
HWY_INLINE void RowsBelow(D d, const uint8_t* src, int64_t is, uint8_t* dst, int64_t os, int64_t cols, int64_t rows,
                          int64_t low) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = 2 * kBlockLanes<T>;
  if (low == 1) return OneRow<T>(src + (rows - 1) * is, dst + (rows - 1) * kSize, os, cols);
  for (int64_t c = 0; c < cols; c += kCols) {
    const int64_t col = HWY_MIN(c, cols - kCols);
    LastRows(d, src + col * kSize, is, dst + col * os, os, rows, low);
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_TILES_DOWN_INL_H_
