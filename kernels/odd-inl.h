// SPDX-License-Identifier: Apache-2.0
// Pixels of an odd number of elements, C, taken apart and put together by blends, where masks make those cheap.
//
// C vectors hold as many pixels as a vector has elements. Of N places, place p of vector k has element (N * k + p) % C
// of some pixel. N is a power of two and C is odd, so at each place each element is once: element r in vector (r - p) /
// N, counted modulo C. With the vectors in such an order that this is vector r - p, all that is left to do is to turn
// them round by p at each place p, in steps of 1, 2, 4, ... vectors, each one blend for each vector. Then a vector has
// one element of all pixels, and one lookup puts these in order. The way back is the same, backwards.
//
// Blends go where shuffles cannot, and vectors are loaded and stored as they are. 9 elements of 2 bytes take four
// blends and a lookup for each line; by microtiles they took three inserts and as many shuffles, and as much again for
// the ninth. In L1 5.4 -> 2.7 times a copy, in L2 1.7 -> 1.0; 604 moves, of 3 to 25 elements of 1 to 8 bytes, 0.73 of
// the time in the mean. (By vectors of 32 bytes, of 5 elements or more, it took 1.0 to 2.7 times as long.)
//
// Most boxes of fewer pixels than a vector has elements take one vector for each element, with masks that leave out
// what is not there: in L1 and L2 0.68 of the time that two or three shorter vectors took (64 boxes of 3x49 bytes 6.5
// -> 4.0 times a copy; what is left are stores that cross lines). They ask for nothing: of 0.25 to 1 MB those that did
// take 0.4 to 1.0 of the time. Where the page behind a box is not mapped, what masks leave out on it costs 150 ns a
// vector (one box of 9x17 bytes 34 -> 1200 ns); to ask each box where it ends took 1.1 to 1.4 times as long.
//
// A lookup reaches all places of a vector; one of bytes does so only where there is an instruction for it (AVX3_DL).
// Elsewhere it reaches those of its block, and each block gets pixels of its own.
#if defined(DIMORDER_KERNELS_ODD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_ODD_INL_H_
#undef DIMORDER_KERNELS_ODD_INL_H_
#else
#define DIMORDER_KERNELS_ODD_INL_H_
#endif

#include <bit>
#include <type_traits>
#include <utility>

#include "kernels/box-inl.h"
#include "kernels/microtile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Asks for the lines of kBytes bytes that are written a kilobyte later than those at `dst`; where pixels end, in vain.
// (512 bytes and 2 KB did equally well.)
template <int64_t kBytes>
HWY_INLINE void AskPixelsAhead(const uint8_t* dst) {
  for (int64_t i = 0; i < kBytes; i += kLineBytes) hwy::Prefetch(dst + 1024 + i);
}

// The fewest pixels that MovesLongOdd() moves. (Fewer, by masks, took 0.9 to 1.6 times as long as tiles
// of 1 and 2 bytes; floats, which were 0.6 to 1.1 times, might go on.)
template <class T>
constexpr int64_t kFewestLongOdd = kLineBytes / sizeof(T) / 2 + 1;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// Whether lookups of T reach all places of a vector.
template <class T>
constexpr bool kReachesAll = sizeof(T) > 1 || HWY_TARGET <= HWY_AVX3_DL;

// The most elements of a pixel. (29 and 31 bytes took 1.0 to 1.3 times as long in L2.)
template <class T>
constexpr int kMostOdd = sizeof(T) == 1 && kReachesAll<T> ? 25 : 15;

// Whether pixels of kC elements are taken apart, and put together, so. (3 of 8 bytes gained nothing. By lookups within
// blocks 11 to 15 of 1 byte took 0.8 to 1.3 of the time to be taken apart, 3 of them up to 1.9 to be put together.)
template <int kC, class D, class T = hn::TFromD<D>>
constexpr bool kTurnsOdd = kBlocks<D> == 4 && kC % 2 == 1 && kC >= (sizeof(T) == 8 ? 5 : 3) && kC <= kMostOdd<T>;
template <int kC, class D>
constexpr bool kUnzipsOdd = kTurnsOdd<kC, D> && (kReachesAll<hn::TFromD<D>> || kC <= 9);
template <int kC, class D>
constexpr bool kZipsOdd = kTurnsOdd<kC, D> && (kReachesAll<hn::TFromD<D>> || kC > 3);

