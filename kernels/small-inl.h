// SPDX-License-Identifier: Apache-2.0
// Boxes with rows or columns of less than 16 bytes: microtiles that are partly empty, but for columns of up to 8 bytes
// (narrow-inl.h). Nothing beside the box is touched (partial-inl.h).
#if defined(DIMORDER_KERNELS_SMALL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_SMALL_INL_H_
#undef DIMORDER_KERNELS_SMALL_INL_H_
#else
#define DIMORDER_KERNELS_SMALL_INL_H_
#endif

#include "kernels/narrow-inl.h"
#include "kernels/partial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Where row or column i begins: a multiple of a stride, or what a table says.
struct EvenPlaces {
  int64_t stride;

  HWY_INLINE int64_t operator[](int64_t i) const { return i * stride; }
};
using TablePlaces = const int64_t*;

// Rows of less than a block, one below the other in the blocks of a vector; and their columns.
template <class T, class Places>
struct ShortRows {
  const uint8_t* HWY_RESTRICT src;
  Places at;
  int64_t first;
  size_t bytes;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return LoadFirstOfBlocks(
        d, [=, this](int64_t k) { return src + at[first + i + k * kBlockLanes<T>]; }, bytes);
  }
};
template <class Places>
struct FewColumns {
  uint8_t* HWY_RESTRICT dst;
  Places at;
  int64_t cols;

  HWY_INLINE bool Wants(int64_t column) const { return column < cols; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    if (Wants(column)) hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(dst + at[column]));
  }
};

// Fewer rows than a block has elements, each side by side in the blocks of a vector; and their short columns.
template <class Places>
struct SideBySideRows {
  const uint8_t* HWY_RESTRICT src;
  Places at;
  int64_t rows;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return LoadBlocks(d, src + at[HWY_MIN(i, rows - 1)], 16);
  }
};
template <class Places>
struct ShortColumns {
  uint8_t* HWY_RESTRICT dst;
  Places at;
  int64_t first;
  size_t bytes;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    constexpr int64_t kLanes = kBlockLanes<hn::TFromD<D>>;
    StoreFirstOfBlocks(
        d, v, [=, this](int64_t k) { return dst + at[first + column + k * kLanes]; }, bytes);
  }
};

// Both.
template <class T, class Places>
struct TinyRows {
  const uint8_t* HWY_RESTRICT src;
  Places at;
  int64_t rows;
  size_t bytes;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D, int64_t i) const {
    return LoadFirst<T>(src + at[HWY_MIN(i, rows - 1)], bytes);
  }
};
template <class Places>
struct TinyColumns {
  uint8_t* HWY_RESTRICT dst;
  Places at;
  int64_t cols;
  size_t bytes;

  HWY_INLINE bool Wants(int64_t column) const { return column < cols; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    if (Wants(column)) StoreFirst(d, v, dst + at[column], bytes);
  }
};

// A box of which rows, columns or both are less than a block. Rows begin at the places of `row_at` in the source,
// columns at those of `col_at` in the destination.
template <class T, class RowPlaces, class ColPlaces>
struct SmallBox {
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kLanes = kBlockLanes<T>;

  const uint8_t* HWY_RESTRICT src;
  RowPlaces row_at;
  int64_t rows;
  uint8_t* HWY_RESTRICT dst;
  ColPlaces col_at;
  int64_t cols;

  HWY_INLINE void Transpose() const {
    const WideTag<T> wide;
    if (rows >= kLanes) return WithFilled(wide, rows, [&](auto d) { Down(d); });
    if (cols >= kLanes && rows * kSize <= 8) return AlongNarrow<8 / kSize>();
    if (cols >= kLanes) return WithFilled(wide, cols, [&](auto d) { Along(d); });
    const TinyRows<T, RowPlaces> in = {src, row_at, rows, static_cast<size_t>(cols * kSize)};
    const TinyColumns<ColPlaces> out = {dst, col_at, cols, static_cast<size_t>(rows * kSize)};
    MicroTile(BlockTag<T>(), in, out);
  }

  // cols < L, rows >= Lanes(d). The last rows overlap.
  template <class D>
  HWY_INLINE void Down(D d) const {
    const int64_t step = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t r = 0; r < rows; r += step) {
      const int64_t row = HWY_MIN(r, rows - step);
      const ShortRows<T, RowPlaces> in = {src, row_at, row, static_cast<size_t>(cols * kSize)};
      MicroTile(d, in, FewColumns<ColPlaces>{dst + row * kSize, col_at, cols});
    }
  }

  // At most kMost rows, so that columns have no more than 8 bytes, cols >= L. The last columns overlap.
  template <int64_t kMost>
  HWY_INLINE void AlongNarrow() const {
    if constexpr (kMost > 1) {
      if (rows < kMost) return AlongNarrow<kMost - 1>();
    }
    NarrowColumns<kMost>();
  }
  template <int64_t kRows>
  HWY_NOINLINE void NarrowColumns() const {
    for (int64_t c = 0; c < cols; c += kLanes) {
      const int64_t col = HWY_MIN(c, cols - kLanes);
      const SideBySideRows<RowPlaces> in = {src + col * kSize, row_at, kRows};
      NarrowTile<kRows>(BlockTag<T>(), in, ElementColumns<kRows * kSize, ColPlaces>{dst, col_at, col});
    }
  }

  // rows < L, cols >= Lanes(d). The last columns overlap.
  template <class D>
  HWY_INLINE void Along(D d) const {
    const int64_t step = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t c = 0; c < cols; c += step) {
      const int64_t col = HWY_MIN(c, cols - step);
      const SideBySideRows<RowPlaces> in = {src + col * kSize, row_at, rows};
      MicroTile(d, in, ShortColumns<ColPlaces>{dst, col_at, col, static_cast<size_t>(rows * kSize)});
    }
  }
};

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_SMALL_INL_H_
