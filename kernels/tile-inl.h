// SPDX-License-Identifier: Apache-2.0
// Family kTile: the transpose of a box whose rows are contiguous in the source and whose columns are contiguous in the
// destination.
//
// Microkernel. A 128-bit block holds L = 16 / E elements. For vectors of B blocks, load L vectors whose k-th block is
// 16 bytes of source row i + k * L (i = 0 .. L-1); interleaving the lower and the upper halves of vectors i and
// i + L/2, log2(L) times, leaves in vector c the column c of all B * L rows, in order. All shuffles stay within
// blocks: 4, 3, 2 or 1 of them per vector for E = 1, 2, 4, 8, and no cross-block permutation on any target.
//
// The network is written depth first (the lower half's columns are stored before the upper half's are made), on named
// vectors instead of arrays: gcc at -O2 leaves arrays of vectors in memory, and scalable vectors cannot be in one.
//
// Ragged counts. A last tile that would overrun starts earlier and overlaps its neighbour. Boxes too small for one
// wide tile take 128-bit tiles; too small for those, Small() moves rows or columns of less than 16 bytes one by one.
#if defined(DIMORDER_KERNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_TILE_INL_H_
#undef DIMORDER_KERNELS_TILE_INL_H_
#else
#define DIMORDER_KERNELS_TILE_INL_H_
#endif

#include "kernels/bytes-inl.h"
#include "kernels/generic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// A 2-D box of elements: `rows` source rows, `is` bytes apart, each `cols` contiguous elements; destination columns
// `os` bytes apart, each `rows` contiguous elements.
struct Box {
  const uint8_t* HWY_RESTRICT src;
  uint8_t* HWY_RESTRICT dst;
  int64_t rows, cols;
  int64_t is, os;
  int64_t panel;  // see KernelArgs
};

// An element of 16 bytes, for which Highway has no lane type.
struct Block128 {
  uint64_t halves[2];
};

#if DIMORDER_HAVE_VECTORS

// Elements in a 128-bit block.
template <class T>
constexpr int64_t kBlockLanes = 16 / static_cast<int64_t>(sizeof(T));

// Full vectors; of at most one cache line. Scalable targets use one block: their lane count is not a constant.
#if HWY_HAVE_SCALABLE
template <class T>
using WideTag = hn::CappedTag<T, 16 / sizeof(T)>;
#else
template <class T>
using WideTag = hn::CappedTag<T, kLineBytes / sizeof(T)>;
#endif
template <class T>
using BlockTag = hn::CappedTag<T, 16 / sizeof(T)>;

// Loads a vector of which block k is the 16 bytes at src + k * stride.
template <class D>
HWY_INLINE hn::VFromD<D> LoadBlocks(D d, const uint8_t* src, [[maybe_unused]] int64_t stride) {
  constexpr int64_t kBlocks = static_cast<int64_t>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>)) / 16;
  if constexpr (HWY_HAVE_SCALABLE || kBlocks == 1) {
    return hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(src));
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, LoadBlocks(half, src + kBlocks / 2 * stride, stride), LoadBlocks(half, src, stride));
  }
}

// Rows of a microtile: Load(d, i) has source rows i, i + L, i + 2L, ... in its blocks.
template <class T>
struct SourceRows {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return LoadBlocks(d, src + i * is, is * kBlockLanes<T>);
  }
};

// Columns of a microtile, stored whole.
struct StoreColumns {
  uint8_t* HWY_RESTRICT dst;
  int64_t os;

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(dst + column * os));
  }
};

