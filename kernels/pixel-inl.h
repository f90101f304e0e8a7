// SPDX-License-Identifier: Apache-2.0
// Transposes of pixels: elements of 3, 5, 6 or 7 bytes, such as red, green and blue.
//
// A block of 16 bytes holds the beginnings of as many pixels as it has lanes of 4 or 8 bytes. A table lookup spreads
// them, one to a lane; the microtile transposes lanes; another lookup closes them up again, and blocks are stored down
// each column in ascending order, so that what one has too much is overwritten by the next. The last rows and columns,
// which have no room for that, go pixel by pixel. 1.7 to 2.4 times as fast as runs of 3 and 7 bytes moved one by one.
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
// Pixels that a block of 16 bytes takes part in.
template <int kBytes>
constexpr int64_t kBlockPixels = kBlockLanes<PixelLane<kBytes>>;

// From adjoining pixels to one per lane, and back. Bytes that belong to no pixel come from anywhere.
template <int kBytes>
struct PixelTables {
  constexpr PixelTables() {
    constexpr int kLane = sizeof(PixelLane<kBytes>);
    for (int i = 0; i < 16; ++i) spread[i] = static_cast<uint8_t>(HWY_MIN(i / kLane * kBytes + i % kLane, 15));
    for (int i = 0; i < 16; ++i) close_up[i] = static_cast<uint8_t>(HWY_MIN(i / kBytes * kLane + i % kBytes, 15));
  }

  alignas(16) uint8_t spread[16] = {};
  alignas(16) uint8_t close_up[16] = {};
};
template <int kBytes>
constexpr PixelTables<kBytes> kPixelTables = PixelTables<kBytes>();

template <class D>
HWY_INLINE hn::VFromD<D> LookUp(D d, hn::VFromD<D> v, const uint8_t* table) {
  return hn::TableLookupBytes(v, hn::LoadDup128(d, reinterpret_cast<const hn::TFromD<D>*>(table)));
}

// Rows of a microtile whose blocks begin with kBlockPixels pixels.
template <int kBytes>
struct PixelRows {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return LookUp(d, LoadBlocks(d, src + i * is, is * kBlockPixels<kBytes>), kPixelTables<kBytes>.spread);
  }
};

// Columns of a microtile, each as many pixels as a vector has lanes.
template <int kBytes>
struct PixelColumns {
  uint8_t* HWY_RESTRICT dst;
  int64_t os;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    StoreBlocks(d, LookUp(d, v, kPixelTables<kBytes>.close_up), dst + column * os, kBlockPixels<kBytes> * kBytes);
  }
};

// Rows [row, row + rows) by columns [col, col + cols), pixel by pixel.
template <int kBytes>
HWY_INLINE void MovePixels(const uint8_t* src, uint8_t* dst, const Box& box, int64_t row, int64_t rows, int64_t col,
                           int64_t cols) {
  for (int64_t c = col; c < col + cols; ++c) {
    for (int64_t r = row; r < row + rows; ++r) {
      memcpy(dst + c * box.inner[1].os + r * kBytes, src + r * box.inner[0].is + c * kBytes, kBytes);
    }
  }
}

// Whole microtiles over `rows` rows and `cols` columns, a panel of rows after the other.
template <int kBytes>
HWY_INLINE void PixelTiles(const uint8_t* src, uint8_t* dst, const Box& box, int64_t rows, int64_t cols) {
  const WideTag<PixelLane<kBytes>> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  const int64_t panel = HWY_MAX(box.panel / lanes, int64_t{1}) * lanes;
  for (int64_t first = 0; first < rows; first += panel) {
    const int64_t end = HWY_MIN(first + panel, rows);
    for (int64_t c = 0; c < cols; c += kBlockPixels<kBytes>) {
      for (int64_t r = first; r < end; r += lanes) {
        MicroTile(d, PixelRows<kBytes>{src + r * is + c * kBytes, is},
                  PixelColumns<kBytes>{dst + c * os + r * kBytes, os});
      }
    }
  }
}

template <int kBytes>
HWY_NOINLINE void TransposePixels(const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kPixels = kBlockPixels<kBytes>;
  constexpr int64_t kOverrun = (16 - kPixels * kBytes + kBytes - 1) / kBytes;  // pixels that a block has too much
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(WideTag<PixelLane<kBytes>>()));
  const int64_t rows = box.inner[0].n;
  const int64_t cols = box.inner[1].n;
  const int64_t whole_rows = HWY_MAX(rows - kOverrun, int64_t{0}) / lanes * lanes;
  const int64_t whole_cols = HWY_MAX(cols - kOverrun, int64_t{0}) / kPixels * kPixels;
  PixelTiles<kBytes>(src, dst, box, whole_rows, whole_cols);
  MovePixels<kBytes>(src, dst, box, 0, whole_rows, whole_cols, cols - whole_cols);
  MovePixels<kBytes>(src, dst, box, whole_rows, rows - whole_rows, 0, cols);
}

template <>
HWY_INLINE void TransposeBox<Pixel<3>>(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposePixels<3>(src, dst, box);
}
template <>
HWY_INLINE void TransposeBox<Pixel<5>>(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposePixels<5>(src, dst, box);
}
template <>
HWY_INLINE void TransposeBox<Pixel<6>>(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposePixels<6>(src, dst, box);
}
template <>
HWY_INLINE void TransposeBox<Pixel<7>>(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposePixels<7>(src, dst, box);
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PIXEL_INL_H_
