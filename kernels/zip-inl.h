// SPDX-License-Identifier: Apache-2.0
// Families kZip and kUnzip: a few rows interleaved into pixels of C elements, and pixels taken apart.
//
// C = 2, 3, 4: Highway's StoreInterleaved and LoadInterleaved, whole vectors on both sides. Above, as long as a pixel
// is shorter than a block of 16 bytes, a tile that is partly empty: zip stores whole blocks at ascending pixels, so
// that each pixel's end is overwritten by the next one; unzip loads whole blocks, of which only the first C elements
// are the pixel's. The last pixels of a box have no room for that and go one by one.
#if defined(DIMORDER_KERNELS_ZIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_ZIP_INL_H_
#undef DIMORDER_KERNELS_ZIP_INL_H_
#else
#define DIMORDER_KERNELS_ZIP_INL_H_
#endif

#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Calls step(i) for i = 0, lanes, 2 * lanes, ... and once more, overlapping, for the ragged end. n >= lanes.
template <class Step>
HWY_INLINE void ForEachVector(int64_t n, int64_t lanes, const Step& step) {
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) step(i);
  if (i != n) step(n - lanes);
}

template <int kC, class D, class T = hn::TFromD<D>>
HWY_INLINE void ZipVectors(D d, const Box& box) {
  const auto row = [&](int c, int64_t i) { return hn::LoadU(d, reinterpret_cast<const T*>(box.src + c * box.is) + i); };
  T* HWY_RESTRICT dst = reinterpret_cast<T*>(box.dst);
  ForEachVector(box.cols, static_cast<int64_t>(hn::Lanes(d)), [&](int64_t i) {
    if constexpr (kC == 2) hn::StoreInterleaved2(row(0, i), row(1, i), d, dst + i * kC);
    if constexpr (kC == 3) hn::StoreInterleaved3(row(0, i), row(1, i), row(2, i), d, dst + i * kC);
    if constexpr (kC == 4) hn::StoreInterleaved4(row(0, i), row(1, i), row(2, i), row(3, i), d, dst + i * kC);
  });
}

template <int kC, class D, class T = hn::TFromD<D>>
HWY_INLINE void UnzipVectors(D d, const Box& box) {
  const T* HWY_RESTRICT src = reinterpret_cast<const T*>(box.src);
  const auto store = [&](int c, int64_t i, hn::VFromD<D> v) {
    hn::StoreU(v, d, reinterpret_cast<T*>(box.dst + c * box.os) + i);
  };
  ForEachVector(box.rows, static_cast<int64_t>(hn::Lanes(d)), [&](int64_t i) {
    hn::VFromD<D> a, b, c, e;
    if constexpr (kC == 2) hn::LoadInterleaved2(d, src + i * kC, a, b);
    if constexpr (kC == 3) hn::LoadInterleaved3(d, src + i * kC, a, b, c);
    if constexpr (kC == 4) hn::LoadInterleaved4(d, src + i * kC, a, b, c, e);
    store(0, i, a);
    store(1, i, b);
    if constexpr (kC >= 3) store(2, i, c);
    if constexpr (kC >= 4) store(3, i, e);
  });
}

// C < L rows of a block; the missing ones repeat the last.
template <class T>
struct ClampedRows {
  const uint8_t* HWY_RESTRICT src;
  int64_t is;
  int64_t rows;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return hn::LoadU(d, reinterpret_cast<const T*>(src + HWY_MIN(i, rows - 1) * is));
  }
};

// The first `cols` columns, stored whole.
struct FirstColumns {
  StoreColumns out;
  int64_t cols;

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    if (column < cols) out.Store(d, column, v);
  }
};

// Pixels at the end of `n` dense ones of `bytes` bytes that a 16-byte access to them would overrun.
HWY_INLINE int64_t OverrunPixels(int64_t n, int64_t bytes) { return HWY_MIN(n, (16 + bytes - 1) / bytes - 1); }

// C < L. Box: C rows, n columns of C contiguous elements.
template <class T>
HWY_INLINE void ZipBlocks(const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kLanes = kBlockLanes<T>;
  const int64_t whole = (box.cols - OverrunPixels(box.cols, box.os)) / kLanes * kLanes;
  for (int64_t i = 0; i < whole; i += kLanes) {
    MicroTile(BlockTag<T>(), ClampedRows<T>{box.src + i * kSize, box.is, box.rows},
              StoreColumns{box.dst + i * box.os, box.os});
  }
  Small<T>(Box{box.src + whole * kSize, box.dst + whole * box.os, box.rows, box.cols - whole, box.is, box.os, box.panel,
               nullptr, Pack::kNone});
}

// C < L. Box: n rows of C contiguous elements, C columns.
template <class T>
HWY_INLINE void UnzipBlocks(const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  const WideTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t whole = (box.rows - OverrunPixels(box.rows, box.is)) / lanes * lanes;
  for (int64_t i = 0; i < whole; i += lanes) {
    MicroTile(d, SourceRows<T>{box.src + i * box.is, box.is},
              FirstColumns{StoreColumns{box.dst + i * kSize, box.os}, box.cols});
  }
  Small<T>(Box{box.src + whole * box.is, box.dst + whole * kSize, box.rows - whole, box.cols, box.is, box.os, box.panel,
               nullptr, Pack::kNone});
}

// Calls vectors(d) with the widest tag of which `n` elements fill a vector.
template <class T, class Vectors>
HWY_INLINE void WithTag(int64_t n, const Box& box, const Vectors& vectors) {
  const WideTag<T> wide;
  if (n >= static_cast<int64_t>(hn::Lanes(wide))) return vectors(wide);
  if (n >= kBlockLanes<T>) return vectors(BlockTag<T>());
  Small<T>(box);
}

template <class T>
HWY_INLINE void ZipBox(const Box& box) {
  if (box.rows == 2) return WithTag<T>(box.cols, box, [&](auto d) { ZipVectors<2>(d, box); });
  if (box.rows == 3) return WithTag<T>(box.cols, box, [&](auto d) { ZipVectors<3>(d, box); });
  if (box.rows == 4) return WithTag<T>(box.cols, box, [&](auto d) { ZipVectors<4>(d, box); });
  ZipBlocks<T>(box);
}

template <class T>
HWY_INLINE void UnzipBox(const Box& box) {
  if (box.cols == 2) return WithTag<T>(box.rows, box, [&](auto d) { UnzipVectors<2>(d, box); });
  if (box.cols == 3) return WithTag<T>(box.rows, box, [&](auto d) { UnzipVectors<3>(d, box); });
  if (box.cols == 4) return WithTag<T>(box.rows, box, [&](auto d) { UnzipVectors<4>(d, box); });
  UnzipBlocks<T>(box);
}

template <class T>
void Zip(const KernelArgs& args) {
  ForEachBox(args, [](const Box& box) { ZipBox<T>(box); });
}

template <class T>
void Unzip(const KernelArgs& args) {
  ForEachBox(args, [](const Box& box) { UnzipBox<T>(box); });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ZIP_INL_H_