template <int kC, int kSize, int kPlaces>
struct OddTables {
  static constexpr int kSteps = std::bit_width(static_cast<unsigned>(kC - 1));

  constexpr OddTables() {
    for (int r = 0; r < kC; ++r) {
      for (int j = 0; j < kPlaces; ++j) {
        const int place = (kC * j + r) % kPlaces;
        from[r][j] = static_cast<Place>(place);
        to[r][place] = static_cast<Place>(j);
      }
    }
    for (int step = 0; step < kSteps; ++step) {
      for (int i = 0; i < kLineBytes / kSize; ++i) {
        if (i % kPlaces % kC >> step & 1) turns[step][i / 8] |= static_cast<uint8_t>(1 << i % 8);
      }
    }
    while (inverse * kPlaces % kC != 1) ++inverse;
  }

  using Place = hwy::UnsignedFromSize<kSize>;
  alignas(kLineBytes) Place from[kC][kPlaces] = {};  // where element r of the pixels is
  alignas(kLineBytes) Place to[kC][kPlaces] = {};    // the inverse
  uint8_t turns[kSteps][8] = {};                     // a bit for each place: whether a step turns it
  int64_t inverse = 1;                               // of kPlaces, modulo C
};
template <int kC, class T>
constexpr OddTables<kC, sizeof(T), (kReachesAll<T> ? kLineBytes : 16) / sizeof(T)> kOddTables = {};

// Vector k of as many pixels as a vector has elements, in the order that pixels have.
template <int kC, class D, class T = hn::TFromD<D>>
HWY_INLINE hn::VFromD<D> LoadOdd(D d, const T* HWY_RESTRICT src, int64_t k) {
  if constexpr (!kReachesAll<T>) return LoadBlocks(d, src + 16 * k, 16 * kC);
  return hn::LoadU(d, src + static_cast<int64_t>(hn::Lanes(d)) * k);
}
template <int kC, class D, class T = hn::TFromD<D>>
HWY_INLINE void StoreOdd(D d, hn::VFromD<D> v, T* HWY_RESTRICT dst, int64_t k) {
  if constexpr (!kReachesAll<T>) return StoreBlocks(d, v, dst + 16 * k, 16 * kC);
  hn::StoreU(v, d, dst + static_cast<int64_t>(hn::Lanes(d)) * k);
}

// The places of vector k that the first `n` of many elements fill.
template <class D>
HWY_INLINE hn::MFromD<D> FilledPlaces(D d, int64_t n, int64_t k) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t left = HWY_MIN(n - lanes * k, lanes);  // what is known to be short needs no branch
  return hn::FirstN(d, static_cast<size_t>(HWY_MAX(left, 0)));
}

// Elements of `v` from the places that a table of OddTables says.
template <class D, class Place, class V = hn::VFromD<D>>
HWY_INLINE V FromPlaces(D d, V v, const Place* places) {
  if constexpr (!kReachesAll<Place>) {
    return hn::TableLookupBytes(v, hn::LoadDup128(d, places));
  } else if constexpr (sizeof(Place) == 1) {
#if HWY_TARGET <= HWY_AVX3_DL
    return V{_mm512_permutexvar_epi8(_mm512_load_si512(places), v.raw)};
#endif
  } else if constexpr (sizeof(Place) == 2) {
    return V{_mm512_permutexvar_epi16(_mm512_load_si512(places), v.raw)};
  } else if constexpr (sizeof(Place) == 4) {
    return V{_mm512_permutexvar_epi32(_mm512_load_si512(places), v.raw)};
  } else {
    return V{_mm512_permutexvar_epi64(_mm512_load_si512(places), v.raw)};
  }
}

// Turns the vectors, at each place by its number: back, or forth. (All indices are constants: so these arrays are
// registers.)
template <int kC, bool kForth, int kStep = 0, class D, class V, size_t... m>
HWY_INLINE void Turn(D d, V* HWY_RESTRICT v, std::index_sequence<m...> all) {
  constexpr const auto& kTables = kOddTables<kC, hn::TFromD<D>>;
  constexpr int kBy = kForth ? 1 << kStep : kC - (1 << kStep);
  const auto turns = hn::LoadMaskBits(d, kTables.turns[kStep]);
  const V turned[kC] = {hn::IfThenElse(turns, v[(m + kBy) % kC], v[m])...};
  ((v[m] = turned[m]), ...);
  if constexpr (kStep + 1 < kTables.kSteps) Turn<kC, kForth, kStep + 1>(d, v, all);
}

