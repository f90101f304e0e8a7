// SPDX-License-Identifier: Apache-2.0
// Family kAhead: the transpose of kTile that asks for destination lines ahead.
//
// A store to a line that L1 does not have waits for it, one that cuts lines for both, and the stores behind it wait,
// too. So each line is asked for two microtiles before it is written. Columns are written from end to end, as many side
// by side as a source line or two hold: panels would cut lines at their ends, and rows may collide in L1, since a line
// of theirs is read once (half a line of 1 and 2 bytes at a time took up to 1.5 times as long). Short rows that cut
// lines are read several times so; where their columns begin with lines, plans ask for panels, and nothing is asked
// for. 49x1280 floats take 1.5 times a copy, not 2.9, 49x2048 doubles 1.6 (3.2), 1000x1000 floats 1.4 (1.9), 256x784
// floats at 16 bytes past a line 1.4 (2.8). Asking for source lines, too, gained nothing.
#if defined(DIMORDER_KERNELS_AHEAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_AHEAD_INL_H_
#undef DIMORDER_KERNELS_AHEAD_INL_H_
#else
#define DIMORDER_KERNELS_AHEAD_INL_H_
#endif

#include "kernels/blend-boxes-inl.h"
#include "kernels/peel-inl.h"
#include "kernels/pixel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// The microtiles of T: what they transpose T as, the columns of one, and the fewest that a box must have.
template <class T>
struct AheadShape {
  using Lane = T;
  static constexpr int64_t kCols = kBlockLanes<T>;
  static constexpr int64_t kFewest = kCols;
};
template <int kBytes>
struct AheadShape<Pixel<kBytes>> {
  using Lane = PixelLane<kBytes>;
  static constexpr int64_t kCols = kBlockPixels<kBytes>;
  static constexpr int64_t kFewest = kFewestPixels<kBytes>;
};

// Side by side go the microtiles of a line of each row; of half of it where vectors of bytes fill lines, since columns
// are many; of less for pixels. Two adjoining lines, a pair, are fetched in less time than one after the other, and are
// taken at once where that is faster. By vectors of a line it is for long columns of 4 and 8 bytes, if rows begin with
// pairs (0.81 to 0.99 of the time; else 0.95 to 1.15). By shorter vectors it is for 8 bytes (0.79 to 0.95) and 2 bytes
// (0.91 to 0.97), but not for 4 bytes (1.03 to 1.25 times).
constexpr int64_t kMinPairRows = 512;

// kBlocks microtiles of pixels, asking at `later`. Not inline: 0.8 of the time.
template <int kBytes, int64_t kBlocks, bool kLast, class D>
HWY_NOINLINE void PixelTilesAhead(D d, const uint8_t* src, int64_t is, int64_t left, uint8_t* dst, int64_t os,
                                  const uint8_t* later) {
  constexpr int64_t kCols = kBlockPixels<kBytes>;
  for (int64_t b = 0; b < kBlocks; ++b) {
    for (int64_t c = 0; c < kCols; ++c) hwy::Prefetch(later + c * os);
    PixelTile<kBytes, kLast>(d, src, is, left, dst, os);
    src += kCols * kBytes;
    left -= kCols;
    dst += kCols * os;
    later += kCols * os;
  }
}

// Microtiles over boxes, parts of one whose columns each continues: rows >= Lanes(d), cols >= kFewest. The last
// microtiles of a part overlap; but where the rows that are left fill no more than a block, they take low tiles: 19
// moves of 33 to 196 rows of 2 and 4 bytes in 0.95 of the time in the mean, 0.83 to 1.03 each.
template <class T, class D>
class AheadTiles {
 public:
  HWY_INLINE AheadTiles(D d, const uint8_t* src, uint8_t* dst, const Box& box, const Axis& parts)
      : d_(d),
        src_(src),
        dst_(dst),
        rows_(box.inner[0]),
        cols_(box.inner[1]),
        parts_(parts),
        tile_rows_(static_cast<int64_t>(hn::Lanes(d))),
        ends_low_(EndsLow()),
        tiles_(ends_low_ ? rows_.n / tile_rows_ : (rows_.n + tile_rows_ - 1) / tile_rows_) {}

  // Rows that are pixels, by blends; false where they are not. Apart from the others, which it changes the code of:
  // doubles took up to 1.1 times as long.
  HWY_INLINE bool MovesPixels() const {
    if constexpr (kFillsLine && kHasBlended<T>) {
      if (!HasPixels<false, T>(rows_, cols_)) return false;
      WithPixels<false, T>(rows_, cols_, [&](auto count) { DownPixels<decltype(count)::value>(); });
      return true;
    }
    return false;
  }

