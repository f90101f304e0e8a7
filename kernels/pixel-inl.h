// SPDX-License-Identifier: Apache-2.0
// Transposes of pixels: elements of 3, 5, 6 or 7 bytes, such as red, green and blue.
//
// A block of 16 bytes holds as many pixels as it has lanes of 4 or 8 bytes, and a bit more. A table lookup spreads
// them, one to a lane; the microtile transposes lanes; another lookup closes them up again, and blocks are stored down
// each column in ascending order, so that what one has too much is overwritten by the next. The last tiles overlap
// their neighbours: at the end of rows, blocks begin earlier, and their pixels are looked up further behind; at the end
// of columns, the last block is stored as two halves that overlap. (Moved one by one, the last pixels took longer than
// all others: 64x49 of 3 bytes 2.9 times, 31x128 3.8, 8x1000 4.2.)
#if defined(DIMORDER_KERNELS_PIXEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PIXEL_INL_H_
#undef DIMORDER_KERNELS_PIXEL_INL_H_
#else
#define DIMORDER_KERNELS_PIXEL_INL_H_
#endif

#include <type_traits>

#include "kernels/peel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// An element for which there is no lane type.
template <int kBytes>
struct Pixel {
  uint8_t bytes[kBytes];
};

#if DIMORDER_HAVE_VECTORS

// What a pixel of kBytes bytes is transposed as.
template <int kBytes>
using PixelLane = std::conditional_t<(kBytes < 4), uint32_t, uint64_t>;
// Pixels of a block that a microtile takes, and their bytes.
template <int kBytes>
constexpr int64_t kBlockPixels = kBlockLanes<PixelLane<kBytes>>;
template <int kBytes>
constexpr int64_t kPieceBytes = int64_t{kBytes} * kBlockPixels<kBytes>;
// The fewest that fill a block.
template <int kBytes>
constexpr int64_t kFewestPixels = (15 + kBytes) / kBytes;

// From adjoining pixels, `skip` bytes into a block, to one per lane: spread[skip]; and back. Bytes that belong to no
// pixel come from anywhere.
template <int kBytes>
struct PixelTables {
  constexpr PixelTables() {
    constexpr int kLane = sizeof(PixelLane<kBytes>);
    for (int skip = 0; skip < kSkips; ++skip) {
      for (int i = 0; i < 16; ++i) {
        spread[skip][i] = static_cast<uint8_t>(skip + i / kLane * kBytes + HWY_MIN(i % kLane, kBytes - 1));
      }
    }
    for (int i = 0; i < 16; ++i) close_up[i] = static_cast<uint8_t>(HWY_MIN(i / kBytes * kLane + i % kBytes, 15));
  }

  static constexpr int kSkips = 17 - kPieceBytes<kBytes>;
  alignas(16) uint8_t spread[kSkips][16] = {};
  alignas(16) uint8_t close_up[16] = {};
};
template <int kBytes>
constexpr PixelTables<kBytes> kPixelTables = PixelTables<kBytes>();

template <class D>
HWY_INLINE hn::VFromD<D> LookUp(D d, hn::VFromD<D> v, const uint8_t* table) {
  return hn::TableLookupBytes(v, PinnedPlaces(hn::LoadDup128(d, reinterpret_cast<const hn::TFromD<D>*>(table))));
}

// Rows of a microtile, each a block that holds kBlockPixels pixels where `spread` says.
template <int kBytes>
struct PixelRows {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;
  const uint8_t* spread;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return LookUp(d, LoadBlocks(d, src + i * is, is * kBlockPixels<kBytes>), spread);
  }
};

// Columns of a microtile, each as many pixels as a vector has lanes, and, but for the last ones, a few bytes more.
template <int kBytes, bool kLast>
struct PixelColumns {
  uint8_t* HWY_RESTRICT dst;
  int64_t os;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    const V pixels = LookUp(d, v, kPixelTables<kBytes>.close_up);
    uint8_t* to = dst + column * os;
    constexpr int64_t kPiece = kPieceBytes<kBytes>;
    kLast ? StoreBlocksCut<kPiece>(d, pixels, to, kPiece) : StoreBlocks(d, pixels, to, kPiece);
  }
};