// Pixels from load(0) to load(kC - 1): hands a vector of each element to `out`.
template <int kC, class D, class Load, class Out, size_t... m>
HWY_INLINE void UnzipOdd(D d, const Load& load, const Out& out, std::index_sequence<m...> all) {
  constexpr const auto& kTables = kOddTables<kC, hn::TFromD<D>>;
  hn::VFromD<D> v[kC] = {load(m * kTables.inverse % kC)...};
  Turn<kC, false>(d, v, all);
  (out.Store(d, m, FromPlaces(d, v[m], kTables.from[m])), ...);
}

// As many as a vector has elements.
template <int kC, class D, class Out, class T>
HWY_INLINE void UnzipOdd(D d, const T* HWY_RESTRICT src, const Out& out) {
  const auto load = [&](int64_t k) __attribute__((always_inline)) { return LoadOdd<kC>(d, src, k); };
  UnzipOdd<kC>(d, load, out, std::make_index_sequence<kC>());
}

// The inverse, from row(0) to row(kC - 1): hands vectors of pixels to store(k, v).
template <int kC, class D, class Row, class Store, size_t... m>
HWY_INLINE void ZipOdd(D d, const Row& row, const Store& store, std::index_sequence<m...> all) {
  constexpr const auto& kTables = kOddTables<kC, hn::TFromD<D>>;
  hn::VFromD<D> v[kC] = {FromPlaces(d, row(m), kTables.to[m])...};
  Turn<kC, true>(d, v, all);
  (store(m * kTables.inverse % kC, v[m]), ...);
}
template <int kC, class D, class Row, class T>
HWY_INLINE void ZipOdd(D d, const Row& row, T* HWY_RESTRICT dst) {
  const auto store = [&](int64_t k, auto v) __attribute__((always_inline)) { StoreOdd<kC>(d, v, dst, k); };
  ZipOdd<kC>(d, row, store, std::make_index_sequence<kC>());
}

// Columns of fewer elements than a vector has.
template <class M>
struct StoreFew {
  M filled;
  uint8_t* HWY_RESTRICT dst;
  int64_t os;

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    hn::BlendedStore(v, filled, d, reinterpret_cast<hn::TFromD<D>*>(dst + column * os));
  }
};

// A box of fewer pixels than a vector has elements, with masks for what there is.
template <int kC, class T>
HWY_INLINE void UnzipFewOdd(const uint8_t* src, uint8_t* dst, const Box& box) {
  static_assert(kReachesAll<T>);
  const WideTag<T> d;
  const int64_t n = box.inner[0].n;
  const auto load = [&](int64_t k) __attribute__((always_inline)) {
    const T* from = reinterpret_cast<const T*>(src) + static_cast<int64_t>(hn::Lanes(d)) * k;
    return hn::MaskedLoad(FilledPlaces(d, n * kC, k), d, from);
  };
  const auto filled = FilledPlaces(d, n, 0);
  UnzipOdd<kC>(d, load, StoreFew<decltype(filled)>{filled, dst, box.inner[1].os}, std::make_index_sequence<kC>());
}
template <int kC, class T>
HWY_INLINE void ZipFewOdd(const uint8_t* src, uint8_t* dst, const Box& box) {
  static_assert(kReachesAll<T>);
  const WideTag<T> d;
  const int64_t n = box.inner[1].n;
  const auto filled = FilledPlaces(d, n, 0);
  const auto row = [&](int64_t r) __attribute__((always_inline)) {
    return hn::MaskedLoad(filled, d, reinterpret_cast<const T*>(src + r * box.inner[0].is));
  };
  const auto store = [&](int64_t k, auto v) __attribute__((always_inline)) {
    T* to = reinterpret_cast<T*>(dst) + static_cast<int64_t>(hn::Lanes(d)) * k;
    hn::BlendedStore(v, FilledPlaces(d, n * kC, k), d, to);
  };
  ZipOdd<kC>(d, row, store, std::make_index_sequence<kC>());
}

