// SPDX-License-Identifier: Apache-2.0
// Pixels of a number of elements, C, that is no power of two, taken apart and put together by blends.
//
// Where C is odd, by odd-inl.h. Where it is even, elements are taken two by two as one of twice the size, until there
// is an odd number of these: rows are joined by twos before they are put together, and split after they were taken
// apart. That is one lookup in two vectors for each line and step (joined with the lookups of odd-inl.h it gained
// nothing). 99 moves of 6 to 26 elements of 1 to 4 bytes, of 12 KB to 0.8 MB, took 0.69 of the time of what they went
// by before, microtiles for the most part; in L1 and L2 0.66, 2.7 -> 1.8 times a copy.
#if defined(DIMORDER_KERNELS_BLENDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_BLENDS_INL_H_
#undef DIMORDER_KERNELS_BLENDS_INL_H_
#else
#define DIMORDER_KERNELS_BLENDS_INL_H_
#endif

#include <bit>
#include <utility>

#include "kernels/odd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// Whether an odd number of elements is turned, and an even one becomes such. (3 of 8 bytes gained nothing.)
template <int kC, class T>
constexpr bool kTurns = kC % 2 == 1 && kC >= (sizeof(T) == 8 ? 5 : 3);
template <int kC, class T>
constexpr bool kPairsUp = kPermutes<T>&& kC % 2 == 0 && (kC & (kC - 1)) != 0 && (kC & -kC) * sizeof(T) <= 8;

// The most elements that are taken apart so. (22 to 30 of 1 and 2 bytes took 0.64 to 1.08 of the time where their
// number is even. 27 of 2 to 8 bytes took up to 1.3 times as long in L1, though 0.8 beyond it, 31 bytes 1.3, 26 floats
// 0.7 to 1.1. By lookups within blocks 11 to 15 bytes took 0.8 to 1.3 of the time.)
template <class T>
constexpr int MostUnzipped(bool odd) {
  if (!kPermutes<T>) return 9;
  if (odd) return sizeof(T) == 1 ? 29 : 25;
  return sizeof(T) == 4 ? 22 : 30;
}
// And put together. (25 floats took 0.9 to 1.1 of the time, 17 to 21 of 8 bytes up to 1.25 times as long as line tiles.
// Of even numbers more of 1 and 2 bytes took 0.9 to 1.3 of the time, more floats up to 1.8.)
template <class T>
constexpr int MostZipped(bool odd) {
  if (!kPermutes<T>) return 15;
  constexpr int kOdd[] = {31, 31, 23, 15}, kEven[] = {24, 20, 14, 0};  // by the binary logarithm of the size
  return (odd ? kOdd : kEven)[std::countr_zero(sizeof(T))];
}

template <int kC, class D, class T = hn::TFromD<D>>
constexpr bool kUnzipsByBlends = kBlocks<D> == 4 &&
                                 (kTurns<kC, T> || kPairsUp<kC, T>)&&kC <= MostUnzipped<T>(kC % 2 != 0);

// 12 elements and 6 of 4 bytes have ways of their own, which took 0.8 to 1.0 of the time; and so have 3 bytes where
// lookups stay within blocks (by them up to 1.9 times).
template <int kC, class T>
constexpr bool kZipsOtherwise = kC == 12 || (kC == 6 && sizeof(T) == 4) || (kC == 3 && !kPermutes<T>);
template <int kC, class D, class T = hn::TFromD<D>>
constexpr bool kZipsByBlends = kBlocks<D> == 4 &&
                               (kTurns<kC, T> || kPairsUp<kC, T>)&&kC <= MostZipped<T>(kC % 2 != 0) &&
                               !kZipsOtherwise<kC, T>;

// Where two vectors of pairs have the first, and the second, of each; and where the lower and the upper half of the
// pairs of two rows are.
template <int kSize>
struct PairPlaces {
  static constexpr int kPlaces = kLineBytes / kSize;

  constexpr PairPlaces() {
    for (int i = 0; i < kPlaces; ++i) {
      for (int k = 0; k < 2; ++k) {
        split[k][i] = static_cast<Place>(2 * i + k);
        join[k][i] = static_cast<Place>((i + k * kPlaces) / 2 + i % 2 * kPlaces);
      }
    }
  }

  using Place = hwy::UnsignedFromSize<kSize>;
  alignas(kLineBytes) Place split[2][kPlaces] = {};
  alignas(kLineBytes) Place join[2][kPlaces] = {};
};
template <class T>
constexpr PairPlaces<sizeof(T)> kPairPlaces = {};

// Elements of two vectors from the places that a table says: those of `b` follow those of `a`.
template <class V, class Place>
HWY_INLINE V FromTwo(V a, V b, const Place* places) {
  const __m512i at = _mm512_load_si512(places);
  if constexpr (sizeof(Place) == 1) {
#if HWY_TARGET <= HWY_AVX3_DL
    return V{_mm512_permutex2var_epi8(a.raw, at, b.raw)};
#endif
  } else if constexpr (sizeof(Place) == 2) {
    return V{_mm512_permutex2var_epi16(a.raw, at, b.raw)};
  } else {
    static_assert(sizeof(Place) == 4);
    return V{_mm512_permutex2var_epi32(a.raw, at, b.raw)};
  }
}

// Pixels from load(0) to load(kC - 1): hands a vector of each element to `out`.
template <int kC, class D, class Load, class Out>
HWY_INLINE void UnzipByBlends(D d, const Load& load, const Out& out);

