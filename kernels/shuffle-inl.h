// SPDX-License-Identifier: Apache-2.0
// Family kShuffle: many transposes of a box of at most a line, which is dense on both sides: 3x3 matrices, say.
//
// A microtile would be mostly empty. Here a box is a few table lookups: each block of 16 bytes of the destination is
// joined from what it has of each block of the source; the boxes of a vector are as many as it has blocks. Where there
// is a permutation of whole vectors, one of those does it for all boxes that fit a vector, but for those that fill
// blocks, which adjoin. (3136 boxes of 3x3: floats 12.9 -> 2.0 times a copy in L2, bytes 44 -> 8, by blocks of those
// that adjoin 3, by permutations 1.1; 5000 of 2x2 bytes 55 -> 2.3. On Zen 4 permutations took 0.37 to 0.7 of the time
// of lookups for 43 kinds of boxes of bytes that adjoin, 0.46 to 1.06 for 26 that do not.)
#if defined(DIMORDER_KERNELS_SHUFFLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_SHUFFLE_INL_H_
#undef DIMORDER_KERNELS_SHUFFLE_INL_H_
#else
#define DIMORDER_KERNELS_SHUFFLE_INL_H_
#endif

#include "kernels/permute-inl.h"
#include "kernels/shuffle-blocks-inl.h"
#include "kernels/unzip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Calls move(src, dst) at each step of inner[3], for the boxes of inner[2], which it walks itself.
template <class Move>
HWY_INLINE void ForEachRowOfBoxes(const uint8_t* src, uint8_t* dst, const KernelArgs& args, const Move& move) {
  const Axis z = args.inner[3];
  for (int64_t k = 0; k < z.n; ++k) move(src + k * z.is, dst + k * z.os);
}

HWY_INLINE BlockTables TablesOfBox(int64_t rows, int64_t cols, int64_t element) {
  uint8_t source[kLineBytes] = {};
  ForEachElement(rows, cols, [&](int64_t d, int64_t s) {
    for (int64_t b = 0; b < element; ++b) source[d * element + b] = static_cast<uint8_t>(s * element + b);
  });
  return MakeBlockTables(source, rows * cols * element);
}

// Boxes of kCount blocks.
template <int64_t kCount>
class BoxShuffle {
 public:
  HWY_INLINE BoxShuffle(const BlockTables& tables, int64_t bytes) : tables_(tables), bytes_(bytes) {}

  // n boxes, as many at a time as a vector of D has blocks; the rest by shorter ones.
  template <class D>
  HWY_INLINE void Move(D d, const uint8_t* src, int64_t is, uint8_t* dst, int64_t os, int64_t n) const {
    for (; n >= kBlocks<D>; n -= kBlocks<D>) {
      MoveBoxes(d, src, is, dst, os);
      src += kBlocks<D> * is;
      dst += kBlocks<D> * os;
    }
    if constexpr (kBlocks<D> != 1) {
      if (n > 0) Move(hn::Half<D>(), src, is, dst, os, n);
    }
  }

 private:
  template <class D>
  HWY_INLINE void MoveBoxes(D d, const uint8_t* src, int64_t is, uint8_t* dst, int64_t os) const {
    const auto load = [&](int64_t block) {
      const uint8_t* from = src + PlaceOfBlock(block, bytes_);
      if constexpr (kCount == 1) {
        return LoadFirstOfBlocks(
            d, [=](int64_t k) { return from + k * is; }, static_cast<size_t>(bytes_));
      } else {
        return LoadBlocks(d, from, is);
      }
    };
    const auto a = load(0);
    if constexpr (kCount == 1) return StoreJoined<0>(d, dst, os, a);
    const auto b = load(1);
    if constexpr (kCount == 2) return StoreJoined<0>(d, dst, os, a, b);
    const auto c = load(2);
    if constexpr (kCount == 3) return StoreJoined<0>(d, dst, os, a, b, c);
    if constexpr (kCount == 4) StoreJoined<0>(d, dst, os, a, b, c, load(3));
  }

  // Destination blocks from kTo on.
  template <int64_t kTo, class D, class... V>
  HWY_INLINE void StoreJoined(D d, uint8_t* dst, int64_t os, V... blocks) const {
    const auto v = Join<kTo, 0>(d, blocks...);
    uint8_t* to = dst + PlaceOfBlock(kTo, bytes_);
    if constexpr (kCount == 1) {
      StoreFirstOfBlocks(
          d, v, [=](int64_t k) { return to + k * os; }, static_cast<size_t>(bytes_));
    } else {
      StoreBlocks(d, v, to, os);
    }
    if constexpr (kTo + 1 < kCount) StoreJoined<kTo + 1>(d, dst, os, blocks...);
  }

  // What destination block kTo has of source blocks from kFrom on.
  template <int64_t kTo, int64_t kFrom, class D, class V, class... Rest>
  HWY_INLINE V Join(D d, V block, Rest... rest) const {
    const V part = hn::TableLookupBytesOr0(block, hn::LoadDup128(d, tables_.to[kFrom][kTo]));
    if constexpr (sizeof...(rest) == 0) {
      return part;
    } else {
      return hn::Or(part, Join<kTo, kFrom + 1>(d, rest...));
    }
  }

  alignas(16) const BlockTables tables_;
  const int64_t bytes_;
};

// Calls use(move) with the move(src, dst, args) that shuffles boxes of at most a block that adjoin along inner[2].
template <class Use>
HWY_INLINE void WithBoxesInBlocks(const Box& box, int64_t element, const Use& use) {
  const BoxesInBlocks boxes(box.inner[0].n, box.inner[1].n, element);
  use([&](const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
    const int64_t bytes = args.inner[2].n * args.inner[2].os;
    ForEachRowOfBoxes(src, dst, args, [&](const uint8_t* s, uint8_t* d) { boxes.Move(s, d, bytes); });
  });
}

