// SPDX-License-Identifier: Apache-2.0
// Families kZip and kUnzip: a few rows interleaved into pixels of C elements, and pixels taken apart.
//
// C = 2, 3, 4: Highway's StoreInterleaved and LoadInterleaved, whole vectors on both sides. Above, as long as a pixel
// is shorter than a block of 16 bytes, a microtile that is partly empty: zip stores whole blocks at ascending pixels,
// so that each pixel's end is overwritten by the next one; unzip loads whole blocks, of which only the first C elements
// are the pixel's. Two pixels of up to 8 bytes share a block, which saves a step of the network and half of its vectors
// at the price of one table lookup for each. The last pixels of a box have no room for any of that and go one by one.
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
  const auto row = [&](int c, int64_t i) {
    return hn::LoadU(d, reinterpret_cast<const T*>(box.src + c * box.inner[0].is) + i);
  };
  T* HWY_RESTRICT dst = reinterpret_cast<T*>(box.dst);
  ForEachVector(box.inner[1].n, static_cast<int64_t>(hn::Lanes(d)), [&](int64_t i) {
    if constexpr (kC == 2) hn::StoreInterleaved2(row(0, i), row(1, i), d, dst + i * kC);
    if constexpr (kC == 3) hn::StoreInterleaved3(row(0, i), row(1, i), row(2, i), d, dst + i * kC);
    if constexpr (kC == 4) hn::StoreInterleaved4(row(0, i), row(1, i), row(2, i), row(3, i), d, dst + i * kC);
  });
}

template <int kC, class D, class T = hn::TFromD<D>>
HWY_INLINE void UnzipVectors(D d, const Box& box) {
  const T* HWY_RESTRICT src = reinterpret_cast<const T*>(box.src);
  const auto store = [&](int c, int64_t i, hn::VFromD<D> v) {
    hn::StoreU(v, d, reinterpret_cast<T*>(box.dst + c * box.inner[1].os) + i);
  };
  ForEachVector(box.inner[0].n, static_cast<int64_t>(hn::Lanes(d)), [&](int64_t i) {
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

// Stores of pixels that are shorter than a block, in ascending order, so that what one store has too much is
// overwritten by the next. Vectors of several blocks, which hold pixels from several places, wait until all are there.
template <class T>
class AscendingStores {
 public:
  // `bytes` of each block count.
  HWY_INLINE AscendingStores(uint8_t* dst, int64_t bytes, uint8_t* waiting)
      : dst_(dst), bytes_(bytes), waiting_(waiting) {}

  // Room for the blocks that wait, of `stores` stores.
  static constexpr int64_t WaitingBytes(int64_t stores) { return kWideBlocks<T> * stores * 16; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t i, V v) const {
    if constexpr (kWideBlocks<T> == 1) {
      hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(dst_ + i * bytes_));
    } else {
      StoreBlocks(d, v, waiting_ + i * 16, kBlockLanes<T> * 16);
    }
  }

  // Stores what waits: `stores` blocks of each place.
  HWY_INLINE void Finish(int64_t stores) const {
    if constexpr (kWideBlocks<T> == 1) return;
    for (int64_t k = 0; k < kWideBlocks<T>; ++k) {
      for (int64_t i = 0; i < stores; ++i) {
        memcpy(dst_ + (k * stores + i) * bytes_, waiting_ + (k * kBlockLanes<T> + i) * 16, 16);
      }
    }
  }

 private:
  uint8_t* HWY_RESTRICT dst_;
  int64_t bytes_;
  uint8_t* HWY_RESTRICT waiting_;
};

// Makes pairs of pixels of 8 bytes, of which the first C count, adjoin.
template <class Out>
struct PixelPairs {
  const Out& out;
  const uint8_t* close_up;  // 16 places in a block

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t pair, V v) const {
    out.Store(d, pair, hn::TableLookupBytes(v, hn::LoadDup128(d, close_up)));
  }
};

// C < L. Box: C rows, n columns of C contiguous elements.
template <class T>
HWY_INLINE void ZipBlocks(const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kStores = kBlockLanes<T>;
  const WideTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const bool pairs = kSize == 1 && box.inner[0].n <= 8;
  HWY_ALIGN uint8_t close_up[16];
  for (int64_t i = 0; i < 16; ++i) {
    close_up[i] = static_cast<uint8_t>(i < box.inner[0].n ? i : HWY_MIN(i - box.inner[0].n + 8, int64_t{15}));
  }
  HWY_ALIGN uint8_t waiting[AscendingStores<T>::WaitingBytes(kStores)];
  const int64_t whole = (box.inner[1].n - OverrunPixels(box.inner[1].n, box.inner[1].os)) / lanes * lanes;
  for (int64_t i = 0; i < whole; i += lanes) {
    const FewRows<T> in = {box.src + i * kSize, box.inner[0].is, box.inner[0].n, 16};
    const AscendingStores<T> out(box.dst + i * box.inner[1].os, pairs ? 2 * box.inner[1].os : box.inner[1].os, waiting);
    if (pairs) {
      const PixelPairs<AscendingStores<T>> pair_out = {out, close_up};
      if constexpr (kSize == 1) {
        Network<0>(d, pair_out, in.Load(d, 0), in.Load(d, 1), in.Load(d, 2), in.Load(d, 3), in.Load(d, 4),
                   in.Load(d, 5), in.Load(d, 6), in.Load(d, 7));
      }
      out.Finish(kStores / 2);
    } else {
      MicroTile(d, in, out);
      out.Finish(kStores);
    }
  }
  Small<T>(MakeBox(box.src + whole * kSize, box.inner[0].is, box.inner[0].n, box.dst + whole * box.inner[1].os,
                   box.inner[1].os, box.inner[1].n - whole, 1));
}

// Pairs of pixels of C <= 8 bytes: where the network wants their bytes, and where it leaves those of 16 pixels.
struct UnzipTables {
  HWY_INLINE explicit UnzipTables(int64_t pixel) {
    for (int64_t i = 0; i < 16; ++i) {
      spread[i] = static_cast<uint8_t>(HWY_MIN(i % 2 * pixel + i / 2, int64_t{15}));
      order[i] = static_cast<uint8_t>(i % 2 * 8 + i / 2);
    }
  }

  HWY_ALIGN uint8_t spread[16];
  HWY_ALIGN uint8_t order[16];
};

struct OrderedColumns {
  const FirstColumns& out;
  const UnzipTables& tables;

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    out.Store(d, column, hn::TableLookupBytes(v, hn::LoadDup128(d, tables.order)));
  }
};

