// SPDX-License-Identifier: Apache-2.0
// Transposes by half lines: half a line of each row, to whole lines of as many columns as it has elements.
//
// A microtile (microtile-inl.h) loads four blocks of rows L apart for each vector; here one load takes both blocks of a
// row, and another those of a row farther on. The network leaves column i of all these rows in two blocks of vector i,
// and column i + L in the others; two such vectors make a line of each column by one shuffle across blocks. So a line
// takes two loads, an insert and a shuffle more than the network, not four loads and three inserts.
//
// In L1 on Zen 5, which loads two vectors a cycle, 37 boxes of 0.5 to 32 KB took 0.55 to 1.07 of the time of what had
// moved them before, microtiles or line tiles (line-tile-inl.h), 0.8 in the mean; in L2 36 boxes 0.91 to 1.13, 1.01 in
// the mean.
#if defined(DIMORDER_KERNELS_HALF_LINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_HALF_LINE_INL_H_
#undef DIMORDER_KERNELS_HALF_LINE_INL_H_
#else
#define DIMORDER_KERNELS_HALF_LINE_INL_H_
#endif

#include <type_traits>

#include "kernels/box-inl.h"
#include "kernels/line-tile-inl.h"
#include "kernels/tiles-down-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

template <class D>
constexpr bool kHasHalfLines = kBlocks<D> == 4 && std::is_integral_v<hn::TFromD<D>>;

// Elements of half a line.
template <class T>
constexpr int64_t kHalfLine = 2 * kBlockLanes<T>;

// Rows of two microtiles side by side: the two blocks of row i, then those of row i + L.
template <class T>
struct HalfLineRows {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    const hn::Half<D> half;
    const auto row = [&](int64_t r) { return hn::LoadU(half, reinterpret_cast<const T*>(src + r * is)); };
    return hn::Combine(d, row(i + kBlockLanes<T>), row(i));
  }
};

// Two vectors of their columns: even blocks make a line at `dst`, odd ones another L * os farther on.
template <class D, class V>
HWY_INLINE void StoreParted(D d, uint8_t* dst, int64_t os, V a, V b) {
  const StoreColumns lines = {dst, kBlockLanes<hn::TFromD<D>> * os};
  lines.Store(d, 0, V{_mm512_shuffle_i32x4(a.raw, b.raw, kEvenBlocks)});
  lines.Store(d, 1, V{_mm512_shuffle_i32x4(a.raw, b.raw, kOddBlocks)});
}

// ---- any columns ----

// The columns of the second half of a tile's rows, to those of the first, which were kept.
template <class V>
struct SecondHalves {
  const V* first;
  uint8_t* HWY_RESTRICT dst;
  int64_t os;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    StoreParted(d, dst + column * os, os, first[column], v);
  }
};

// Half a line of each of MaxLanes(d) rows.
template <class D>
HWY_INLINE void HalfLineTile(D d, const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst, int64_t os) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  V first[kBlockLanes<T>];
  MicroTile(d, HalfLineRows<T>{src, is}, KeepColumns<V>{first});
  MicroTile(d, HalfLineRows<T>{src + kHalfLine<T> * is, is}, SecondHalves<V>{first, dst, os});
}

// The same down rows >= MaxLanes(d); the last ones overlap.
template <class D>
HWY_INLINE void HalfLinesDown(D d, const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t rows, int64_t is,
                              int64_t os) {
  constexpr int64_t kRows = hn::MaxLanes(D());
  for (;;) {
    HalfLineTile(d, src, is, dst, os);
    rows -= kRows;
    if (rows <= 0) break;
    const int64_t step = HWY_MIN(rows, kRows);
    src += step * is;
    dst += step * static_cast<int64_t>(sizeof(hn::TFromD<D>));
  }
}

// So many rows, at least MaxLanes(d), of all columns, at least half a line. What fills no half line goes by microtiles.
template <class D>
HWY_NOINLINE void HalfLinePanel(D d, const uint8_t* src, uint8_t* dst, const Box& box, int64_t rows) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  const int64_t cols = box.inner[1].n;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  int64_t c = 0;
  for (; c + kHalfLine<T> <= cols; c += kHalfLine<T>) HalfLinesDown(d, src + c * kSize, dst + c * os, rows, is, os);
  ColumnsFrom(c, d, src, dst, cols, rows, is, os);
}

// Apart, since whole tiles took longer beside them.
template <class D>
HWY_NOINLINE void RowsBelowHalfLines(D d, const uint8_t* src, uint8_t* dst, const Box& box, int64_t low) {
  RowsBelow(d, src, box.inner[0].is, dst, box.inner[1].os, box.inner[1].n, box.inner[0].n, low);
}

// A box of rows >= MaxLanes(d), cols >= kHalfLine.
template <class D>
HWY_INLINE void HalfLineTiles(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kRows = hn::MaxLanes(D());
  const int64_t rows = box.inner[0].n;
  const int64_t rest = rows % kRows;
  if (rest == 0 || rest > kRows / 2) return HalfLinePanel(d, src, dst, box, rows);
  HalfLinePanel(d, src, dst, box, rows - rest);
  RowsBelowHalfLines(d, src, dst, box, rest);
}

// ---- columns of half a line that adjoin ----

// As those of 8 floats do: two by two they are lines, for which microtiles of half vectors took the network twice. 0.55
// to 0.7 of the time within L1, 0.7 to 1.05 in L2, 0.8 to 1.0 beyond it. Even columns wait for the next.
template <class V>
struct TwoColumnsALine {
  uint8_t* HWY_RESTRICT dst;
  V* even;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    constexpr int64_t os = kLineBytes / 2;
    if (column % 2 == 0) {
      *even = v;
    } else {
      StoreParted(d, dst + (column - 1) * os, os, *even, v);
    }
  }
};

// A box of them.
template <class D>
HWY_NOINLINE void HalfLineColumns(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  using V = hn::VFromD<D>;
  const int64_t is = box.inner[0].is;
  const int64_t cols = box.inner[1].n;
  for (int64_t c = 0; c < cols; c += kHalfLine<T>) {
    const int64_t col = HWY_MIN(c, cols - kHalfLine<T>);
    V even;
    MicroTile(d, HalfLineRows<T>{src + col * static_cast<int64_t>(sizeof(T)), is},
              TwoColumnsALine<V>{dst + col * kLineBytes / 2, &even});
  }
}

#else

template <class D>
constexpr bool kHasHalfLines = false;

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_HALF_LINE_INL_H_
