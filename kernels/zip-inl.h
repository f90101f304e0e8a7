// SPDX-License-Identifier: Apache-2.0
// Families kZip and kZipAhead: a few rows interleaved into pixels of C elements.
//
// Where a vector is a line, most pixels that are not woven go by blends (blends-inl.h). Without:
//
// C = 2, 3, 4: Highway's StoreInterleaved, whole vectors on both sides, but of 3 small elements three-inl.h. Pixels of
// 8 and 16 elements are woven (weave-inl.h), those of 4, too, where vectors have several blocks; 12 elements are three
// times 4 that are (of 1 byte 2.9 -> 1.4 times a copy in L2, of 2 bytes 5.3 -> 2.5). Of 4 bytes, 5 elements have a way
// of their own (five-inl.h), and 6 are three times 2 (in L1 6 -> 3 times a copy, beyond the caches 2.1 -> 1.1).
//
// What is left, as long as a pixel is shorter than a block of 16 bytes: a microtile that is partly empty, whose whole
// blocks are stored at ascending pixels, so that each pixel's end is overwritten by the next one. Two pixels of up to 8
// bytes share a block, which saves a step of the network and half of its vectors at the price of one table lookup for
// each. The last of a box have no room for that: a tile that ends with them overlaps the others, and its last store is
// exact.
//
// Pixels of more than four elements are read from too many rows for a core to read ahead in the destination, too, and
// stores that cross lines wait for both. So beyond L1 lines are asked for before they are written (on Emerald Rapids,
// 4000 to 65536 pixels of twelve kinds by vectors of 32 bytes in 0.54 to 1.09 of the time, 0.75 in the mean; by 64
// bytes 9 and 15 elements of 1 byte in 0.73 to 0.8, others 0.66 to 1.14).
#if defined(DIMORDER_KERNELS_ZIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_ZIP_INL_H_
#undef DIMORDER_KERNELS_ZIP_INL_H_
#else
#define DIMORDER_KERNELS_ZIP_INL_H_
#endif

#include <type_traits>

#include "kernels/blend-boxes-inl.h"
#include "kernels/five-inl.h"
#include "kernels/pixel-inl.h"
#include "kernels/three-inl.h"
#include "kernels/weave-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Whether pixels of kC elements are woven. (Of 4, where there is something to be dealt.)
template <int kC, class T>
constexpr bool kWeaves = kC * sizeof(T) <= 16 && (kC == 8 || kC == 16 || (kC == 4 && kWideBlocks<T> > 1));

// Whether they are made as whole vectors from whole vectors, by ZipWhole().
template <int kC, class D, class T = hn::TFromD<D>>
constexpr bool kZipsWhole = kC <= 4 || kC == 12 || kWeaves<kC, T> ||
                            ((kC == 5 || kC == 6) && sizeof(T) == 4) || kZipsByBlends<kC, D>;

// 12 rows: fours of them are woven to elements four times as wide.
template <class D, class Row, class T = hn::TFromD<D>>
HWY_INLINE void ZipTwelve(D d, const Row& row, T* HWY_RESTRICT dst) {
  const hn::RepartitionToWide<hn::RepartitionToWide<D>> fours;
  using Four = hn::TFromD<decltype(fours)>;
  const size_t lanes = hn::Lanes(fours);
  HWY_ALIGN Four woven[3][4 * hn::MaxLanes(fours)];
  for (int64_t i = 0; i < 3; ++i) {
    WeaveTile<4>(
        d, [&](int64_t c) { return row(4 * i + c); }, reinterpret_cast<T*>(woven[i]));
  }
  Four* HWY_RESTRICT to = reinterpret_cast<Four*>(dst);
  for (size_t i = 0; i < 4 * lanes; i += lanes) {
    const auto a = hn::Load(fours, woven[0] + i), b = hn::Load(fours, woven[1] + i), c = hn::Load(fours, woven[2] + i);
    hn::StoreInterleaved3(a, b, c, fours, to + 3 * i);
  }
}