  HWY_NOINLINE void Run() const {
    int64_t c = 0;
    if constexpr (kMayPair) {
      if (TakesPairs()) c = DownAll<2 * kAbreast>(c);
    }
    c = DownAll<kAbreast>(c);
    DownLast<kAbreast>(c);
  }

 private:
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kCols = AheadShape<T>::kCols;
  static constexpr bool kFillsLine = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == kLineBytes;
  static constexpr bool kMayPair = kSize == 8 || kSize == (kFillsLine ? 4 : 2);
  static constexpr int64_t kAbreast = kFillsLine && kSize == 1 ? 2 : 4;
  // A low tile is as many columns wide as a microtile is rows high. Of those that go down abreast fewer must be the
  // last, so that there are columns before them: else it would write before the box, as with bytes that fill lines.
  // (These gained nothing, and 49x1280 elements of 8 bytes took 1.03 times as long.)
  static constexpr int64_t kLowCols = int64_t{hn::MaxLanes(D())};
  static constexpr bool kMayBeLow =
      std::is_integral_v<T> && kSize < 8 && kLowCols > kCols&& kLowCols <= kAbreast* kCols;

  // Whether no more than L rows are left below whole microtiles, and columns fill a low tile.
  HWY_INLINE bool EndsLow() const {
    const int64_t rest = rows_.n % tile_rows_;
    return kMayBeLow && rest != 0 && rest <= kBlockLanes<T> && cols_.n >= kLowCols;
  }

  HWY_INLINE bool TakesPairs() const {
    const bool begin_with_pairs = (reinterpret_cast<intptr_t>(src_) | rows_.is) % (2 * kLineBytes) == 0;
    return !kFillsLine || (rows_.n >= kMinPairRows && begin_with_pairs);
  }

  // kBlocks of them at a time from `col` on, as far as there are so many columns. Returns where the rest begins.
  template <int64_t kBlocks>
  HWY_INLINE int64_t DownAll(int64_t col) const {
    for (; col + kBlocks * kCols <= cols_.n; col += kBlocks * kCols) Down<kBlocks>(col);
    return col;
  }

  // The columns from `col` on, at most kBlocks * kCols, in one pass over the rows, or two where there are not so many
  // in all: 27 floats in 0.9 of the time of a pass for each microtile.
  template <int64_t kBlocks>
  HWY_INLINE void DownLast(int64_t col) const {
    if constexpr (kBlocks > 1) {
      if (cols_.n - col <= (kBlocks - 1) * kCols) return DownLast<kBlocks - 1>(col);
      if (cols_.n >= kBlocks * kCols) return Down<kBlocks>(cols_.n - kBlocks * kCols);
      Down<kBlocks - 1>(col);
    }
    if (col < cols_.n) Down<1>(cols_.n - kCols);
  }

  // kBlocks * kCols columns from `col` on. (Inlined wherever it is called, it took 5 to 7 percent of the code of 2-byte
  // elements.)
  template <int64_t kBlocks>
  HWY_NOINLINE void Down(int64_t col) const {
    const AheadTiles tiles = *this;  // in registers: what is stored cannot change it
    tiles.DownBy(
        col, kBlocks * kCols,
        [&](int64_t row, const uint8_t* from, uint8_t* to, const uint8_t* later) __attribute__((always_inline)) {
          tiles.template MoveTiles<kBlocks>(T(), from, to, later, tiles.cols_.n - col,
                                            tiles.rows_.n - row - tiles.tile_rows_);
        });
  }

  // Rows that are pixels of kC elements, by blends.
  template <int kC>
  HWY_NOINLINE void DownPixels() const {
    DownBy(
        0, kC, [&](int64_t, const uint8_t* from, uint8_t* to, const uint8_t* later) __attribute__((always_inline)) {
          for (int c = 0; c < kC; ++c) hwy::Prefetch(later + c * cols_.os);
          UnzipByBlends<kC>(d_, reinterpret_cast<const T*>(from), StoreColumns{to, cols_.os});
        });
  }

  // `cols` columns from `col` on, from end to end: move(row, from, to, later) moves the tile from `row` on.
  template <class Move>
  HWY_INLINE void DownBy(int64_t col, int64_t cols, const Move& move) const {
    const uint8_t* HWY_RESTRICT src = src_ + col * kSize;
    uint8_t* HWY_RESTRICT dst = dst_ + col * cols_.os;
    for (int64_t part = 0; part < parts_.n; ++part) {
      // To the next part, or from this one to the first of the next columns.
      const int64_t to_next = part + 1 < parts_.n ? parts_.os : cols * cols_.os - part * parts_.os;
      for (int64_t tile = 0; tile < tiles_; ++tile) {
        const uint8_t* later = dst + (tile + 2 < tiles_ ? EndOf(tile + 2) : to_next + EndOf(tile + 2 - tiles_));
        const int64_t row = RowOf(tile);
        move(row, src + row * rows_.is, dst + row * kSize, later);
      }
      if constexpr (kMayBeLow) {
        if (ends_low_) MoveLowRows(src, dst, cols);
      }
      src += parts_.is;
      dst += parts_.os;
    }
  }

