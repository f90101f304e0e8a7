// SPDX-License-Identifier: Apache-2.0
// Family kTile: the transpose of a box whose rows are contiguous in the source and whose columns are contiguous in the
// destination.
//
// Order. Two microtiles side by side (32 bytes of each source row) walk down a panel of rows, then the next columns
// follow; a panel is as many rows as fill a few destination lines, so that lines are written whole while they are in
// L1, or all where the box fits that. Where columns collide in L1, one microtile or a half goes down long panels; where
// some rows do, or are many, those of whole source lines, down all rows; the next of these may be asked for. Or whole
// lines go at once (line-tile-inl.h).
//
// Packing. Source rows whose stride is near a multiple of a page share a few sets of L1: of the rows of one microtile
// some are gone before their next 16 bytes are wanted. Such boxes are copied block by block into a small buffer with a
// better stride first; the copy costs less than half of a transpose in L1, and wins up to 3 times where rows collide.
// Destination columns that collide are written to the buffer and copied from there.
//
// Ragged counts. A last tile that would overrun starts earlier and overlaps its neighbour. Boxes too small for one
// wide tile take shorter vectors; too small for those, tiles that are partly empty (small-inl.h).
#if defined(DIMORDER_KERNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_TILE_INL_H_
#undef DIMORDER_KERNELS_TILE_INL_H_
#else
#define DIMORDER_KERNELS_TILE_INL_H_
#endif

#include "kernels/adjoining-tiles-inl.h"
#include "kernels/blend-boxes-inl.h"
#include "kernels/half-line-inl.h"
#include "kernels/line-tile-inl.h"
#include "kernels/small-inl.h"
#include "kernels/tiles-down-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Low tiles over the box, for rows >= L, cols >= MaxLanes(d). Twice as fast as microtiles of one block.
template <class D>
HWY_NOINLINE void LowTiles(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kRows = kBlockLanes<T>;
  const int64_t kCols = static_cast<int64_t>(hn::Lanes(d));
  const int64_t rows = box.inner[0].n;
  const int64_t tiled = rows % kRows == 1 ? rows - 1 : rows;
  const int64_t cols = box.inner[1].n;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  for (int64_t c = 0; c < cols; c += kCols) {
    const int64_t col = HWY_MIN(c, cols - kCols);
    for (int64_t r = 0; r < tiled; r += kRows) {
      const int64_t row = HWY_MIN(r, rows - kRows);
      LowTile(d, src + row * is + col * kSize, is, dst + col * os + row * kSize, os);
    }
    if (tiled < rows) OneRow<T>(src + tiled * is + col * kSize, dst + col * os + tiled * kSize, os, kCols);
  }
}

// Microtiles over a panel of at least MaxLanes(d) rows.
template <int64_t kLow, class D>
HWY_INLINE void PanelTiles(D d, const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t rows,
                           const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  const int64_t cols = box.inner[1].n;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  int64_t c = 0;
  for (; c + 2 * kCols <= cols; c += 2 * kCols) TilesDown<2, kLow>(d, src + c * kSize, dst + c * os, rows, is, os);
  ColumnsFrom(c, d, src, dst, cols, rows, is, os);
}

// The same, apart: beside whole panels it cost those up to 10 percent.
template <int64_t kLow, class D>
HWY_NOINLINE void RaggedPanel(D d, const uint8_t* src, uint8_t* dst, int64_t rows, const Box& box) {
  PanelTiles<kLow>(d, src, dst, rows, box);
}

// Where the last rows of a panel are no more than half of a microtile's, they go by LastRows(). By vectors of a line
// 133 moves of 9 to 224 rows of 1 to 8 bytes took 0.91 of the time in the mean on Zen 5, 0.67 to 1.1 each, but for one
// of 1.19 that took 0.94 when it was repeated (36 rows of 2 bytes 0.7; a single last row, which went by its elements
// before, 0.81 to 1.07). By vectors of half a line 12 rows of floats are 1.15 times as fast, 24 of two bytes 1.1 times;
// bytes gained nothing, 8 bytes were up to 4 percent slower; what wins there is one row by elements (33 rows of bytes
// 1.3 times as fast), which lost with 2 bytes.
template <class D, class T = hn::TFromD<D>>
constexpr bool kTakesLastRows = hn::MaxLanes(D()) == 4 * kBlockLanes<T> ||
                                (hn::MaxLanes(D()) == 2 * kBlockLanes<T> && (sizeof(T) == 2 || sizeof(T) == 4));
