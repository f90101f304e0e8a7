// SPDX-License-Identifier: Apache-2.0
// Boxes with rows or columns of less than 16 bytes: microtiles that are partly empty, but for columns of up to 8 bytes
// (narrow-inl.h). Nothing beside the box is touched (partial-inl.h). Rows and columns of more than 8 bytes fill their
// blocks with both of their ends, each of which is loaded and stored as it is: joined ones of 9 to 15 bytes, a few
// hundred of all kinds, in 0.68 to 0.95 of the time of looking up what is between, boxes of a block 0.6 to 0.7.
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

// A long row or column has more than 8 bytes, though less than 16. It fills a block with its first and its last 8, so
// what lies between is there twice. Which of its n elements is at place i of the block; of a short one the last is
// repeated:
template <class T, bool kLong>
HWY_INLINE int64_t ElementAt(int64_t i, int64_t n) {
  if constexpr (!kLong) return HWY_MIN(i, n - 1);
  return i < kBlockLanes<T> / 2 ? i : n - kBlockLanes<T> + i;
}
// Whether no place before i has the same one.
template <class T, bool kLong>
HWY_INLINE bool IsNewAt(int64_t i, int64_t n) {
  return kLong ? i < kBlockLanes<T> / 2 || ElementAt<T, kLong>(i, n) >= kBlockLanes<T> / 2 : i < n;
}

template <class T, bool kLong>
HWY_INLINE hn::VFromD<BlockTag<T>> LoadRow(const uint8_t* p, size_t bytes) {
  if constexpr (kLong) return LoadEnds<T>(p, bytes);
  return LoadFirst<T>(p, bytes);
}

// Rows of less than a block, one below the other in the blocks of a vector; and the few columns that they make.
template <class T, bool kLongRows, class Places>
struct ShortRows {
  const uint8_t* HWY_RESTRICT src;
  Places at;
  int64_t first;
  size_t bytes;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    const auto row = [=, this](int64_t k) { return src + at[first + i + k * kBlockLanes<T>]; };
    return JoinBlocks(d, row, [this](const uint8_t* p) { return LoadRow<T, kLongRows>(p, bytes); });
  }
};
template <class T, bool kLongRows, class Places>
struct FewColumns {
  uint8_t* HWY_RESTRICT dst;
  Places at;
  int64_t cols;

  HWY_INLINE bool Wants(int64_t i) const { return kLongRows || i < cols; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t i, V v) const {
    if (!IsNewAt<T, kLongRows>(i, cols)) return;
    hn::StoreU(v, d, reinterpret_cast<T*>(dst + at[ElementAt<T, kLongRows>(i, cols)]));
  }
};

// Fewer rows than a block has elements, each side by side in the blocks of a vector; and the long columns that they
// make.
template <class T, bool kLongColumns, class Places>
struct SideBySideRows {
  const uint8_t* HWY_RESTRICT src;
  Places at;
  int64_t rows;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return Pinned(hn::LoadU(d, reinterpret_cast<const T*>(src + at[ElementAt<T, kLongColumns>(i, rows)])));
  }
};
template <class Places>
struct LongColumns {
  uint8_t* HWY_RESTRICT dst;
  Places at;
  int64_t first;
  size_t bytes;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    constexpr int64_t kLanes = kBlockLanes<hn::TFromD<D>>;
    const auto place = [=, this](int64_t k) { return dst + at[first + column + k * kLanes]; };
    PartBlocks(d, v, place, [this](auto block_d, auto block, uint8_t* p) { StoreEnds(block_d, block, p, bytes); });
  }
};

// Both.
template <class T, bool kLongRows, bool kLongColumns, class Places>
struct TinyRows {
  const uint8_t* HWY_RESTRICT src;
  Places at;
  int64_t rows;
  size_t bytes;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D, int64_t i) const {
    return LoadRow<T, kLongRows>(src + at[ElementAt<T, kLongColumns>(i, rows)], bytes);
  }
};
template <class T, bool kLongRows, bool kLongColumns, class Places>
struct TinyColumns {
  uint8_t* HWY_RESTRICT dst;
  Places at;
  int64_t cols;
  size_t bytes;

  HWY_INLINE bool Wants(int64_t i) const { return kLongRows || i < cols; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t i, V v) const {
    if (!IsNewAt<T, kLongRows>(i, cols)) return;
    uint8_t* const to = dst + at[ElementAt<T, kLongRows>(i, cols)];
    if constexpr (kLongColumns) return StoreEnds(d, v, to, bytes);
    StoreFirst(d, v, to, bytes);
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
    const bool long_rows = cols * kSize > 8;
    const bool long_columns = rows * kSize > 8;
    if (rows >= kLanes) return WithFilled(wide, rows, [&](auto d) { long_rows ? Down<true>(d) : Down<false>(d); });
    if (cols >= kLanes && !long_columns) return AlongNarrow<8 / kSize>();
    if (cols >= kLanes) return WithFilled(wide, cols, [&](auto d) { Along(d); });
    if (long_rows) return long_columns ? Tiny<true, true>() : Tiny<true, false>();
    long_columns ? Tiny<false, true>() : Tiny<false, false>();
  }

  // cols < L, rows >= Lanes(d). The last rows overlap.
  template <bool kLongRows, class D>
  HWY_INLINE void Down(D d) const {
    const int64_t step = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t r = 0; r < rows; r += step) {
      const int64_t row = HWY_MIN(r, rows - step);
      const ShortRows<T, kLongRows, RowPlaces> in = {src, row_at, row, static_cast<size_t>(cols * kSize)};
      MicroTile(d, in, FewColumns<T, kLongRows, ColPlaces>{dst + row * kSize, col_at, cols});
    }
  }

  // rows, cols < L.
  template <bool kLongRows, bool kLongColumns>
  HWY_INLINE void Tiny() const {
    const auto row_bytes = static_cast<size_t>(cols * kSize);
    const auto column_bytes = static_cast<size_t>(rows * kSize);
    const TinyRows<T, kLongRows, kLongColumns, RowPlaces> in = {src, row_at, rows, row_bytes};
    const TinyColumns<T, kLongRows, kLongColumns, ColPlaces> out = {dst, col_at, cols, column_bytes};
    MicroTile(BlockTag<T>(), in, out);
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
      const SideBySideRows<T, false, RowPlaces> in = {src + col * kSize, row_at, kRows};
      NarrowTile<kRows>(BlockTag<T>(), in, ElementColumns<kRows * kSize, ColPlaces>{dst, col_at, col});
    }
  }

  // rows < L that make long columns, cols >= Lanes(d). The last columns overlap.
  template <class D>
  HWY_INLINE void Along(D d) const {
    const int64_t step = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t c = 0; c < cols; c += step) {
      const int64_t col = HWY_MIN(c, cols - step);
      const SideBySideRows<T, true, RowPlaces> in = {src + col * kSize, row_at, rows};
      MicroTile(d, in, LongColumns<ColPlaces>{dst, col_at, col, static_cast<size_t>(rows * kSize)});
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