// 6 rows: twos of them are interleaved to elements twice as wide.
template <class D, class Row, class T = hn::TFromD<D>>
HWY_INLINE void ZipSix(D d, const Row& row, T* HWY_RESTRICT dst) {
  const hn::RepartitionToWide<D> twos;
  using Two = hn::TFromD<decltype(twos)>;
  const size_t lanes = hn::Lanes(twos);
  HWY_ALIGN Two pairs[3][2 * hn::MaxLanes(twos)];
  for (int64_t i = 0; i < 3; ++i) {
    hn::StoreInterleaved2(row(2 * i), row(2 * i + 1), d, reinterpret_cast<T*>(pairs[i]));
  }
  Two* HWY_RESTRICT to = reinterpret_cast<Two*>(dst);
  for (size_t i = 0; i < 2 * lanes; i += lanes) {
    const auto a = hn::Load(twos, pairs[0] + i), b = hn::Load(twos, pairs[1] + i), c = hn::Load(twos, pairs[2] + i);
    hn::StoreInterleaved3(a, b, c, twos, to + 3 * i);
  }
}

// As many pixels as a vector has elements, from row(0) to row(kC - 1).
template <int kC, class D, class Row, class T = hn::TFromD<D>>
HWY_INLINE void ZipWhole(D d, const Row& row, T* HWY_RESTRICT dst) {
  if constexpr (kZipsByBlends<kC, D>) {
    ZipByBlends<kC>(d, row, dst);
  } else if constexpr (kC == 2) {
    hn::StoreInterleaved2(Pinned(row(0)), Pinned(row(1)), d, dst);
  } else if constexpr (kC == 3) {
    InterleaveThree(d, row(0), row(1), row(2), dst);
  } else if constexpr (kC == 5) {
    InterleaveFive(d, row, dst);
  } else if constexpr (kC == 6) {
    ZipSix(d, row, dst);
  } else if constexpr (kC == 12) {
    ZipTwelve(d, row, dst);
  } else if constexpr (kWeaves<kC, T>) {
    WeaveTile<kC>(d, row, dst);
  } else {
    static_assert(kC == 4);
    hn::StoreInterleaved4(row(0), row(1), row(2), row(3), d, dst);
  }
}

// The same from rows `is` bytes apart.
template <int kC, class D, class T = hn::TFromD<D>>
HWY_INLINE void ZipVector(D d, const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst) {
  const auto row = [&](int64_t c) { return hn::LoadU(d, reinterpret_cast<const T*>(src + c * is)); };
  ZipWhole<kC>(d, row, reinterpret_cast<T*>(dst));
}

template <int kC, bool kAsks, class D>
HWY_INLINE void ZipVectors(D d, const uint8_t* src, int64_t is, uint8_t* dst, int64_t n) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  // Left to itself gcc does not inline this for blends.
  ForEachVector(
      n, static_cast<int64_t>(hn::Lanes(d)), [&](int64_t i) __attribute__((always_inline)) {
        uint8_t* const to = dst + i * kC * kSize;
        if constexpr (kAsks) AskPixelsAhead<kC * kSize * hn::MaxLanes(D())>(to);
        ZipVector<kC>(d, src + i * kSize, is, to);
      });
}

// The same, with all vectors but the first ones on lines where pixels allow it: 65536 pixels of 4 bytes 2.2 -> 1.05
// times a copy. (Of 3 bytes 1.1 -> 1.4: then it is the rows that cross lines.)
template <int kC, bool kAsks, class D>
HWY_NOINLINE void ZipOnLines(const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  constexpr int64_t kPixel = kC * kSize;
  const D d;
  const int64_t is = box.inner[0].is;
  const int64_t n = box.inner[1].n;
  const auto to_line = static_cast<int64_t>(BytesToLine(dst));
  const int64_t peeled = to_line % kPixel == 0 ? to_line / kPixel : 0;
  if (peeled > 0) ZipVectors<kC, kAsks>(d, src, is, dst, HWY_MAX(peeled, static_cast<int64_t>(hn::Lanes(d))));
  ZipVectors<kC, kAsks>(d, src + peeled * kSize, is, dst + peeled * kPixel, n - peeled);
}

// kStores blocks kBytes apart, which are pixels, or pairs of them, that are shorter than a block but longer than half
// of one: in ascending order, so that what one store has too much is overwritten by the next. With kExact, the last one
// has nothing too much.
template <int64_t kBytes, int64_t kStores, bool kExact>
struct AscendingBlocks {
  uint8_t* dst;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t i, V v) const {
    uint8_t* const to = dst + i * kBytes;
    if constexpr (kExact) {
      if (i == kStores - 1) return StoreBlocksCut<kBytes>(d, v, to, kBytes);
    }
    hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
  }
};