template <class D>
constexpr int64_t kLowRows = kTakesLastRows<D> ? hn::MaxLanes(D()) / 2 : 0;

// A box that is one panel.
template <class D>
HWY_NOINLINE void OnePanel(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  PanelTiles<0>(d, src, dst, box.inner[0].n, box);
}

// A panel of rows is finished before the next is begun. Rows too few for another one join the last (49 rows of floats
// in 0.95 of the time).
template <class D>
HWY_NOINLINE void Panels(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kLow = kLowRows<D>;
  const int64_t kRows = static_cast<int64_t>(hn::Lanes(d));
  const int64_t panel = HWY_MAX(box.panel, kRows);
  const int64_t is = box.inner[0].is;
  for (int64_t r = 0, end; r < box.inner[0].n; r = end) {
    end = r + panel + kLow < box.inner[0].n ? r + panel : box.inner[0].n;
    const int64_t row = HWY_MIN(r, end - kRows);
    const int64_t rest = (end - r) % kRows;
    const bool low = rest != 0 && rest <= kLow;
    if (kLow == 0 && rest == 1 && end - r != 1) {
      RaggedPanel<1>(d, src + row * is, dst + row * kSize, end - row, box);
    } else if (low) {
      RaggedPanel<kLow>(d, src + row * is, dst + row * kSize, end - row, box);
    } else {
      PanelTiles<0>(d, src + row * is, dst + row * kSize, end - row, box);
    }
  }
}

// The last columns of a panel as ColumnsLeft() makes them, half of the L after the other.
template <class D>
HWY_INLINE void HalvesLeft(D d, const uint8_t* src, uint8_t* dst, int64_t left, int64_t rows, int64_t is, int64_t os) {
  constexpr int64_t kCols = kBlockLanes<hn::TFromD<D>>;
  if (left > kCols / 2) SomeColumnsDown<0, kCols / 2>(d, src, dst, rows, is, os);
  SomeColumnsDown<kCols / 2, kCols>(d, src, dst, rows, is, os);
}

// The columns of whole lines of the source; what is before the first one by microtiles. Returns where the rest begins.
template <bool kAsks, class D>
HWY_NOINLINE int64_t LinesDown(D d, const uint8_t* src, uint8_t* dst, int64_t rows, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  const int64_t cols = box.inner[1].n;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  const int64_t head = HWY_MIN(static_cast<int64_t>(BytesToLine(src)) / kSize, cols);
  for (int64_t c = 0; c < head; c += kCols) {
    const int64_t col = HWY_MIN(c, cols - kCols);
    TilesDown<1, 0>(d, src + col * kSize, dst + col * os, rows, is, os);
  }
  int64_t c = head;
  for (; c + 4 * kCols <= cols; c += 4 * kCols) {
    TilesDown<4, 0, kAsks>(d, src + c * kSize, dst + c * os, rows, is, os);
  }
  return c;
}

// A panel of which so many columns go down abreast as the box says.
template <class D>
HWY_NOINLINE void AbreastPanel(D d, const uint8_t* src, uint8_t* dst, int64_t rows, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  const int64_t cols = box.inner[1].n;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  constexpr bool kMayAsk = kSize > 1 && hn::MaxLanes(D()) * kSize == kLineBytes / 2;
  int64_t c = 0;
  if (box.abreast > kCols) {
    c = kMayAsk && box.ahead != 0 ? LinesDown<kMayAsk>(d, src, dst, rows, box)
                                  : LinesDown<false>(d, src, dst, rows, box);
  }
  for (; c < cols; c += kCols) {
    const int64_t col = HWY_MIN(c, cols - kCols);
    const uint8_t* from = src + col * kSize;
    uint8_t* to = dst + col * os;
    box.abreast < kCols ? HalvesLeft(d, from, to, cols - c, rows, is, os)
                        : ColumnsLeft(d, from, to, cols - c, rows, is, os);
  }
}

