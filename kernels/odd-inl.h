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
// the time in the mean, others of up to 31 that half lines and microtiles moved 0.87. (By vectors of 32 bytes, of 5
// elements or more, it took 1.0 to 2.7 times as long.)
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
#include <utility>

#include "kernels/microtile-inl.h"
#include "kernels/permute-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

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
constexpr OddTables<kC, sizeof(T), (kPermutes<T> ? kLineBytes : 16) / sizeof(T)> kOddTables = {};

// Elements of `v` from the places that a table of OddTables says.
template <class D, class Place, class V = hn::VFromD<D>>
HWY_INLINE V FromPlaces(D d, V v, const Place* places) {
  if constexpr (kPermutes<Place>) {
    return V{Permuted<Place>(_mm512_load_si512(places), v.raw)};
  } else {
    return hn::TableLookupBytes(v, hn::LoadDup128(d, places));
  }
}

// Turns the vectors, at each place by its number: back, or forth. Each takes from the one that the next replaces, so
// that one more lives than there are. (All indices are constants: so the array is registers.)
template <int kC, bool kForth, int kStep = 0, class D, class V, size_t... m>
HWY_INLINE void Turn(D d, V* HWY_RESTRICT v, std::index_sequence<m...> all) {
  constexpr const auto& kTables = kOddTables<kC, hn::TFromD<D>>;
  constexpr int kBy = kForth ? 1 << kStep : kC - (1 << kStep);
  const hn::Mask<D> turns = {PinnedMask(hn::LoadMaskBits(d, kTables.turns[kStep]).raw)};
  const V first = v[0];
  ((v[m * kBy % kC] = hn::IfThenElse(turns, m + 1 == kC ? first : v[(m + 1) * kBy % kC], v[m * kBy % kC])), ...);
  if constexpr (kStep + 1 < kTables.kSteps) Turn<kC, kForth, kStep + 1>(d, v, all);
}

// Pixels from load(0) to load(kC - 1): hands a vector of each element to `out`.
template <int kC, class D, class Load, class Out, size_t... m>
HWY_INLINE void UnzipOdd(D d, const Load& load, const Out& out, std::index_sequence<m...> all) {
  constexpr const auto& kTables = kOddTables<kC, hn::TFromD<D>>;
  hn::VFromD<D> v[kC] = {load(m * kTables.inverse % kC)...};
  ((v[m] = Pinned(v[m])), ...);  // loaded again for each blend, 15 floats took 1.8 times as long
  Turn<kC, false>(d, v, all);
  (out.Store(d, m, FromPlaces(d, v[m], kTables.from[m])), ...);
}

// The inverse, from row(0) to row(kC - 1): hands vectors of pixels to store(k, v).
template <int kC, class D, class Row, class Store, size_t... m>
HWY_INLINE void ZipOdd(D d, const Row& row, const Store& store, std::index_sequence<m...> all) {
  constexpr const auto& kTables = kOddTables<kC, hn::TFromD<D>>;
  hn::VFromD<D> v[kC] = {FromPlaces(d, row(m), kTables.to[m])...};
  Turn<kC, true>(d, v, all);
  (store(m * kTables.inverse % kC, v[m]), ...);
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ODD_INL_H_