// The same of kStores vectors that make(out) hands to `out`: the first blocks of all, then the second ones and so on.
// (Stored as each vector was made, blocks went to different lines in turn. On Zen 4, where stores to one line are
// faster if they follow each other, 5 to 7 rows of 2 bytes took up to 1.15 times as long by gcc, 1.4 to 1.5 times by
// clang.)
template <int64_t kBytes, int64_t kStores, bool kExact, class D, class Make>
HWY_INLINE void StoreAscending(D d, uint8_t* dst, const Make& make) {
  if constexpr (kBlocks<D> == 1) {
    make(AscendingBlocks<kBytes, kStores, kExact>{dst});
  } else {
    using V = hn::VFromD<D>;
    V vectors[kStores];
    make(KeepColumns<V>{vectors});
    ForEachConstant<kBlocks<D>>([&](auto block) __attribute__((always_inline)) {
      constexpr bool kCuts = kExact && block == kBlocks<D> - 1;
      const AscendingBlocks<kBytes, kStores, kCuts> out = {dst + block * kStores * kBytes};
      ForEachConstant<kStores>([&](auto i) __attribute__((always_inline)) {
        out.Store(BlockTag<hn::TFromD<D>>(), i, BlockOf<block>(d, vectors[i]));
      });
    });
  }
}

// Where the pairs of pixels of kPixel <= 8 bytes are in 16 bytes, and where they should be.
template <int kPixel>
struct PairTables {
  constexpr PairTables() {
    for (int i = 0; i < 16; ++i) {
      close_up[i] = static_cast<uint8_t>(i < kPixel ? i : HWY_MIN(i - kPixel + 8, 15));
      spread[i] = static_cast<uint8_t>(HWY_MIN(i % 2 * kPixel + i / 2, 15));
      order[i] = static_cast<uint8_t>(i % 2 * 8 + i / 2);
    }
  }

  alignas(16) uint8_t close_up[16] = {};  // from 8 bytes a pixel to adjoining ones
  alignas(16) uint8_t spread[16] = {};    // from adjoining pixels to one byte of each in turn
  alignas(16) uint8_t order[16] = {};     // from the even pixels and then the odd ones of 16 to all in order
};
template <int kPixel>
constexpr PairTables<kPixel> kPairTables = PairTables<kPixel>();

// What a table makes of a vector goes to `out`.
template <class Out>
struct LookUpThenStore {
  const Out& out;
  const uint8_t* table;  // 16 places in a block

  static constexpr bool Wants(int64_t column) { return Out::Wants(column); }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    out.Store(d, column, LookUp(d, v, table));
  }
};

// As many pixels of kC elements as a vector has elements, from kC rows. Stores up to 15 bytes too many, unless
// kExact.
template <int kC, bool kExact = false, class D>
HWY_INLINE void ZipTile(D d, const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst) {
  using T = hn::TFromD<D>;
  constexpr int64_t kPixel = kC * sizeof(T);
  constexpr int64_t kStores = kBlockLanes<T>;
  const FewRows in = {src, is, kC};
  if constexpr (kPixel <= 8) {
    static_assert(sizeof(T) == 1);
    StoreAscending<2 * kPixel, kStores / 2, kExact>(
        d, dst, [&](const auto& pairs) __attribute__((always_inline)) {
          const LookUpThenStore<std::decay_t<decltype(pairs)>> closed_up = {pairs, kPairTables<kPixel>.close_up};
          Network<0>(d, closed_up, in.Load(d, 0), in.Load(d, 1), in.Load(d, 2), in.Load(d, 3), in.Load(d, 4),
                     in.Load(d, 5), in.Load(d, 6), in.Load(d, 7));
        });
  } else {
    StoreAscending<kPixel, kStores, kExact>(
        d, dst, [&](const auto& pixels) __attribute__((always_inline)) { MicroTile(d, in, pixels); });
  }
}

// Pixels at the end of many for which a 16-byte access to them would overrun.
constexpr int64_t OverrunPixels(int64_t pixel) { return (16 + pixel - 1) / pixel - 1; }

// Calls tile(i) for pixels from i on, as many of the n as there are `lanes`, where `overrun` more follow, and
// last_tile(i) for the others; the last ones overlap. n >= lanes.
template <class Tile, class LastTile>
HWY_INLINE void ForEachTile(int64_t n, int64_t lanes, int64_t overrun, const Tile& tile, const LastTile& last_tile) {
  int64_t i = 0;
  for (; i + lanes + overrun <= n; i += lanes) tile(i);
  for (; i < n; i += lanes) {
    i = HWY_MIN(i, n - lanes);
    last_tile(i);
  }
}

