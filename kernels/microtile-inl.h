// SPDX-License-Identifier: Apache-2.0
// The microkernel of all transposes: a microtile of as many rows as a vector has elements, by one 16-byte block of
// each.
//
// A 128-bit block holds L = 16 / E elements. For vectors of B blocks, load L vectors whose k-th block is 16 bytes of
// source row i + k * L (i = 0 .. L-1); interleaving the lower and the upper halves of vectors i and i + L/2, log2(L)
// times, leaves in vector c the column c of all B * L rows, in order. All shuffles stay within blocks: 4, 3, 2 or 1 of
// them per vector for E = 1, 2, 4, 8, and no cross-block permutation on any target.
//
// The network is written depth first (the lower half's columns are stored before the upper half's are made), on named
// vectors instead of arrays: gcc at -O2 leaves arrays of vectors in memory, and scalable vectors cannot be in one. Both
// outputs of a pair are made at once, so that no more vectors live than went in: with 16 vectors of bytes in 16
// registers that made the kernel 1.4 times as fast as making all lower halves first.
#if defined(DIMORDER_KERNELS_MICROTILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_MICROTILE_INL_H_
#undef DIMORDER_KERNELS_MICROTILE_INL_H_
#else
#define DIMORDER_KERNELS_MICROTILE_INL_H_
#endif

#include "kernels/blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

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

// Calls use(d) or the like with a shorter tag: the longest of which `n` elements, at least a block, fill a vector.
template <class D, class Use>
HWY_INLINE void WithFilled(D d, int64_t n, const Use& use) {
  if constexpr (hn::MaxLanes(D()) > kBlockLanes<hn::TFromD<D>>) {
    if (n < static_cast<int64_t>(hn::Lanes(d))) return WithFilled(hn::Half<D>(), n, use);
  }
  use(d);
}

// Calls step(i) for i = 0, lanes, 2 * lanes, ... and once more, overlapping, for the ragged end. n >= lanes.
template <class Step>
HWY_INLINE void ForEachVector(int64_t n, int64_t lanes, const Step& step) {
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) step(i);
  if (i != n) step(n - lanes);
}

// Blocks in a vector of WideTag.
template <class T>
constexpr int64_t kWideBlocks = kBlocks<WideTag<T>>;

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

// The same, at offsets of their own.
template <class T>
struct RowsAt {
  const uint8_t* HWY_RESTRICT src;
  const int64_t* HWY_RESTRICT at;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return LoadBlocksAt(d, [=, this](int64_t k) { return src + at[i + k * kBlockLanes<T>]; });
  }
};

// Columns of a microtile, stored whole.
struct StoreColumns {
  uint8_t* HWY_RESTRICT dst;
  int64_t os;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(dst + column * os));
  }
};

// Columns that stay in registers: all indices are constants, and so the array is none.
template <class V>
struct KeepColumns {
  V* columns;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D>
  HWY_INLINE void Store(D, int64_t column, V v) const {
    columns[column] = v;
  }
};

// The columns from kFrom to before kTo. The compiler leaves out what would make those before.
template <int64_t kFrom, int64_t kTo, class Out = StoreColumns>
struct SomeColumns {
  Out out;

  static constexpr bool Wants(int64_t column) { return column < kTo; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    if (column >= kFrom && Wants(column)) out.Store(d, column, v);
  }
};

// Rows and columns of microtiles side by side, one in each block: rows are loaded whole, and block k of the columns is
// stored `stride` bytes from block k - 1. For boxes of few rows. Rows beyond the last repeat it.
struct FewRows {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;
  int64_t rows;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return Pinned(hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(src + HWY_MIN(i, rows - 1) * is)));
  }
};
struct SplitColumns {
  uint8_t* HWY_RESTRICT dst;
  int64_t os;
  int64_t stride;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    StoreBlocks(d, v, dst + column * os, stride);
  }
};