// As many pixels as a vector has bytes. Vector i takes the pixels 2 * i and 2 * i + 1 of each 16, spread so that bytes
// of one channel stand side by side; three steps of the network, where single pixels need four, then make a vector of
// each channel, with the even pixels before the odd ones.
template <class D>
HWY_INLINE void UnzipPairs(D d, const uint8_t* HWY_RESTRICT src, int64_t pixel, const UnzipTables& tables,
                           const FirstColumns& out) {
  const auto spread = hn::LoadDup128(d, tables.spread);
  const auto pair = [&](int64_t i) {
    return hn::TableLookupBytes(LoadBlocks(d, src + 2 * i * pixel, 16 * pixel), spread);
  };
  Network<0>(d, OrderedColumns{out, tables}, pair(0), pair(1), pair(2), pair(3), pair(4), pair(5), pair(6), pair(7));
}

// C < L. Box: n rows of C contiguous elements, C columns.
template <class T>
HWY_INLINE void UnzipBlocks(const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  const WideTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t whole = (box.inner[0].n - OverrunPixels(box.inner[0].n, box.inner[0].is)) / lanes * lanes;
  const UnzipTables tables(box.inner[1].n);
  for (int64_t i = 0; i < whole; i += lanes) {
    const uint8_t* src = box.src + i * box.inner[0].is;
    const FirstColumns out = {StoreColumns{box.dst + i * kSize, box.inner[1].os}, box.inner[1].n};
    if (kSize == 1 && box.inner[1].n <= 8) {
      if constexpr (kSize == 1) UnzipPairs(d, src, box.inner[0].is, tables, out);
    } else {
      MicroTile(d, SourceRows<T>{src, box.inner[0].is}, out);
    }
  }
  Small<T>(MakeBox(box.src + whole * box.inner[0].is, box.inner[0].is, box.inner[0].n - whole, box.dst + whole * kSize,
                   box.inner[1].os, box.inner[1].n, 1));
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
  if (box.inner[0].n == 2) return WithTag<T>(box.inner[1].n, box, [&](auto d) { ZipVectors<2>(d, box); });
  if (box.inner[0].n == 3) return WithTag<T>(box.inner[1].n, box, [&](auto d) { ZipVectors<3>(d, box); });
  if (box.inner[0].n == 4) return WithTag<T>(box.inner[1].n, box, [&](auto d) { ZipVectors<4>(d, box); });
  ZipBlocks<T>(box);
}

template <class T>
HWY_INLINE void UnzipBox(const Box& box) {
  if (box.inner[1].n == 2) return WithTag<T>(box.inner[0].n, box, [&](auto d) { UnzipVectors<2>(d, box); });
  if (box.inner[1].n == 3) return WithTag<T>(box.inner[0].n, box, [&](auto d) { UnzipVectors<3>(d, box); });
  if (box.inner[1].n == 4) return WithTag<T>(box.inner[0].n, box, [&](auto d) { UnzipVectors<4>(d, box); });
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