// C < L <= n. Box: C rows, n columns of C contiguous elements.
template <int kC, bool kAsks, class D>
HWY_INLINE void ZipBlocksBy(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  constexpr int64_t kPixel = kC * kSize;
  const int64_t is = box.inner[0].is;
  const auto tile = [&](int64_t i) {
    if constexpr (kAsks) AskPixelsAhead<kPixel * hn::MaxLanes(D())>(dst + i * kPixel);
    ZipTile<kC>(d, src + i * kSize, is, dst + i * kPixel);
  };
  const auto last_tile = [&](int64_t i) { ZipTile<kC, true>(d, src + i * kSize, is, dst + i * kPixel); };
  ForEachTile(box.inner[1].n, static_cast<int64_t>(hn::Lanes(d)), OverrunPixels(kPixel), tile, last_tile);
}

template <int kC, bool kAsks, class T>
HWY_NOINLINE void ZipBlocks(const uint8_t* src, uint8_t* dst, const Box& box) {
  WithFilled(WideTag<T>(), box.inner[1].n, [&](auto d) {
    if constexpr (kZipsWhole<kC, decltype(d)>) {
      ZipVectors<kC, kAsks>(d, src, box.inner[0].is, dst, box.inner[1].n);
    } else {
      ZipBlocksBy<kC, kAsks>(d, src, dst, box);
    }
  });
}

// Calls function(C) for the C that equals `count`, a constant, so that networks leave out what no pixel has: 1.6 times
// as fast as asking for each column.
template <class T, int kC = 2, class Function>
HWY_INLINE void WithCount(int64_t count, const Function& function) {
  if constexpr (IsZipCount(kC, sizeof(T))) {
    if (count == kC) return function(std::integral_constant<int, kC>());
  }
  if constexpr (kC < kMostZipped) WithCount<T, kC + 1>(count, function);
}

// WithZip() of pixels that are made as whole vectors.
template <int kC, bool kAsks, class T, class Use>
HWY_INLINE void WithWholeZip(const Box& box, const Use& use) {
  constexpr int64_t kPixel = kC * sizeof(T);
  const int64_t n = box.inner[1].n;
  const bool peels = kLineBytes % kPixel == 0 && n * kPixel >= kMinPeeledBytes;
  const auto vectors = [&](auto d) {
    if (peels) return use(&ZipOnLines<kC, kAsks, decltype(d)>);
    use([d](const uint8_t* s, uint8_t* t, const Box& b) {
      ZipVectors<kC, kAsks>(d, s, b.inner[0].is, t, b.inner[1].n);
    });
  };
  WithFilled(WideTag<T>(), n, vectors);
}

// The fewest pixels that masks move. (5 floats took up to 1.9 times as long where they fill no more than half.)
template <int kC, class T>
constexpr int64_t kFewestZipped = kC == 5 && sizeof(T) == 4 ? kFewestBlended<T> : kBlockLanes<T>;

// Calls use(move) with the move(src, dst, box) that interleaves boxes of the size of `box`.
template <class T, bool kMayAsk, class Use>
HWY_INLINE void WithZip(const Box& box, const Use& use) {
  if (box.inner[1].n < kBlockLanes<T>) return use(&Small<T>);
  WithCount<T>(box.inner[0].n, [&](auto count) {
    constexpr int kC = decltype(count)::value;
    constexpr bool kAsks = kMayAsk && kC > kFewZippedRows;
    if constexpr (kZipsFew<kC, T>) {
      const int64_t n = box.inner[1].n;
      if (n >= kFewestZipped<kC, T> && n < static_cast<int64_t>(hn::Lanes(WideTag<T>()))) {
        return use([](const uint8_t* s, uint8_t* t, const Box& b) { ZipFew<kC, T>(s, t, b); });
      }
    }
    if constexpr (kZipsWhole<kC, BlockTag<T>>) {
      WithWholeZip<kC, kAsks, T>(box, use);
    } else {
      use(&ZipBlocks<kC, kAsks, T>);
    }
  });
}

template <class T>
HWY_NOINLINE void ZipBox(const uint8_t* src, uint8_t* dst, const Box& box) {
  WithZip<T, false>(box, [&](const auto& move) { move(src, dst, box); });
}

template <class T, bool kAsks>
void Zip(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  WithZip<T, kAsks>(args, [&](const auto& move) { ForEachBox(src, dst, args, move); });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ZIP_INL_H_