// Such panels of all rows, at least MaxLanes(d). (As a part of PanelTiles() small boxes took 1.05 times as long.)
template <class D>
HWY_NOINLINE void AbreastPanels(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  const int64_t kRows = static_cast<int64_t>(hn::Lanes(d));
  const int64_t panel = HWY_MAX(box.panel, kRows);
  for (int64_t r = 0; r < box.inner[0].n; r += panel) {
    const int64_t end = HWY_MIN(r + panel, box.inner[0].n);
    const int64_t row = HWY_MIN(r, end - kRows);
    AbreastPanel(d, src + row * box.inner[0].is, dst + row * kSize, end - row, box);
  }
}

// Lines of rows abreast where rows begin or end within one: elements of 1 and 2 bytes gain nothing by them then.
template <class D>
HWY_NOINLINE void OddLines(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  Box panels = box;
  panels.panel = box.lines_panel;
  sizeof(hn::TFromD<D>) >= 4 ? AbreastPanels(d, src, dst, panels) : Panels(d, src, dst, panels);
}

// Whole microtiles over the box, two side by side, or line tiles. (8x16 floats in 0.9 of the time that Panels() takes.)
template <class D>
HWY_INLINE void SideBySide(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  if constexpr (kHasLineTiles<D>) {
    constexpr int64_t kCols = hn::MaxLanes(D());
    if (box.panel == kLineTiles && box.inner[1].n >= kCols) return LineTiles(d, src, dst, box);
  }
  const int64_t rows = box.inner[0].n;
  const bool one_panel = rows <= box.panel && rows % static_cast<int64_t>(hn::Lanes(d)) == 0;
  one_panel ? OnePanel(d, src, dst, box) : Panels(d, src, dst, box);
}

// As many columns side by side as the box says.
template <class D>
HWY_NOINLINE void Abreast(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kTwoTiles = 2 * kBlockLanes<hn::TFromD<D>>;
  const int64_t cols = box.inner[1].n;
  if (box.abreast == kTwoTiles) {
    if constexpr (kHasHalfLines<D>) {
      if (cols >= kTwoTiles) return HalfLineTiles(d, src, dst, box);
    }
    return SideBySide(d, src, dst, box);
  }
  const bool odd = box.abreast > kTwoTiles && (BytesToLine(src) != 0 || cols % box.abreast != 0);
  odd ? OddLines(d, src, dst, box) : AbreastPanels(d, src, dst, box);
}

// Either one: rows >= MaxLanes(d), cols >= L.
template <class D>
HWY_INLINE void Tiles(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  box.abreast != 0 ? Abreast(d, src, dst, box) : SideBySide(d, src, dst, box);
}

// Copies `rows` rows of `bytes` bytes.
HWY_INLINE void CopyRows(const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst, int64_t os,
                         int64_t rows, int64_t bytes) {
  for (int64_t r = 0; r < rows; ++r) CopyRun(src + r * is, dst + r * os, static_cast<size_t>(bytes));
}

// Calls step(from, n) for parts of `n` elements, at most `most` and at least `least`; the last ones overlap.
template <class Step>
HWY_INLINE void ForEachPart(int64_t n, int64_t most, int64_t least, const Step& step) {
  for (int64_t i = 0; i < n; i += most) {
    const int64_t from = HWY_MIN(i, n - least);
    step(from, HWY_MIN(most, n - from));
  }
}

