// SPDX-License-Identifier: Apache-2.0
// Columns that are made line by line, and go past the caches at once.
#if defined(DIMORDER_KERNELS_MAKE_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_MAKE_LINES_INL_H_
#undef DIMORDER_KERNELS_MAKE_LINES_INL_H_
#else
#define DIMORDER_KERNELS_MAKE_LINES_INL_H_
#endif

#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Columns of a microtile whose vectors are lines, at multiples of a line; those before `from` are there already.
struct StreamColumns {
  uint8_t* HWY_RESTRICT dst;
  int64_t os;
  int64_t from;

  static constexpr bool Wants(int64_t) { return true; }

  template <class D, class V>
  HWY_INLINE void Store(D d, int64_t column, V v) const {
    if (column >= from) hn::Stream(v, d, reinterpret_cast<hn::TFromD<D>*>(dst + column * os));
  }
};

// Makes a line of each of kCols columns, from `dst` on: make(row, out) makes a vector of each from that row on. Vectors
// that are shorter than lines meet in L1 first: lines that are streamed part by part, several side by side, leave the
// core in parts (2 columns 1.1 times as slow, 4 of them 1.4, 8 of them 3 to 6, 16 up to 20).
template <int64_t kCols, class D, class Make>
HWY_INLINE void MakeLines(D, uint8_t* dst, int64_t os, int64_t from, const Make& make) {
  constexpr int64_t kSize = sizeof(hn::TFromD<D>);
  constexpr int64_t kVectorBytes = 16 * kBlocks<D>;
  if constexpr (kVectorBytes == kLineBytes) {
    make(0, StreamColumns{dst, os, from});
  } else {
    alignas(kLineBytes) uint8_t lines[kCols * kLineBytes];
    // (By a loop over them clang left the lines in memory: 2 bytes took 1.05 to 1.2 times as long.)
    ForEachConstant<kLineBytes / kVectorBytes>([&](auto i) __attribute__((always_inline)) {
      constexpr int64_t kAt = i.value * kVectorBytes;
      make(kAt / kSize, StoreColumns{lines + kAt, kLineBytes});
    });
    for (int64_t c = from; c < kCols; ++c) StreamLine(lines + c * kLineBytes, dst + c * os);
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_MAKE_LINES_INL_H_