// Pixels of 3 bytes in vectors of four blocks, each 4 pixels of a row: what takes 20 shuffles for 16 rows as above
// takes 8, and 3 blends (in L1 0.8 of the time; one port shuffles). The words that hold pixel c, two of each row, are
// looked up into block c. Then their bytes close up to 12, at once where they belong in the three blocks that are 16
// rows of a column: so microtiles are stored exactly, each block by two lookups, of which one vector has the begin and
// the next one the end. (By 256-bit vectors, of which two ports shuffle, it took 1.1 times as long; stores of whole
// columns, for which one more shuffle closes up blocks, 1.2 times.)
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
template <int kBytes, class D>
constexpr bool kByWords = kBytes == 3 && kBlocks<D> == 4;

struct RgbTables {
  constexpr RgbTables() {
    for (int c = 0; c < 4; ++c) {
      for (int i = 0; i < 8; ++i) {
        for (int skip = 0; skip <= 4; skip += 2) {
          words[skip / 2][c * 8 + i] = static_cast<uint16_t>(i / 2 * 8 + (skip + c * 3) / 2 + i % 2);
        }
      }
      for (int i = 0; i < 4 * 12; ++i) {
        close_up[i / 12][c * 16 + i % 16] = static_cast<uint8_t>(i % 12 / 3 * 4 + c * 3 % 2 + i % 3);
      }
    }
  }

  alignas(64) uint16_t words[3][32] = {};
  alignas(64) uint8_t close_up[4][64] = {};
};
constexpr RgbTables kRgbTables;

// 16 rows by 4 columns.
template <class D>
HWY_INLINE void RgbTile(D d, const uint8_t* src, int64_t is, int64_t left, uint8_t* dst, int64_t os) {
  const int64_t skip = HWY_MAX(17 - left * 3, int64_t{0}) / 2 * 2;
  const __m512i words = _mm512_load_si512(kRgbTables.words[skip / 2]);
  const auto four_rows = [&](int64_t i) __attribute__((always_inline)) {
    const __m512i columns = _mm512_permutexvar_epi16(words, LoadBlocks(d, src - skip + i * 4 * is, is).raw);
    return _mm512_shuffle_epi8(columns, _mm512_load_si512(kRgbTables.close_up[i]));
  };
  const __m512i a0 = four_rows(0), a1 = four_rows(1), a2 = four_rows(2), a3 = four_rows(3);
  StoreBlocks(d, hn::VFromD<D>{_mm512_mask_blend_epi32(0x8888, a0, a1)}, dst, os);
  StoreBlocks(d, hn::VFromD<D>{_mm512_mask_blend_epi32(0xCCCC, a1, a2)}, dst + 16, os);
  StoreBlocks(d, hn::VFromD<D>{_mm512_mask_blend_epi32(0xEEEE, a2, a3)}, dst + 32, os);
}
#else
template <int kBytes, class D>
constexpr bool kByWords = false;
#endif

// A microtile. There are `left` pixels in each row from `src` on; with kLast, nothing behind it is written.
template <int kBytes, bool kLast, class D>
HWY_INLINE void PixelTile(D d, const uint8_t* src, int64_t is, int64_t left, uint8_t* dst, int64_t os) {
  if constexpr (kByWords<kBytes, D>) {
    RgbTile(d, src, is, left, dst, os);
  } else {
    const int64_t skip = HWY_MAX(16 - left * kBytes, int64_t{0});
    MicroTile(d, PixelRows<kBytes>{src - skip, is, kPixelTables<kBytes>.spread[skip]},
              PixelColumns<kBytes, kLast>{dst, os});
  }
}

// Whether so few rows are `below` a microtile that it must be such a one, or, where all are, begin earlier.
template <int kBytes, class D>
HWY_INLINE bool IsLast(D, int64_t below) {
  return kByWords<kBytes, D> ? below < 0 : below * kBytes < 16 - kPieceBytes<kBytes>;
}

