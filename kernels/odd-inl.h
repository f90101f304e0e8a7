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
// the ninth. In L1 5.4 -> 2.7 times a copy, in L2 1.7 -> 1.0; 280 kinds, of 3 to 15 elements of 1 to 8 bytes, 0.75 of
// the time in the mean, few more than 1.1.
//
// A lookup reaches all places of a vector, but one of bytes only those of its block: each block of a vector gets pixels
// of its own.
#if defined(DIMORDER_KERNELS_ODD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_ODD_INL_H_
#undef DIMORDER_KERNELS_ODD_INL_H_
#else
#define DIMORDER_KERNELS_ODD_INL_H_
#endif

#include <bit>
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

// Whether pixels of kC elements are. (By vectors of 32 bytes, of 5 elements or more, it took 1.0 to 2.7 times as long.)
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
template <int kC, class D>
constexpr bool kTurnsOdd = kBlocks<D> == 4 && IsOddPixel(kC, sizeof(hn::TFromD<D>));

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
      for (int i = 0; i < 64 / kSize; ++i) {
        if (i % kPlaces % kC >> step & 1) turns[step][i / 8] |= static_cast<uint8_t>(1 << i % 8);
      }
    }
    while (inverse * kPlaces % kC != 1) ++inverse;
  }

  using Place = hwy::UnsignedFromSize<kSize>;
  alignas(64) Place from[kC][kPlaces] = {};  // where element r of the pixels is
  alignas(64) Place to[kC][kPlaces] = {};    // the inverse
  uint8_t turns[kSteps][8] = {};             // a bit for each place: whether a step turns it
  int64_t inverse = 1;                       // of kPlaces, modulo C
};
template <int kC, class D, int kSize = sizeof(hn::TFromD<D>)>
constexpr OddTables<kC, kSize, kSize == 1 ? 16 : 64 / kSize> kOddTables = {};

// Vector k, in the order that pixels have.
template <int kC, class D>
HWY_INLINE hn::VFromD<D> LoadOdd(D d, const hn::TFromD<D>* HWY_RESTRICT src, int64_t k) {
  if constexpr (sizeof(*src) == 1) return LoadBlocks(d, src + 16 * k, 16 * kC);
  return hn::LoadU(d, src + static_cast<int64_t>(hn::Lanes(d)) * k);
}

template <int kC, class D>
HWY_INLINE void StoreOdd(D d, hn::VFromD<D> v, hn::TFromD<D>* HWY_RESTRICT dst, int64_t k) {
  if constexpr (sizeof(*dst) == 1) return StoreBlocks(d, v, dst + 16 * k, 16 * kC);
  hn::StoreU(v, d, dst + static_cast<int64_t>(hn::Lanes(d)) * k);
}

// Elements of `v` from the places that a table of OddTables says.
template <class D, class Place, class V = hn::VFromD<D>>
HWY_INLINE V FromPlaces(D d, V v, const Place* places) {
  if constexpr (sizeof(Place) == 1) {
    return hn::TableLookupBytes(v, hn::LoadDup128(d, places));
  } else if constexpr (sizeof(Place) == 2) {
    return V{_mm512_permutexvar_epi16(_mm512_load_si512(places), v.raw)};
  } else if constexpr (sizeof(Place) == 4) {
    return V{_mm512_permutexvar_epi32(_mm512_load_si512(places), v.raw)};
  } else {
    return V{_mm512_permutexvar_epi64(_mm512_load_si512(places), v.raw)};
  }
}

// Turns the vectors, at each place by its number: back, or forth.
template <int kC, bool kForth, int kStep = 0, class D, class V, size_t... m>
HWY_INLINE void Turn(D d, V* HWY_RESTRICT v, std::index_sequence<m...> all) {
  constexpr int kBy = kForth ? 1 << kStep : kC - (1 << kStep);
  const auto turns = hn::LoadMaskBits(d, kOddTables<kC, D>.turns[kStep]);
  const V turned[kC] = {hn::IfThenElse(turns, v[(m + kBy) % kC], v[m])...};
  ((v[m] = turned[m]), ...);
  if constexpr (kStep + 1 < kOddTables<kC, D>.kSteps) Turn<kC, kForth, kStep + 1>(d, v, all);
}