// Tiles() by way of box.pack: source rows that collide are copied there first, destination columns from there.
template <class D>
HWY_NOINLINE void PackedTiles(D d, const uint8_t* box_src, uint8_t* box_dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  const PackShape pack = PackShapeOf(box.packing);
  const int64_t pitch = pack.Pitch();
  const int64_t length = pack.bytes / kSize;
  const bool packs_rows = box.packing == Pack::kRows;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  ForEachPart(box.inner[0].n, packs_rows ? pack.n : length, lanes, [&](int64_t row, int64_t rows) {
    ForEachPart(box.inner[1].n, packs_rows ? length : pack.n, kBlockLanes<T>, [&](int64_t col, int64_t cols) {
      const uint8_t* HWY_RESTRICT src = box_src + row * box.inner[0].is + col * kSize;
      uint8_t* HWY_RESTRICT dst = box_dst + col * box.inner[1].os + row * kSize;
      if (packs_rows) {
        CopyRows(src, box.inner[0].is, box.pack, pitch, rows, cols * kSize);
        const Box packed = MakeBox(pitch, rows, box.inner[1].os, cols, rows);
        if constexpr (kHasAdjoiningTiles<T>) {
          if (MovesAdjoining<T>(box.pack, dst, packed)) return;
        }
        Tiles(d, box.pack, dst, packed);
      } else {
        Tiles(d, src, box.pack, MakeBox(box.inner[0].is, rows, pitch, cols, box.panel));
        CopyRows(box.pack, pitch, dst, box.inner[1].os, cols, rows * kSize);
      }
    });
  });
}

// A box with rows or columns of less than a block.
template <class T>
HWY_NOINLINE void Small(const uint8_t* src, uint8_t* dst, const Box& box) {
  const EvenPlaces row_at = {box.inner[0].is};
  const EvenPlaces col_at = {box.inner[1].os};
  SmallBox<T, EvenPlaces, EvenPlaces>{src, row_at, box.inner[0].n, dst, col_at, box.inner[1].n}.Transpose();
}

// By vectors of which the rows fill one, unless they fill no more than a block.
template <class T>
HWY_INLINE void TransposeTiles(const uint8_t* src, uint8_t* dst, const Box& box) {
  const WideTag<T> wide;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(wide));
  const int64_t rows = box.inner[0].n;
  const int64_t cols = box.inner[1].n;
  if (cols < kBlockLanes<T> || rows < kBlockLanes<T>) return Small<T>(src, dst, box);
  if constexpr (kHasHalfLines<WideTag<T>>) {
    const bool half_lines = HasHalfLineColumns(box.inner[0], box.inner[1], sizeof(T));
    if (box.panel == kLineTiles && half_lines) return HalfLineColumns(wide, src, dst, box);
  }
  if constexpr (kHasAdjoiningTiles<T>) {
    if (box.pack == nullptr && MovesAdjoining<T>(src, dst, box)) return;
  }
  if (rows < HWY_MIN(lanes, 2 * kBlockLanes<T>)) {
    return cols >= lanes ? LowTiles(wide, src, dst, box) : Tiles(BlockTag<T>(), src, dst, box);
  }
  // Left to itself gcc does not inline this everywhere: 8x16 floats 1.03 times.
  WithFilled(
      wide, rows, [&](auto d) __attribute__((always_inline)) {
        box.pack != nullptr ? PackedTiles(d, src, dst, box) : Tiles(d, src, dst, box);
      });
}

// A box that may be of pixels, by blends if it is. Where nothing is asked for, as into a stage, what collides is better
// packed first.
template <class T>
HWY_NOINLINE void TransposePixels(const uint8_t* src, uint8_t* dst, const Box& box) {
  const bool packed = box.pack != nullptr && box.ahead == 0;
  if (!packed && MovesByBlends<T>(src, dst, box)) return;
  TransposeTiles<T>(src, dst, box);
}

// (In one function with the tiles, the call for pixels cost 512 bytes 1.03 times: a call that is not a function's last
// needs registers saved.)
template <class T>
HWY_INLINE void TransposeBox(const uint8_t* src, uint8_t* dst, const Box& box) {
  if constexpr (kHasBlended<T>) {
    if (MayBePixels<T>(box.inner[0], box.inner[1])) return TransposePixels<T>(src, dst, box);
  }
  TransposeTiles<T>(src, dst, box);
}

// Elements of a transpose, gathered into scratch.
template <class T>
HWY_INLINE void GatherElements(const uint8_t* src, Axis rows, uint8_t* stage, Axis columns, const KernelArgs& args) {
  Box box = MakeBox(rows.is, rows.n, columns.os, columns.n, args.panel);
  box.pack = args.pack;
  box.packing = Pack::kRows;
  TransposeBox<T>(src, stage, box);
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_TILE_INL_H_