// kBlocks of them side by side.
template <int kBytes, int64_t kBlocks, bool kLast, class D>
HWY_INLINE void PixelTilesAbreast(D d, const uint8_t* src, int64_t is, int64_t left, uint8_t* dst, int64_t os) {
  constexpr int64_t kCols = kBlockPixels<kBytes>;
  for (int64_t b = 0; b < kBlocks; ++b) {
    PixelTile<kBytes, kLast>(d, src + b * kCols * kBytes, is, left - b * kCols, dst + b * kCols * os, os);
  }
}

// The same down rows >= Lanes(d). Not inline: gcc would keep addresses in vectors.
template <int kBytes, int64_t kBlocks, class D>
HWY_NOINLINE void PixelTilesDown(D d, const uint8_t* src, int64_t is, int64_t left, uint8_t* dst, int64_t os,
                                 int64_t rows) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t below = rows - lanes;
  for (; !IsLast<kBytes>(d, below); below -= lanes) {
    PixelTilesAbreast<kBytes, kBlocks, false>(d, src, is, left, dst, os);
    src += lanes * is;
    dst += lanes * kBytes;
  }
  for (; below > -lanes; below -= lanes) {
    const int64_t row = HWY_MIN(below, 0);
    PixelTilesAbreast<kBytes, kBlocks, true>(d, src + row * is, is, left, dst + row * kBytes, os);
    src += lanes * is;
    dst += lanes * kBytes;
  }
}

// Microtiles over the box, a panel of rows after the other: rows >= Lanes(d), cols >= kFewestPixels. Those of two
// columns go down in pairs (with vectors of one block in 0.9 of the time).
template <int kBytes, class D>
HWY_NOINLINE void PixelTiles(D d, const uint8_t* box_src, uint8_t* box_dst, const Box& box) {
  constexpr int64_t kCols = kBlockPixels<kBytes>;
  constexpr int64_t kBlocks = 4 / kCols;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  const int64_t cols = box.inner[1].n;
  const int64_t rows = box.inner[0].n;
  const int64_t panel = box.panel >= rows ? rows : HWY_MAX(box.panel / lanes, int64_t{1}) * lanes;
  for (int64_t r = 0; r < rows; r += panel) {
    const int64_t end = HWY_MIN(r + panel, rows);
    const int64_t row = HWY_MIN(r, end - lanes);
    const uint8_t* src = box_src + row * is;
    uint8_t* dst = box_dst + row * kBytes;
    int64_t c = 0;
    for (; c + kBlocks * kCols <= cols; c += kBlocks * kCols) {
      PixelTilesDown<kBytes, kBlocks>(d, src + c * kBytes, is, cols - c, dst + c * os, os, end - row);
    }
    for (; c < cols; c += kCols) {
      const int64_t col = HWY_MIN(c, cols - kCols);
      PixelTilesDown<kBytes, 1>(d, src + col * kBytes, is, cols - col, dst + col * os, os, end - row);
    }
  }
}

// Pixel by pixel, where they fill no block.
template <int kBytes>
HWY_NOINLINE void MoveOddElements(const uint8_t* src, uint8_t* dst, const Box& box) {
  for (int64_t c = 0; c < box.inner[1].n; ++c) {
    for (int64_t r = 0; r < box.inner[0].n; ++r) {
      memcpy(dst + c * box.inner[1].os + r * kBytes, src + r * box.inner[0].is + c * kBytes, kBytes);
    }
  }
}

template <int kBytes>
HWY_INLINE void TransposeOddElements(const uint8_t* src, uint8_t* dst, const Box& box) {
  if (HWY_MIN(box.inner[0].n, box.inner[1].n) < kFewestPixels<kBytes>) return MoveOddElements<kBytes>(src, dst, box);
  WithFilled(WideTag<PixelLane<kBytes>>(), box.inner[0].n, [&](auto d) { PixelTiles<kBytes>(d, src, dst, box); });
}

template <>
HWY_INLINE void TransposeBox<Pixel<3>>(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposeOddElements<3>(src, dst, box);
}
template <>
HWY_INLINE void TransposeBox<Pixel<5>>(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposeOddElements<5>(src, dst, box);
}
template <>
HWY_INLINE void TransposeBox<Pixel<6>>(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposeOddElements<6>(src, dst, box);
}
template <>
HWY_INLINE void TransposeBox<Pixel<7>>(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposeOddElements<7>(src, dst, box);
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PIXEL_INL_H_