template <int kC, class D, class Load, class Out, size_t... m>
HWY_INLINE void UnzipEven(D d, const Load& load, const Out& out, std::index_sequence<m...> /*pairs*/) {
  constexpr const auto& kPlaces = kPairPlaces<hn::TFromD<D>>;
  const hn::RepartitionToWide<D> pairs;
  using V = hn::VFromD<decltype(pairs)>;
  V lower[kC / 2], upper[kC / 2];
  const auto load_lower = [&](int64_t k) __attribute__((always_inline)) { return hn::BitCast(pairs, load(k)); };
  const auto load_upper = [&](int64_t k) __attribute__((always_inline)) {
    return hn::BitCast(pairs, load(kC / 2 + k));
  };
  UnzipByBlends<kC / 2>(pairs, load_lower, KeepColumns<V>{lower});
  UnzipByBlends<kC / 2>(pairs, load_upper, KeepColumns<V>{upper});
  const auto split = [&](int64_t i, int64_t k) __attribute__((always_inline)) {
    const auto a = hn::BitCast(d, lower[i]), b = hn::BitCast(d, upper[i]);
    out.Store(d, 2 * i + k, FromTwo(a, b, kPlaces.split[k]));
  };
  ((split(m, 0), split(m, 1)), ...);
}

template <int kC, class D, class Load, class Out>
HWY_INLINE void UnzipByBlends(D d, const Load& load, const Out& out) {
  if constexpr (kC % 2 != 0) {
    UnzipOdd<kC>(d, load, out, std::make_index_sequence<kC>());
  } else {
    UnzipEven<kC>(d, load, out, std::make_index_sequence<kC / 2>());
  }
}

// The inverse, from row(0) to row(kC - 1): hands vectors of pixels to store(k, v).
template <int kC, class D, class Row, class Store>
HWY_INLINE void ZipByBlends(D d, const Row& row, const Store& store);

template <int kC, class D, class Row, class Store, size_t... m>
HWY_INLINE void ZipEven(D d, const Row& row, const Store& store, std::index_sequence<m...> /*pairs*/) {
  constexpr const auto& kPlaces = kPairPlaces<hn::TFromD<D>>;
  const hn::RepartitionToWide<D> pairs;
  hn::VFromD<decltype(pairs)> lower[kC / 2], upper[kC / 2];
  const auto join = [&](int64_t i) __attribute__((always_inline)) {
    const auto a = row(2 * i), b = row(2 * i + 1);
    lower[i] = hn::BitCast(pairs, FromTwo(a, b, kPlaces.join[0]));
    upper[i] = hn::BitCast(pairs, FromTwo(a, b, kPlaces.join[1]));
  };
  (join(m), ...);
  const auto store_lower = [&](int64_t k, auto v) __attribute__((always_inline)) { store(k, hn::BitCast(d, v)); };
  const auto store_upper = [&](int64_t k, auto v) __attribute__((always_inline)) {
    store(kC / 2 + k, hn::BitCast(d, v));
  };
  ZipByBlends<kC / 2>(
      pairs, [&](int64_t i) __attribute__((always_inline)) { return lower[i]; }, store_lower);
  ZipByBlends<kC / 2>(
      pairs, [&](int64_t i) __attribute__((always_inline)) { return upper[i]; }, store_upper);
}

template <int kC, class D, class Row, class Store>
HWY_INLINE void ZipByBlends(D d, const Row& row, const Store& store) {
  if constexpr (kC % 2 != 0) {
    ZipOdd<kC>(d, row, store, std::make_index_sequence<kC>());
  } else {
    ZipEven<kC>(d, row, store, std::make_index_sequence<kC / 2>());
  }
}

// Vector k of as many pixels as a vector has elements, in the order that pixels have.
template <int kC, class D, class T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LoadPixels(D d, const T* HWY_RESTRICT src, int64_t k) {
  if constexpr (!kPermutes<T>) return LoadBlocks(d, src + 16 * k, 16 * kC);
  return hn::LoadU(d, src + static_cast<int64_t>(hn::Lanes(d)) * k);
}
template <int kC, class D, class T = hn::TFromD<D>>
HWY_INLINE void StorePixels(D d, hn::VFromD<D> v, T* HWY_RESTRICT dst, int64_t k) {
  if constexpr (!kPermutes<T>) return StoreBlocks(d, v, dst + 16 * k, 16 * kC);
  hn::StoreU(v, d, dst + static_cast<int64_t>(hn::Lanes(d)) * k);
}

// As many pixels as a vector has elements, in memory.
template <int kC, class D, class Out, class T>
HWY_INLINE void UnzipByBlends(D d, const T* HWY_RESTRICT src, const Out& out) {
  UnzipByBlends<kC>(
      d, [&](int64_t k) __attribute__((always_inline)) { return LoadPixels<kC>(d, src, k); }, out);
}
template <int kC, class D, class Row, class T>
HWY_INLINE void ZipByBlends(D d, const Row& row, T* HWY_RESTRICT dst) {
  ZipByBlends<kC>(
      d, row, [&](int64_t k, auto v) __attribute__((always_inline)) { StorePixels<kC>(d, v, dst, k); });
}

#else

template <int kC, class D>
constexpr bool kUnzipsByBlends = false;
template <int kC, class D>
constexpr bool kZipsByBlends = false;

#endif

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_BLENDS_INL_H_
