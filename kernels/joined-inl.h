// SPDX-License-Identifier: Apache-2.0
// Family kJoined: a transpose whose rows, columns or both are several axes.
//
// Where the innermost axes are short, tiles over them alone would be mostly edges. Axes that continue the rows in the
// destination, or the columns in the source, are joined with them; where a row begins in the source and a column in the
// destination is then no longer a multiple of a stride, so the plan writes it down in tables. Everything else is as in
// kTile. 2 x 2 x ... x 2 reversed, 22 deep: 19 times a copy element by element, 6.5 with tables, 2.3 packed as well.
#if defined(DIMORDER_KERNELS_JOINED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_JOINED_INL_H_
#undef DIMORDER_KERNELS_JOINED_INL_H_
#else
#define DIMORDER_KERNELS_JOINED_INL_H_
#endif

#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Columns of a microtile, which begin at offsets of their own.
struct JoinedColumns {
  uint8_t* HWY_RESTRICT dst;
  const int64_t* HWY_RESTRICT at;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(dst + at[column]));
  }
};

// Whole microtiles: rows >= MaxLanes(d), columns >= L. The last ones overlap. `source(row, col)` has the rows of one.
template <class D, class Source>
HWY_INLINE void JoinedTiles(D d, const Source& source, uint8_t* dst, const KernelArgs& args) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  const int64_t kRows = static_cast<int64_t>(hn::Lanes(d));
  const int64_t rows = args.inner[0].n;
  const int64_t cols = args.inner[1].n;
  const int64_t* col_at = args.joined().col_at;
  for (int64_t c = 0; c < cols; c += kCols) {
    const int64_t col = HWY_MIN(c, cols - kCols);
    for (int64_t r = 0; r < rows; r += kRows) {
      const int64_t row = HWY_MIN(r, rows - kRows);
      MicroTile(d, source(row, col * kSize), JoinedColumns{dst + row * kSize, col_at + col});
    }
  }
}

// Asks for the lines of a row, for L2.
HWY_INLINE void AskForRow(const uint8_t* row, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += kLineBytes) AskFor<Level::kL2>(row + i);
}

// The columns of a box from where they are packed, past the caches if args.packing says so. Asks for the next box's
// rows meanwhile, each of row_bytes (2^22 floats reversed 3.6 -> 2.2 times a copy).
HWY_INLINE void UnpackColumns(const uint8_t* packed, uint8_t* dst, const KernelArgs& args, int64_t column_bytes,
                              int64_t row_bytes) {
  const JoinedAxes& joined = args.joined();
  const auto bytes = static_cast<size_t>(column_bytes);
  for (int64_t c = 0; c < args.inner[1].n; ++c) {
    if (args.next != nullptr && c < args.inner[0].n) AskForRow(args.next + joined.row_at[c], row_bytes);
    const uint8_t* from = packed + c * kJoinedPitch;
    uint8_t* to = dst + joined.col_at[c];
    args.packing == Pack::kColumns ? StreamRun(from, to, bytes) : CopyRun(from, to, bytes);
  }
}

// By way of args.pack: rows whose offsets are multiples of a large power of two push each other out of L1 before their
// next part is due (2^15 to 2^20 floats reversed 8 -> 2.5 times a copy). So do columns, of which L1 has room for four
// of a microtile, but not for 8 or 16; and what is streamed is written a whole column at a time.
template <class T>
HWY_INLINE void JoinedPacked(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t rows = args.inner[0].n;
  const int64_t cols = args.inner[1].n;
  uint8_t* const packed_rows = args.pack;
  for (int64_t r = 0; r < rows; ++r) {
    CopyRun(src + args.joined().row_at[r], packed_rows + r * kJoinedPitch, static_cast<size_t>(cols * kSize));
  }
  if (kSize >= 4 && args.packing == Pack::kRows && HWY_MIN(rows, cols) >= kBlockLanes<T>) {
    const auto source = [packed_rows](int64_t row, int64_t at) {
      return SourceRows<T>{packed_rows + row * kJoinedPitch + at, kJoinedPitch};
    };
    return WithFilled(WideTag<T>(), rows, [&](auto d) { JoinedTiles(d, source, dst, args); });
  }
  uint8_t* const packed_cols = args.pack + kMostJoined * kJoinedPitch;
  TransposeBox<T>(packed_rows, packed_cols, MakeBox(kJoinedPitch, rows, kJoinedPitch, cols, rows));
  UnpackColumns(packed_cols, dst, args, rows * kSize, cols * kSize);
}

#endif  // DIMORDER_HAVE_VECTORS

template <class T>
HWY_INLINE void JoinedElements(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  for (int64_t c = 0; c < args.inner[1].n; ++c) {
    const uint8_t* from = src + c * static_cast<int64_t>(sizeof(T));
    uint8_t* to = dst + args.joined().col_at[c];
    for (int64_t r = 0; r < args.inner[0].n; ++r) {
      memcpy(to + r * static_cast<int64_t>(sizeof(T)), from + args.joined().row_at[r], sizeof(T));
    }
  }
}

template <class T>
void Joined(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
#if DIMORDER_HAVE_VECTORS
  if (args.pack != nullptr) return JoinedPacked<T>(src, dst, args);
  const int64_t rows = args.inner[0].n;
  const int64_t cols = args.inner[1].n;
  if (cols >= kBlockLanes<T> && rows >= kBlockLanes<T>) {
    const int64_t* const row_at = args.joined().row_at;
    const auto source = [src, row_at](int64_t row, int64_t at) { return RowsAt<T>{src + at, row_at + row}; };
    return WithFilled(WideTag<T>(), rows, [&](auto d) { JoinedTiles(d, source, dst, args); });
  }
  if (cols > 1) {
    return SmallBox<T, TablePlaces, TablePlaces>{src, args.joined().row_at, rows, dst, args.joined().col_at, cols}
        .Transpose();
  }
#endif
  JoinedElements<T>(src, dst, args);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_JOINED_INL_H_
