// SPDX-License-Identifier: Apache-2.0
// Transposes of lines: one line of each of a few rows, to parts of as many columns as a line has elements.
//
// A microtile (microtile-inl.h) loads a line of a row in four blocks, each of them apart; here one load takes all of
// it. Each group of L rows goes through a microtile's network, which leaves in every block some columns of these rows,
// and then the groups exchange blocks: one or two shuffles a line, across blocks, instead of three inserts.
//
// A line of the source is read once, and need not stay in L1 until the next microtile comes. Tiles go two by two, so
// that lines which adjoin are used soon after each other: in L2 256x256 floats by microtiles 2.2 times a copy, by line
// tiles 1.6, doubles 2.0 and 1.5; single tiles are no faster than microtiles. (64x64 floats, in L1: 1.5 and 1.0.)
#if defined(DIMORDER_KERNELS_LINE_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_LINE_TILE_INL_H_
#undef DIMORDER_KERNELS_LINE_TILE_INL_H_
#else
#define DIMORDER_KERNELS_LINE_TILE_INL_H_
#endif

#include <type_traits>
#include <utility>

#include "kernels/box-inl.h"
#include "kernels/tiles-down-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// (Of 1 byte they fit no registers; by way of a buffer, 129 boxes took 0.58 to 2.2 of the time, most more than before.
// Two groups of rows, half of the columns after the other: 0.9 to 1.25.)
template <class D>
constexpr bool kHasLineTiles = kBlocks<D> == 4 && sizeof(hn::TFromD<D>) > 1;

// Rows of a microtile that are loaded whole: columns L apart are in its blocks. Each is loaded once: gcc would load it
// again for each of the two shuffles that take it (64x64 floats 0.81 of the time).
struct LineRows {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return Pinned(hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(src + i * is)));
  }
};

// Groups of L rows in a line tile. (Four groups of 2 bytes gained nothing in L2.)
template <class T>
constexpr int64_t kLineGroups = sizeof(T) == 2 ? 2 : 4;
// The same where rows collide, see LineTiles(). (Of 8 bytes 0.98 to 1.15 times as long as four.)
template <class T>
constexpr int64_t kFewLineGroups = sizeof(T) == 4 ? 2 : kLineGroups<T>;

// Of _mm512_shuffle_i32x4(): blocks 0 and 2 of each vector, and blocks 1 and 3.
constexpr int kEvenBlocks = 0x88, kOddBlocks = 0xDD;

// Stores block i of each vector, side by side, to column i.
template <class D, class V>
HWY_INLINE void StoreExchanged(D d, const StoreColumns& out, V a, V b, V c, V e) {
  const __m512i even_ab = _mm512_shuffle_i32x4(a.raw, b.raw, kEvenBlocks),
                odd_ab = _mm512_shuffle_i32x4(a.raw, b.raw, kOddBlocks);
  const __m512i even_ce = _mm512_shuffle_i32x4(c.raw, e.raw, kEvenBlocks),
                odd_ce = _mm512_shuffle_i32x4(c.raw, e.raw, kOddBlocks);
  out.Store(d, 0, V{_mm512_shuffle_i32x4(even_ab, even_ce, kEvenBlocks)});
  out.Store(d, 1, V{_mm512_shuffle_i32x4(odd_ab, odd_ce, kEvenBlocks)});
  out.Store(d, 2, V{_mm512_shuffle_i32x4(even_ab, even_ce, kOddBlocks)});
  out.Store(d, 3, V{_mm512_shuffle_i32x4(odd_ab, odd_ce, kOddBlocks)});
}
template <class D, class V>
HWY_INLINE void StoreExchanged(D, const StoreColumns& out, V a, V b) {
  const hn::Half<D> half;
  const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i upper = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  const V ab01 = V{_mm512_permutex2var_epi64(a.raw, lower, b.raw)};
  const V ab23 = V{_mm512_permutex2var_epi64(a.raw, upper, b.raw)};
  out.Store(half, 0, hn::LowerHalf(half, ab01));
  out.Store(half, 1, hn::UpperHalf(half, ab01));
  out.Store(half, 2, hn::LowerHalf(half, ab23));
  out.Store(half, 3, hn::UpperHalf(half, ab23));
}