// The network: hands column kFirst + c of 2, 4 or 8 vectors to `out`. Where out.Wants(column) is false, it wants none
// of the columns from there on, and the steps that would make them are left out.
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Network(D d, const Out& out, V a0, V a1) {
  out.Store(d, kFirst, hn::InterleaveLower(d, a0, a1));
  out.Store(d, kFirst + 1, hn::InterleaveUpper(d, a0, a1));
}
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Network(D d, const Out& out, V a0, V a1, V a2, V a3) {
  const V b0 = hn::InterleaveLower(d, a0, a2), c0 = hn::InterleaveUpper(d, a0, a2);
  const V b1 = hn::InterleaveLower(d, a1, a3), c1 = hn::InterleaveUpper(d, a1, a3);
  Network<kFirst>(d, out, b0, b1);
  if (out.Wants(kFirst + 2)) Network<kFirst + 2>(d, out, c0, c1);
}
template <int64_t kFirst, class D, class V, class Out>
HWY_INLINE void Network(D d, const Out& out, V a0, V a1, V a2, V a3, V a4, V a5, V a6, V a7) {
  const V b0 = hn::InterleaveLower(d, a0, a4), c0 = hn::InterleaveUpper(d, a0, a4);
  const V b1 = hn::InterleaveLower(d, a1, a5), c1 = hn::InterleaveUpper(d, a1, a5);
  const V b2 = hn::InterleaveLower(d, a2, a6), c2 = hn::InterleaveUpper(d, a2, a6);
  const V b3 = hn::InterleaveLower(d, a3, a7), c3 = hn::InterleaveUpper(d, a3, a7);
  Network<kFirst>(d, out, b0, b1, b2, b3);
  if (out.Wants(kFirst + 4)) Network<kFirst + 4>(d, out, c0, c1, c2, c3);
}

// Rows i and i + kDistance, interleaved.
template <int64_t kDistance, class D, class In, class V>
HWY_INLINE void LoadPair(D d, const In& in, int64_t i, V& lower, V& upper) {
  const V a = in.Load(d, i);
  const V b = in.Load(d, i + kDistance);
  lower = hn::InterleaveLower(d, a, b);
  upper = hn::InterleaveUpper(d, a, b);
}

// Transposes MaxLanes(d) rows by L columns.
template <class D, class In, class Out>
HWY_INLINE void MicroTile(D d, const In& in, const Out& out) {
  constexpr int64_t kLanes = kBlockLanes<hn::TFromD<D>>;
  using V = hn::VFromD<D>;
  if constexpr (kLanes == 2) {
    Network<0>(d, out, in.Load(d, 0), in.Load(d, 1));
  } else if constexpr (kLanes == 4) {
    Network<0>(d, out, in.Load(d, 0), in.Load(d, 1), in.Load(d, 2), in.Load(d, 3));
  } else if constexpr (kLanes == 8) {
    V a0, a1, a2, a3, b0, b1, b2, b3;
    LoadPair<4>(d, in, 0, a0, b0);
    LoadPair<4>(d, in, 1, a1, b1);
    LoadPair<4>(d, in, 2, a2, b2);
    LoadPair<4>(d, in, 3, a3, b3);
    Network<0>(d, out, a0, a1, a2, a3);
    if (out.Wants(4)) Network<4>(d, out, b0, b1, b2, b3);
  } else {
    V a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
    LoadPair<8>(d, in, 0, a0, b0);
    LoadPair<8>(d, in, 1, a1, b1);
    LoadPair<8>(d, in, 2, a2, b2);
    LoadPair<8>(d, in, 3, a3, b3);
    LoadPair<8>(d, in, 4, a4, b4);
    LoadPair<8>(d, in, 5, a5, b5);
    LoadPair<8>(d, in, 6, a6, b6);
    LoadPair<8>(d, in, 7, a7, b7);
    Network<0>(d, out, a0, a1, a2, a3, a4, a5, a6, a7);
    if (out.Wants(8)) Network<8>(d, out, b0, b1, b2, b3, b4, b5, b6, b7);
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_MICROTILE_INL_H_