  // The last L rows of `cols` columns; where these are fewer than a low tile's, of some before them, too. Asks for
  // nothing: what lines the last microtile does not end in, one of 49 with 49 floats, are waited for.
  HWY_INLINE void MoveLowRows(const uint8_t* src, uint8_t* dst, int64_t cols) const {
    const int64_t row = rows_.n - kBlockLanes<T>;
    for (int64_t c = 0; c < cols; c += kLowCols) {
      const int64_t col = HWY_MIN(c, cols - kLowCols);
      LowTile(d_, src + row * rows_.is + col * kSize, rows_.is, dst + col * cols_.os + row * kSize, cols_.os);
    }
  }

  // kBlocks of them side by side. `left` columns begin there, and `below` rows follow.
  template <int64_t kBlocks, class Element>
  HWY_INLINE void MoveTiles(Element, const uint8_t* from, uint8_t* to, const uint8_t* later, int64_t, int64_t) const {
    for (int64_t b = 0; b < kBlocks; ++b) {
      for (int64_t c = 0; c < kCols; ++c) hwy::Prefetch(later + (b * kCols + c) * cols_.os);
      MicroTile(d_, SourceRows<T>{from + b * 16, rows_.is}, StoreColumns{to + b * kCols * cols_.os, cols_.os});
    }
  }
  template <int64_t kBlocks, int kBytes>
  HWY_INLINE void MoveTiles(Pixel<kBytes>, const uint8_t* from, uint8_t* to, const uint8_t* later, int64_t left,
                            int64_t below) const {
    IsLast<kBytes>(d_, below) ? PixelTilesAhead<kBytes, kBlocks, true>(d_, from, rows_.is, left, to, cols_.os, later)
                              : PixelTilesAhead<kBytes, kBlocks, false>(d_, from, rows_.is, left, to, cols_.os, later);
  }

  HWY_INLINE int64_t RowOf(int64_t tile) const { return HWY_MIN(tile * tile_rows_, rows_.n - tile_rows_); }
  HWY_INLINE int64_t EndOf(int64_t tile) const { return (RowOf(tile) + tile_rows_) * kSize - 1; }

  const D d_;
  const uint8_t* const src_;
  uint8_t* const dst_;
  const Axis rows_;
  const Axis cols_;
  const Axis parts_;
  const int64_t tile_rows_;
  const bool ends_low_;
  const int64_t tiles_;
};

template <class T>
HWY_INLINE void AheadBox(const uint8_t* src, uint8_t* dst, const Box& box, const Axis& parts) {
  WithFilled(WideTag<typename AheadShape<T>::Lane>(), box.inner[0].n, [&](auto d) {
    const AheadTiles<T, decltype(d)> tiles(d, src, dst, box, parts);
    if (!tiles.MovesPixels()) tiles.Run();
  });
}

template <class T>
void Ahead(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const Axis& rows = args.inner[0];
  const bool small = HWY_MIN(rows.n, args.inner[1].n) < AheadShape<T>::kFewest;
  if constexpr (kHasBlended<T>) {  // pixels to be put together adjoin, so they are asked for otherwise
    if (ZipsByBlends<T>(rows, args.inner[1])) return Tile<T>(src, dst, args);
  }
  if (small || (args.panel < kAllRows && OnLines(dst, args))) return Tile<T>(src, dst, args);
  const Axis once = {1, 0, 0};
  // Parts seldom begin at one place within a line: nothing is peeled.
  if (args.inner[2].n > 1 && args.inner[2].os == rows.n * static_cast<int64_t>(sizeof(T))) {
    KernelArgs boxes = args;
    boxes.inner[2] = once;
    return ForEachBox(src, dst, boxes, [&](const uint8_t* from, uint8_t* to, const Box& box) {
      AheadBox<T>(from, to, box, args.inner[2]);
    });
  }
  ForEachBox(src, dst, args, [&](const uint8_t* box_src, uint8_t* box_dst, const Box& box) {
    PeelBox<T>(box_src, box_dst, box, [&](const uint8_t* from, uint8_t* to, const Box& rest) {
      const bool whole_lines = rest.inner[1].os % kLineBytes == 0 && BytesToLine(to) == 0;
      const bool asks = args.panel >= kAllRows || !whole_lines;
      asks ? AheadBox<T>(from, to, rest, once) : TransposeApart<T>(from, to, rest);
    });
  });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_AHEAD_INL_H_