// Pixels of kC elements or more that families kZip and kUnzip are not made for: calls use(C) for the C that equals
// `count`, a constant. Returns whether there is one.
template <bool kZips, int kC = 5, class D, class Use>
HWY_INLINE bool WithLongOdd(D d, int64_t count, const Use& use) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  if constexpr (kC > kMostOdd<hn::TFromD<D>>) {
    return false;
  } else {
    if constexpr (!(kZips ? IsZipCount(kC, kSize) : IsUnzipCount(kC, kSize))) {
      if (count == kC) {
        use(std::integral_constant<int, kC>());
        return true;
      }
    }
    return WithLongOdd<kZips, kC + 2>(d, count, use);
  }
}

// The same for a transpose whose columns, or else its rows, are at least kFewestLongOdd of them.
template <bool kZips, class D, class Use>
HWY_INLINE bool WithLongOdd(D d, const Axis& rows, const Axis& cols, const Use& use) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  const int64_t n = kZips ? cols.n : rows.n;
  const int64_t count = kZips ? rows.n : cols.n;
  const int64_t stride = kZips ? cols.os : rows.is;
  return n >= kFewestLongOdd<T> && stride == count * kSize && WithLongOdd<kZips>(d, count, use);
}

// A box of them, at least kFewestLongOdd. Where more than fill a vector leave a single last one, as of 49, that goes
// element by element.
template <int kC, bool kZips, class D>
HWY_NOINLINE void MoveLongOdd(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  const int64_t n = box.inner[kZips].n;
  if (n < lanes) {
    if constexpr (kZips) {
      return ZipFewOdd<kC, T>(src, dst, box);
    } else {
      return UnzipFewOdd<kC, T>(src, dst, box);
    }
  }
  const int64_t whole = n % lanes == 1 ? n - 1 : n;
  ForEachVector(
      whole, lanes, [&](int64_t i) __attribute__((always_inline)) {
        if constexpr (kZips) {
          if (box.ahead != 0) AskPixelsAhead<kC * kLineBytes>(dst + i * kC * kSize);
          const auto row = [&](int64_t r) __attribute__((always_inline)) {
            return hn::LoadU(d, reinterpret_cast<const T*>(src + r * is + i * kSize));
          };
          ZipOdd<kC>(d, row, reinterpret_cast<T*>(dst) + i * kC);
        } else {
          UnzipOdd<kC>(d, reinterpret_cast<const T*>(src) + i * kC, StoreColumns{dst + i * kSize, os});
        }
      });
  if (whole == n) return;
  for (int64_t r = 0; r < kC; ++r) {
    const int64_t row = kZips ? r : whole;
    const int64_t col = kZips ? whole : r;
    memcpy(dst + col * os + row * kSize, src + row * is + col * kSize, kSize);
  }
}

// Moves a transpose whose rows are such pixels, or whose columns are; false where neither are. Where both are, the side
// that makes more of them goes first: 5x13 doubles are 13 pixels of 5 (5 of 13 took 1.3 times as long).
template <class D>
HWY_INLINE bool MovesLongOdd(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  const Axis rows = box.inner[0];
  const Axis cols = box.inner[1];
  const auto unzips = [&] {
    return WithLongOdd<false>(d, rows, cols,
                              [&](auto count) { MoveLongOdd<decltype(count)::value, false>(d, src, dst, box); });
  };
  const auto zips = [&] {
    return WithLongOdd<true>(d, rows, cols,
                             [&](auto count) { MoveLongOdd<decltype(count)::value, true>(d, src, dst, box); });
  };
  return rows.n < cols.n ? zips() || unzips() : unzips() || zips();
}

// Whether there are such pixels of T.
template <class T>
constexpr bool kHasLongOdd = kReachesAll<T>&& std::is_integral_v<T>;

// Whether families kUnzip and kZip move pixels by masks where they do not fill a vector. (13 and 15 bytes took up to
// 1.25 times as long to be taken apart.)
template <int kC, class T>
constexpr bool kUnzipsFewOdd = kReachesAll<T>&& kUnzipsOdd<kC, WideTag<T>>&& kC <= 11;
template <int kC, class T>
constexpr bool kZipsFewOdd = kReachesAll<T>&& kZipsOdd<kC, WideTag<T>>;

#else

template <int kC, class D>
constexpr bool kUnzipsOdd = false;
template <int kC, class D>
constexpr bool kZipsOdd = false;
template <class T>
constexpr bool kHasLongOdd = false;
template <int kC, class T>
constexpr bool kUnzipsFewOdd = false;
template <int kC, class T>
constexpr bool kZipsFewOdd = false;

#endif

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ODD_INL_H_