// The network: hands column kFirst + c of 2, 4, 8 or 16 vectors to `out`.
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Network(D d, const Out& out, V a0, V a1) {
  out.Store(d, kFirst, hn::InterleaveLower(d, a0, a1));
  out.Store(d, kFirst + 1, hn::InterleaveUpper(d, a0, a1));
}
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Network(D d, const Out& out, V a0, V a1, V a2, V a3) {
  Network<kFirst>(d, out, hn::InterleaveLower(d, a0, a2), hn::InterleaveLower(d, a1, a3));
  Network<kFirst + 2>(d, out, hn::InterleaveUpper(d, a0, a2), hn::InterleaveUpper(d, a1, a3));
}
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Network(D d, const Out& out, V a0, V a1, V a2, V a3, V a4, V a5, V a6, V a7) {
  Network<kFirst>(d, out, hn::InterleaveLower(d, a0, a4), hn::InterleaveLower(d, a1, a5),
                  hn::InterleaveLower(d, a2, a6), hn::InterleaveLower(d, a3, a7));
  Network<kFirst + 4>(d, out, hn::InterleaveUpper(d, a0, a4), hn::InterleaveUpper(d, a1, a5),
                      hn::InterleaveUpper(d, a2, a6), hn::InterleaveUpper(d, a3, a7));
}
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Network(D d, const Out& out, V a0, V a1, V a2, V a3, V a4, V a5, V a6, V a7, V a8, V a9, V a10, V a11,
                        V a12, V a13, V a14, V a15) {
  Network<kFirst>(d, out, hn::InterleaveLower(d, a0, a8), hn::InterleaveLower(d, a1, a9),
                  hn::InterleaveLower(d, a2, a10), hn::InterleaveLower(d, a3, a11), hn::InterleaveLower(d, a4, a12),
                  hn::InterleaveLower(d, a5, a13), hn::InterleaveLower(d, a6, a14), hn::InterleaveLower(d, a7, a15));
  Network<kFirst + 8>(d, out, hn::InterleaveUpper(d, a0, a8), hn::InterleaveUpper(d, a1, a9),
                      hn::InterleaveUpper(d, a2, a10), hn::InterleaveUpper(d, a3, a11), hn::InterleaveUpper(d, a4, a12),
                      hn::InterleaveUpper(d, a5, a13), hn::InterleaveUpper(d, a6, a14),
                      hn::InterleaveUpper(d, a7, a15));
}

// Transposes MaxLanes(d) rows by L columns.
template <class D, class In, class Out>
HWY_INLINE void MicroTile(D d, const In& in, const Out& out) {
  constexpr int64_t kLanes = kBlockLanes<hn::TFromD<D>>;
  if constexpr (kLanes == 2) {
    Network<0>(d, out, in.Load(d, 0), in.Load(d, 1));
  } else if constexpr (kLanes == 4) {
    Network<0>(d, out, in.Load(d, 0), in.Load(d, 1), in.Load(d, 2), in.Load(d, 3));
  } else if constexpr (kLanes == 8) {
    Network<0>(d, out, in.Load(d, 0), in.Load(d, 1), in.Load(d, 2), in.Load(d, 3), in.Load(d, 4), in.Load(d, 5),
               in.Load(d, 6), in.Load(d, 7));
  } else {
    Network<0>(d, out, in.Load(d, 0), in.Load(d, 1), in.Load(d, 2), in.Load(d, 3), in.Load(d, 4), in.Load(d, 5),
               in.Load(d, 6), in.Load(d, 7), in.Load(d, 8), in.Load(d, 9), in.Load(d, 10), in.Load(d, 11),
               in.Load(d, 12), in.Load(d, 13), in.Load(d, 14), in.Load(d, 15));
  }
}

// Whole microtiles over the box: rows >= MaxLanes(d), cols >= L. A panel of rows is finished before the next is begun.
template <class D>
HWY_INLINE void Tiles(D d, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  const int64_t kRows = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t panel = 0; panel < box.rows; panel += HWY_MAX(box.panel, kRows)) {
    const int64_t end = HWY_MIN(panel + box.panel, box.rows);
    for (int64_t c = 0; c < box.cols; c += kCols) {
      const int64_t col = HWY_MIN(c, box.cols - kCols);
      for (int64_t r = panel; r < end; r += kRows) {
        const int64_t row = HWY_MIN(r, box.rows - kRows);
        MicroTile(d, SourceRows<T>{box.src + row * box.is + col * kSize, box.is},
                  StoreColumns{box.dst + col * box.os + row * kSize, box.os});
      }
    }
  }
}

