// SPDX-License-Identifier: Apache-2.0
// Families kUnzip and kUnzipAhead: pixels of C elements taken apart into a few columns.
//
// C = 2, 3, 4: Highway's LoadInterleaved, whole vectors on both sides, but of 3 small elements three-inl.h, and of most
// others by vectors of a line blends-inl.h. More elements, as zip-inl.h does with most counts: a microtile that is
// partly empty, of whole blocks, of which only the first C elements are the pixel's, or of pairs of pixels of up to 8
// bytes. Planes that begin within a line are put on lines as kTile's columns are (an image of 50176 pixels of 3 floats
// 3.6 -> 1.2 times a copy).
//
// Each column is a stream of stores of its own, and a store to a line that L1 does not have holds up those of the
// others. So beyond L1 lines are asked for before they are written (200 boxes of 49 pixels of 3 floats 2.5 -> 1.3 times
// a copy; with vectors of 32 bytes, which write each line twice, the image of 3 floats 1.8 -> 1.1). Vectors that
// fill whole lines of the planes need none of it.
#if defined(DIMORDER_KERNELS_UNZIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_UNZIP_INL_H_
#undef DIMORDER_KERNELS_UNZIP_INL_H_
#else
#define DIMORDER_KERNELS_UNZIP_INL_H_
#endif

#include "kernels/zip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Whether pixels of kC elements are taken apart as whole vectors, by UnzipVector().
template <int kC, class D>
constexpr bool kUnzipsWhole = kC <= 4 || kUnzipsByBlends<kC, D>;

// As many pixels of kC elements as a vector has elements: hands a vector of each element to `out`.
template <int kC, class D, class Out>
HWY_INLINE void UnzipVector(D d, const hn::TFromD<D>* HWY_RESTRICT src, const Out& out) {
  if constexpr (kUnzipsByBlends<kC, D>) {
    UnzipByBlends<kC>(d, src, out);
  } else {
    hn::VFromD<D> a, b, c, e;
    if constexpr (kC == 2) hn::LoadInterleaved2(d, src, a, b);
    if constexpr (kC == 3) DeinterleaveThree(d, src, a, b, c);
    if constexpr (kC == 4) hn::LoadInterleaved4(d, src, a, b, c, e);
    out.Store(d, 0, a);
    out.Store(d, 1, b);
    if constexpr (kC >= 3) out.Store(d, 2, c);
    if constexpr (kC >= 4) out.Store(d, 3, e);
  }
}

// Asks for the lines two behind those at `columns`; where columns end, in vain.
template <int kC>
HWY_INLINE void AskAhead(const StoreColumns& columns) {
  for (int c = 0; c < kC; ++c) hwy::Prefetch(columns.dst + c * columns.os + 2 * kLineBytes);
}

template <int kC, bool kAsks, class D, class T = hn::TFromD<D>>
HWY_INLINE void UnzipVectors(D d, const uint8_t* src, uint8_t* HWY_RESTRICT dst, const Box& box) {
  const int64_t os = box.inner[1].os;
  // Left to itself gcc does not inline this for blends.
  ForEachVector(
      box.inner[0].n, static_cast<int64_t>(hn::Lanes(d)), [&](int64_t i) __attribute__((always_inline)) {
        const StoreColumns out = {dst + i * static_cast<int64_t>(sizeof(T)), os};
        if constexpr (kAsks) AskAhead<kC>(out);
        UnzipVector<kC>(d, reinterpret_cast<const T*>(src) + i * kC, out);
      });
}

// Pixels that one block is loaded for, and what it has of those behind them.
template <int64_t kPixel>
inline constexpr int64_t kPixelsOfBlock = kPixel <= 8 ? 2 : 1;
template <int64_t kPixel>
inline constexpr int64_t kBytesBeyond = 16 - kPixel* kPixelsOfBlock<kPixel>;

// Rows of a microtile that a function loads.
template <class Function>
struct LoadedRows {
  const Function& load;

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D /*d*/, int64_t i) const {
    return load(i);
  }
};

// Pixels of more elements: blocks of them, the last from `last_block`. Loads kBytesBeyond too many.
//
// Pixels of up to 8 bytes: vector i takes the pixels 2 * i and 2 * i + 1 of each 16, spread so that bytes of one
// channel stand side by side; three steps of the network, where single pixels need four, then make a vector of each
// channel, with the even pixels before the odd ones.
template <int kC, class D, class Out>
HWY_INLINE void UnzipTile(D d, const uint8_t* HWY_RESTRICT src, const uint8_t* HWY_RESTRICT last_block,
                          const Out& channels) {
  using T = hn::TFromD<D>;
  constexpr int64_t kPixel = kC * sizeof(T);
  constexpr int64_t kLast = kBlockLanes<T> / kPixelsOfBlock<kPixel> - 1;
  using Columns = SomeColumns<0, kC, Out>;
  const Columns out = {channels};
  const auto load = [&](int64_t i) {
    return LoadBlocksAt(d, [=](int64_t k) {
      const uint8_t* block = src + (kPixelsOfBlock<kPixel> * i + kBlockLanes<T> * k) * kPixel;
      return i == kLast && k == kBlocks<D> - 1 ? last_block : block;
    });
  };
  if constexpr (kPixel <= 8) {
    static_assert(sizeof(T) == 1);
    const auto pair = [&](int64_t i) { return LookUp(d, load(i), kPairTables<kPixel>.spread); };
    Network<0>(d, LookUpThenStore<Columns>{out, kPairTables<kPixel>.order}, pair(0), pair(1), pair(2), pair(3), pair(4),
               pair(5), pair(6), pair(7));
  } else {
    MicroTile(d, LoadedRows<decltype(load)>{load}, out);
  }
}