// The same for boxes of `bytes` bytes in kCount blocks, wherever they are.
template <int64_t kCount, class Use>
HWY_INLINE void WithBlocks(const BlockTables& tables, int64_t bytes, const Use& use) {
  const BoxShuffle<kCount> shuffle(tables, bytes);
  use([&](const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
    const BoxShuffle<kCount> boxes = shuffle;  // in registers, as far as there are: what is stored cannot change it
    const Axis y = args.inner[2];
    ForEachRowOfBoxes(src, dst, args,
                      [&](const uint8_t* s, uint8_t* d) { boxes.Move(WideTag<uint8_t>(), s, y.is, d, y.os, y.n); });
  });
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
// The first n elements of a vector, permuted. 1 <= n <= all of them.
template <class T>
HWY_INLINE void MovePermuted(__m512i from, const uint8_t* src, uint8_t* dst, int64_t n) {
  const uint64_t first = ~uint64_t{0} >> (64 - n);
  if constexpr (sizeof(T) == 1) {
    const auto mask = static_cast<__mmask64>(first);
    _mm512_mask_storeu_epi8(dst, mask, Permuted<T>(from, _mm512_maskz_loadu_epi8(mask, src)));
  } else if constexpr (sizeof(T) == 2) {
    const auto mask = static_cast<__mmask32>(first);
    _mm512_mask_storeu_epi16(dst, mask, Permuted<T>(from, _mm512_maskz_loadu_epi16(mask, src)));
  } else if constexpr (sizeof(T) == 4) {
    const auto mask = static_cast<__mmask16>(first);
    _mm512_mask_storeu_epi32(dst, mask, Permuted<T>(from, _mm512_maskz_loadu_epi32(mask, src)));
  } else {
    const auto mask = static_cast<__mmask8>(first);
    _mm512_mask_storeu_epi64(dst, mask, Permuted<T>(from, _mm512_maskz_loadu_epi64(mask, src)));
  }
}

// The same by permutations of vectors: of adjoining boxes as many at a time as a vector holds, of others one. Adjoining
// ones of more than half a vector are stored as whole vectors, and the next one overwrites what is too much (30000
// boxes of 12 kinds beyond L2 in 0.86 of the time, 3136 in 1.0, 40 in 1.05; of smaller boxes 0.97 to 1.09). Lines of
// the destination by permutations of two vectors took 0.78 to 0.89 of the time of 3x3 floats, of others 0.76 to 1.4,
// since their tables take longer than they save.
template <class T, class Use>
HWY_INLINE void WithVectors(const Box& box, const Use& use) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t n = box.inner[0].n * box.inner[1].n;
  const bool adjoin = box.inner[2].is == n * kSize && box.inner[2].os == n * kSize;
  const int64_t at_once = adjoin ? kLineBytes / kSize / n : 1;
  const bool one = adjoin && at_once == 1;
  alignas(kLineBytes) T from[kLineBytes / kSize] = {};
  for (int64_t i = 0; i < at_once; ++i) {
    ForEachElement(box.inner[0].n, box.inner[1].n,
                   [&](int64_t d, int64_t s) { from[i * n + d] = static_cast<T>(i * n + s); });
  }
  use([&](const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
    const Axis y = args.inner[2];
    const __m512i table = _mm512_load_si512(from);
    // In registers, as above.
    ForEachRowOfBoxes(src, dst, args, [y, table, n = n, at_once = at_once, one](const uint8_t* s, uint8_t* d) {
      int64_t i = 0;
      for (; one && (y.n - i) * y.os >= kLineBytes; ++i) {
        _mm512_storeu_si512(d + i * y.os, Permuted<T>(table, _mm512_loadu_si512(s + i * y.is)));
      }
      for (; i + at_once <= y.n; i += at_once) MovePermuted<T>(table, s + i * y.is, d + i * y.os, at_once * n);
      if (i < y.n) MovePermuted<T>(table, s + i * y.is, d + i * y.os, (y.n - i) * n);
    });
  });
}
#endif

// Calls use(move) with the move(src, dst, args) that shuffles boxes like `box`, at steps like its own.
template <class T, class Use>
HWY_INLINE void WithShuffle(const Box& box, const Use& use) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t row_bytes = box.inner[1].n * kSize;
  const int64_t column_bytes = box.inner[0].n * kSize;
  const int64_t bytes = box.inner[0].n * row_bytes;
  const bool adjoin = box.inner[2].is == bytes && box.inner[2].os == bytes;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  if constexpr (kPermutes<T>) {
    const bool fills_blocks = adjoin && bytes <= 16 && 16 % bytes == 0;
    return fills_blocks ? WithBoxesInBlocks(box, kSize, use) : WithVectors<T>(box, use);
  }
#endif
  if (adjoin && bytes <= 16) return WithBoxesInBlocks(box, kSize, use);
  // A line that interleaving fills with whole blocks takes 0.5 to 0.8 of the time so.
  if (bytes == kLineBytes && row_bytes % 16 == 0) return use(&Zip<T, false>);
  if (bytes == kLineBytes && column_bytes % 16 == 0) return use(&Unzip<T, false>);
  const BlockTables tables = TablesOfBox(box.inner[0].n, box.inner[1].n, kSize);
  if (bytes <= 16) return WithBlocks<1>(tables, bytes, use);
  if (bytes <= 32) return WithBlocks<2>(tables, bytes, use);
  if (bytes <= 48) return WithBlocks<3>(tables, bytes, use);
  WithBlocks<4>(tables, bytes, use);
}

template <class T>
void Shuffle(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  WithShuffle<T>(args, [&](const auto& move) { move(src, dst, args); });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_SHUFFLE_INL_H_