// As many pixels as a vector has elements: hands a vector of each element to `out`.
template <int kC, class D, class Out, size_t... m>
HWY_INLINE void UnzipOdd(D d, const hn::TFromD<D>* HWY_RESTRICT src, const Out& out, std::index_sequence<m...> all) {
  constexpr const auto& kTables = kOddTables<kC, D>;
  hn::VFromD<D> v[kC] = {LoadOdd<kC>(d, src, m * kTables.inverse % kC)...};
  Turn<kC, false>(d, v, all);
  (out.Store(d, m, FromPlaces(d, v[m], kTables.from[m])), ...);
}

// The inverse, from row(0) to row(kC - 1).
template <int kC, class D, class Row, size_t... m>
HWY_INLINE void ZipOdd(D d, const Row& row, hn::TFromD<D>* HWY_RESTRICT dst, std::index_sequence<m...> all) {
  constexpr const auto& kTables = kOddTables<kC, D>;
  hn::VFromD<D> v[kC] = {FromPlaces(d, row(m), kTables.to[m])...};
  Turn<kC, true>(d, v, all);
  (StoreOdd<kC>(d, v[m], dst, m * kTables.inverse % kC), ...);
}

// Those of a box, at least as many as a vector has elements. A single last one, as of 7x7, goes element by element.
template <int kC, bool kZips, class D>
HWY_NOINLINE void MoveOdd(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  using T = hn::TFromD<D>;
  constexpr int64_t kSize = sizeof(T);
  constexpr auto kAll = std::make_index_sequence<kC>();
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t n = box.inner[kZips].n;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  for (int64_t i = 0; i < n; i += lanes) {
    if (i + 1 == n) break;
    i = HWY_MIN(i, n - lanes);
    if constexpr (kZips) {
      const auto row = [&](int64_t r) __attribute__((always_inline)) {
        return hn::LoadU(d, reinterpret_cast<const T*>(src + r * is + i * kSize));
      };
      if (box.ahead != 0) AskPixelsAhead<kC * kLineBytes>(dst + i * kC * kSize);
      ZipOdd<kC>(d, row, reinterpret_cast<T*>(dst) + i * kC, kAll);
    } else {
      UnzipOdd<kC>(d, reinterpret_cast<const T*>(src) + i * kC, StoreColumns{dst + i * kSize, os}, kAll);
    }
  }
  if (n % lanes != 1) return;
  for (int64_t r = 0; r < kC; ++r) {
    const int64_t row = kZips ? r : n - 1;
    const int64_t col = kZips ? n - 1 : r;
    memcpy(dst + col * os + row * kSize, src + row * is + col * kSize, kSize);
  }
}

// The same of boxes of kC elements or more; false where they are not such.
template <bool kZips, int kC, class D>
HWY_INLINE bool MovesOddFrom(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  constexpr bool kElsewhere = kZips ? IsZipCount(kC, kSize) : IsUnzipCount(kC, kSize);
  if constexpr (!kElsewhere) {
    if (box.inner[!kZips].n == kC) {
      MoveOdd<kC, kZips>(d, src, dst, box);
      return true;
    }
  }
  if constexpr (IsOddPixel(kC + 2, kSize)) return MovesOddFrom<kZips, kC + 2>(d, src, dst, box);
  return false;
}

// Those of a transpose whose rows or columns are pixels, dense on their side.
template <class D>
HWY_NOINLINE bool MovesOdd(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const Axis rows = box.inner[0];
  const Axis cols = box.inner[1];
  if (cols.n % 2 != 0 && rows.n >= lanes && rows.is == cols.n * kSize) return MovesOddFrom<false, 3>(d, src, dst, box);
  if (rows.n % 2 != 0 && cols.n >= lanes && cols.os == rows.n * kSize) return MovesOddFrom<true, 3>(d, src, dst, box);
  return false;
}
#else
template <int kC, class D>
constexpr bool kTurnsOdd = false;
#endif

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ODD_INL_H_