template <int kC, class D, class Out>
HWY_INLINE void UnzipTile(D d, const uint8_t* src, const Out& channels) {
  constexpr int64_t kPixel = kC * sizeof(hn::TFromD<D>);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  UnzipTile<kC>(d, src, src + kPixel * (lanes - kPixelsOfBlock<kPixel>), channels);
}

// The same, without a byte too many: what the last block holds is loaded from where it ends.
template <int kC, class D, class Out>
HWY_INLINE void UnzipLastTile(D d, const uint8_t* src, const Out& channels) {
  constexpr int64_t kPixel = kC * sizeof(hn::TFromD<D>);
  const uint8_t* const end = src + static_cast<int64_t>(hn::Lanes(d)) * kPixel;
  if constexpr (kBytesBeyond<kPixel> == 0) {
    UnzipTile<kC>(d, src, end - 16, channels);
  } else {
    const BlockTag<uint8_t> block;
    HWY_ALIGN uint8_t last[16];
    hn::Store(hn::ShiftRightBytes<kBytesBeyond<kPixel>>(block, hn::LoadU(block, end - 16)), block, last);
    UnzipTile<kC>(d, src, last, channels);
  }
}

// C < L <= n. Box: n rows of C contiguous elements, C columns.
template <int kC, bool kAsks, class D>
HWY_INLINE void UnzipBlocksBy(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  constexpr int64_t kPixel = kC * kSize;
  constexpr int64_t kBeyond = (kBytesBeyond<kPixel> + kPixel - 1) / kPixel;
  const int64_t os = box.inner[1].os;
  const auto columns = [&](int64_t i) { return StoreColumns{dst + i * kSize, os}; };
  const auto tile = [&](int64_t i) {
    if constexpr (kAsks) AskAhead<kC>(columns(i));
    UnzipTile<kC>(d, src + i * kPixel, columns(i));
  };
  const auto last_tile = [&](int64_t i) { UnzipLastTile<kC>(d, src + i * kPixel, columns(i)); };
  ForEachTile(box.inner[0].n, static_cast<int64_t>(hn::Lanes(d)), kBeyond, tile, last_tile);
}

template <int kC, bool kAsks, class T>
HWY_NOINLINE void UnzipBlocks(const uint8_t* src, uint8_t* dst, const Box& box) {
  WithFilled(WideTag<T>(), box.inner[0].n, [&](auto d) {
    if constexpr (kUnzipsWhole<kC, decltype(d)>) {
      UnzipVectors<kC, kAsks>(d, src, dst, box);
    } else {
      UnzipBlocksBy<kC, kAsks>(d, src, dst, box);
    }
  });
}

// The fewest pixels that masks take apart. (12 to 14 bytes took 0.76 to 0.97 of the time, but up to 1.1 where they fill
// less than half a vector.)
template <int kC, class T>
constexpr int64_t kFewestUnzipped = kC <= 11 ? kBlockLanes<T> : kFewestBlended<T>;

// As WithZip(), for boxes that are taken apart.
template <class T, bool kAsks, class Use>
HWY_INLINE void WithUnzip(const Box& box, const Use& use) {
  if (box.inner[0].n < kBlockLanes<T>) return use(&Small<T>);
  WithCount<T>(box.inner[1].n, [&](auto count) {
    constexpr int kC = decltype(count)::value;
    if constexpr (kUnzipsFew<kC, T> && IsUnzipCount(kC, sizeof(T))) {
      const int64_t n = box.inner[0].n;
      if (n >= kFewestUnzipped<kC, T> && n < static_cast<int64_t>(hn::Lanes(WideTag<T>()))) {
        return use([](const uint8_t* s, uint8_t* t, const Box& b) { UnzipFew<kC, T>(s, t, b); });
      }
    }
    if constexpr (kC <= 4) {
      const auto vectors = [&](auto d) {
        use([d](const uint8_t* s, uint8_t* t, const Box& b) { UnzipVectors<kC, kAsks>(d, s, t, b); });
      };
      WithFilled(WideTag<T>(), box.inner[0].n, vectors);
    } else if constexpr (IsUnzipCount(kC, sizeof(T))) {
      use(&UnzipBlocks<kC, kAsks, T>);
    }
  });
}

template <class T>
HWY_NOINLINE void UnzipBox(const uint8_t* src, uint8_t* dst, const Box& box) {
  WithUnzip<T, false>(box, [&](const auto& move) { move(src, dst, box); });
}

template <class T, bool kAsks>
void Unzip(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  if (kAsks && kWideBlocks<T> == 4 && OnLines(dst, args)) return Unzip<T, false>(src, dst, args);
  WithUnzip<T, kAsks>(args, [&](const auto& move) {
    ForEachBox(src, dst, args, [&](const uint8_t* s, uint8_t* d, const Box& box) { PeelBox<T>(s, d, box, move); });
  });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_UNZIP_INL_H_