// Rows of less than 16 bytes, or fewer of them than a block has lanes: the first `rows` rows, the last one repeated,
// each the first `bytes` bytes of a block.
template <class T>
struct SmallRows {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;
  int64_t rows;
  size_t bytes;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    const uint8_t* row = src + HWY_MIN(i, rows - 1) * is;
    if (bytes == 16) return hn::LoadU(d, reinterpret_cast<const T*>(row));
    HWY_ALIGN uint8_t block[16] = {};
    CopyBelow16(row, block, bytes);
    return hn::Load(d, reinterpret_cast<const T*>(block));
  }
};

// The first `cols` columns, each the first `bytes` bytes of a block.
struct SmallColumns {
  uint8_t* HWY_RESTRICT dst;
  int64_t os;
  int64_t cols;
  size_t bytes;

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    if (column >= cols) return;
    uint8_t* to = dst + column * os;
    if (bytes == 16) return hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
    HWY_ALIGN uint8_t block[16];
    hn::Store(v, d, reinterpret_cast<hn::TFromD<D>*>(block));
    CopyBelow16(block, to, bytes);
  }
};

// Any box, by 128-bit tiles that are partly empty: right for all counts, meant for counts below L.
template <class T>
HWY_NOINLINE void Small(const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kLanes = kBlockLanes<T>;
  const BlockTag<T> d;
  for (int64_t r = 0; r < box.rows; r += kLanes) {
    const int64_t rows = HWY_MIN(kLanes, box.rows - r);
    for (int64_t c = 0; c < box.cols; c += kLanes) {
      const int64_t cols = HWY_MIN(kLanes, box.cols - c);
      MicroTile(d, SmallRows<T>{box.src + r * box.is + c * kSize, box.is, rows, static_cast<size_t>(cols * kSize)},
                SmallColumns{box.dst + c * box.os + r * kSize, box.os, cols, static_cast<size_t>(rows * kSize)});
    }
  }
}

template <class T>
HWY_INLINE void TransposeBox(const Box& box) {
  const WideTag<T> wide;
  const BlockTag<T> block;
  if (box.cols >= kBlockLanes<T> && box.rows >= static_cast<int64_t>(hn::Lanes(wide))) {
    Tiles(wide, box);
  } else if (box.cols >= kBlockLanes<T> && box.rows >= kBlockLanes<T>) {
    Tiles(block, box);
  } else {
    Small<T>(box);
  }
}

// 16-byte elements: nothing to shuffle. Four rows make one destination line.
template <>
HWY_INLINE void TransposeBox<Block128>(const Box& box) {
  for (int64_t r = 0; r < box.rows; r += 4) {
    const int64_t rows = HWY_MIN(int64_t{4}, box.rows - r);
    for (int64_t c = 0; c < box.cols; ++c) {
      const uint8_t* HWY_RESTRICT src = box.src + r * box.is + c * 16;
      uint8_t* HWY_RESTRICT dst = box.dst + c * box.os + r * 16;
      for (int64_t i = 0; i < rows; ++i) memcpy(dst + i * 16, src + i * box.is, 16);
    }
  }
}

// Calls move(box) for each step of inner[2].
template <class Function>
HWY_INLINE void ForEachBox(const KernelArgs& args, const Function& move) {
  const Axis rows = args.inner[0];
  const Axis cols = args.inner[1];
  for (int64_t k = 0; k < args.inner[2].n; ++k) {
    move(Box{args.src + k * args.inner[2].is, args.dst + k * args.inner[2].os, rows.n, cols.n, rows.is, cols.os,
             args.panel});
  }
}

template <class T>
void Tile(const KernelArgs& args) {
  ForEachBox(args, [](const Box& box) { TransposeBox<T>(box); });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_TILE_INL_H_