template <class D, int64_t... g, int64_t... c>
HWY_INLINE void LineTile(D d, const LineRows& rows, const StoreColumns& columns, std::integer_sequence<int64_t, g...>,
                         std::integer_sequence<int64_t, c...>) {
  constexpr int64_t kLanes = sizeof...(c);
  using V = hn::VFromD<D>;
  V of[sizeof...(g)][kLanes];
  (MicroTile(d, LineRows{rows.src + g * kLanes * rows.is, rows.is}, KeepColumns<V>{of[g]}), ...);
  const auto exchange = [&](auto i) __attribute__((always_inline)) {
    StoreExchanged(d, StoreColumns{columns.dst + i * columns.os, kLanes * columns.os}, of[g][i]...);
  };
  (exchange(std::integral_constant<int64_t, c>()), ...);
}

// Not inline: in a loop over rows gcc keeps pointers to all rows and columns, in memory (64x64 floats 2.2 times as
// long).
template <int64_t kGroups, class D>
HWY_NOINLINE void LineTile(D d, const uint8_t* src, int64_t is, uint8_t* dst, int64_t os) {
  LineTile(d, LineRows{src, is}, StoreColumns{dst, os}, std::make_integer_sequence<int64_t, kGroups>(),
           std::make_integer_sequence<int64_t, kBlockLanes<hn::TFromD<D>>>());
}

// Line tiles of so many groups down rows, at least those of a tile, of `cols` columns, whole lines, in blocks of so
// many rows of tiles. Last rows that fill no more than half of a tile go by LastRows(), one by its elements.
template <int64_t kGroups, class D>
HWY_INLINE void LineTilesDown(D d, const uint8_t* src, uint8_t* dst, int64_t rows, int64_t cols, int64_t is, int64_t os,
                              int64_t tiles) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kRows = kGroups * kBlockLanes<T>;
  constexpr int64_t kCols = hn::MaxLanes(D());
  const int64_t low = rows % kRows <= kRows / 2 ? rows % kRows : 0;
  const int64_t tiled = rows - low;
  for (int64_t r = 0; r < tiled; r += tiles * kRows) {
    const int64_t end = HWY_MIN(r + tiles * kRows, tiled);
    for (int64_t c = 0; c < cols; c += kCols) {
      for (int64_t i = r; i < end; i += kRows) {
        const int64_t row = HWY_MIN(i, tiled - kRows);
        LineTile<kGroups>(d, src + row * is + c * kSize, is, dst + c * os + row * kSize, os);
      }
    }
  }
  if (low != 0) RowsBelow(d, src, is, dst, os, cols, rows, low);
}

// Columns a multiple of this apart fall on eight places of L1, or on fewer, which hold too few of those of eight lines.
constexpr int64_t kLosingStride = kPageBytes / 8;

// A box of rows and cols >= MaxLanes(d): two lines of the source side by side go down all rows. Where all rows share a
// set of L1, which has no room for the lines after those of two tiles, that are read ahead, one tile goes along eight
// lines before the next (14 boxes of 0.2 to 0.8 MB on Zen 5 took 0.92 of the time, 0.80 to 1.09; others 1.1 to 2.0
// times as long); of 4 bytes one of eight rows, which leave each other more room (45 boxes of 0.1 to 1 MB in 0.94 of
// that, 0.83 to 1.09), unless halves of columns are lost meanwhile (2.0 to 2.6 times as long). Columns that are no
// whole line go by microtiles.
template <class D>
HWY_NOINLINE void LineTiles(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = hn::MaxLanes(D());
  const int64_t rows = box.inner[0].n;
  const int64_t cols = box.inner[1].n;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  const int64_t whole = cols / kCols * kCols;
  const bool collide = is % kPageBytes == 0;
  const int64_t block = (collide ? 8 : 2) * kCols;
  const bool few = collide && os % kLosingStride != 0;
  for (int64_t c = 0; c < whole; c += block) {
    const uint8_t* from = src + c * kSize;
    const int64_t n = HWY_MIN(block, whole - c);
    if (few) {
      LineTilesDown<kFewLineGroups<T>>(d, from, dst + c * os, rows, n, is, os, 1);
    } else {
      LineTilesDown<kLineGroups<T>>(d, from, dst + c * os, rows, n, is, os, collide ? 1 : 2);
    }
  }
  ColumnsFrom(whole, d, src, dst, cols, rows, is, os);
}

#else

template <class D>
constexpr bool kHasLineTiles = false;

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_LINE_TILE_INL_H_
