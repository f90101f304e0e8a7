// SPDX-License-Identifier: Apache-2.0
// Boxes of pixels that go by blends (blends-inl.h).
//
// Most boxes of fewer pixels than a vector has elements take one vector for each element, with masks that leave out
// what is not there: in L1 and L2 0.68 of the time that two or three shorter vectors took (64 boxes of 3x49 bytes 6.5
// -> 4.0 times a copy; what is left are stores that cross lines). They ask for nothing: of 0.25 to 1 MB those that did
// take 0.4 to 1.0 of the time. Where the page behind a box is not mapped, what masks leave out on it costs 150 ns a
// vector (one box of 9x17 bytes 34 -> 1200 ns); to ask each box where it ends took 1.1 to 1.4 times as long.
#if defined(DIMORDER_KERNELS_BLEND_BOXES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_BLEND_BOXES_INL_H_
#undef DIMORDER_KERNELS_BLEND_BOXES_INL_H_
#else
#define DIMORDER_KERNELS_BLEND_BOXES_INL_H_
#endif

#include <type_traits>
#include <utility>

#include "kernels/blends-inl.h"
#include "kernels/box-inl.h"

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

// The fewest pixels that kTile and kAhead move by blends. (Fewer, by masks, took 0.9 to 1.6 times as long as tiles of 1
// and 2 bytes; floats, which were 0.6 to 1.1 times, might go on.)
template <class T>
constexpr int64_t kFewestBlended = kLineBytes / sizeof(T) / 2 + 1;

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// The places of vector k that the first `n` of many elements fill.
template <class D>
HWY_INLINE hn::MFromD<D> FilledPlaces(D d, int64_t n, int64_t k) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t left = HWY_MIN(n - lanes * k, lanes);  // what is known to be short needs no branch
  return hn::FirstN(d, static_cast<size_t>(HWY_MAX(left, 0)));
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
HWY_INLINE void UnzipFew(const uint8_t* src, uint8_t* dst, const Box& box) {
  static_assert(kPermutes<T>);
  const WideTag<T> d;
  const int64_t n = box.inner[0].n;
  const auto load = [&](int64_t k) __attribute__((always_inline)) {
    const T* from = reinterpret_cast<const T*>(src) + static_cast<int64_t>(hn::Lanes(d)) * k;
    return hn::MaskedLoad(FilledPlaces(d, n * kC, k), d, from);
  };
  const auto filled = FilledPlaces(d, n, 0);
  UnzipByBlends<kC>(d, load, StoreFew<decltype(filled)>{filled, dst, box.inner[1].os});
}
template <int kC, class T>
HWY_INLINE void ZipFew(const uint8_t* src, uint8_t* dst, const Box& box) {
  static_assert(kPermutes<T>);
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
  ZipByBlends<kC>(d, row, store);
}

// A box of at least kFewestBlended pixels, which its columns are if kZips, else its rows. Where more than fill a vector
// leave a single last one, as of 49, that goes element by element.
template <int kC, bool kZips, class T>
HWY_NOINLINE void MovePixelsOf(const uint8_t* src, uint8_t* dst, const Box& box) {
  const WideTag<T> d;
  constexpr int64_t kSize = sizeof(T);
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  const int64_t n = box.inner[kZips].n;
  if (n < lanes) {
    if constexpr (kZips) {
      return ZipFew<kC, T>(src, dst, box);
    } else {
      return UnzipFew<kC, T>(src, dst, box);
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
          ZipByBlends<kC>(d, row, reinterpret_cast<T*>(dst) + i * kC);
        } else {
          UnzipByBlends<kC>(d, reinterpret_cast<const T*>(src) + i * kC, StoreColumns{dst + i * kSize, os});
        }
      });
  if (whole == n) return;
  for (int64_t r = 0; r < kC; ++r) {
    const int64_t row = kZips ? r : whole;
    const int64_t col = kZips ? whole : r;
    memcpy(dst + col * os + row * kSize, src + row * is + col * kSize, kSize);
  }
}

// Pixels of T that families kZip, or else kUnzip, are not made for, though they go by blends.
template <bool kZips, class T>
struct BlendedCounts {
  static constexpr int64_t kEnd = 32;

  template <int kC>
  static constexpr bool Has() {
    constexpr int64_t kSize = sizeof(T);
    if constexpr (kZips) return kZipsByBlends<kC, WideTag<T>> && !IsZipCount(kC, kSize);
    return kUnzipsByBlends<kC, WideTag<T>> && !IsUnzipCount(kC, kSize);
  }
  template <int... kC>
  static constexpr uint32_t Bits(std::integer_sequence<int, kC...>) {
    return (0 | ... | (uint32_t{Has<kC>()} << kC));
  }
  static constexpr uint32_t kBits = Bits(std::make_integer_sequence<int, kEnd>());

  // Calls use(C) for the C that equals `count`, a constant.
  template <int kC = 0, class Use>
  static HWY_INLINE void With(int64_t count, const Use& use) {
    if constexpr (Has<kC>()) {
      if (count == kC) return use(std::integral_constant<int, kC>());
    }
    if constexpr (kC + 1 < kEnd) With<kC + 1>(count, use);
  }
};

// Whether the columns of a transpose, or else its rows, are at least kFewestBlended of such pixels.
template <bool kZips, class T>
HWY_INLINE bool HasPixels(const Axis& rows, const Axis& cols) {
  const int64_t n = kZips ? cols.n : rows.n;
  const int64_t count = kZips ? rows.n : cols.n;
  const int64_t stride = kZips ? cols.os : rows.is;
  using Counts = BlendedCounts<kZips, T>;
  return n >= kFewestBlended<T> && count < Counts::kEnd && (Counts::kBits >> count & 1) != 0 &&
         stride == count * static_cast<int64_t>(sizeof(T));
}

// Calls use(C) for the number of elements of a pixel, a constant. HasPixels().
template <bool kZips, class T, class Use>
HWY_INLINE void WithPixels(const Axis& rows, const Axis& cols, const Use& use) {
  BlendedCounts<kZips, T>::With(kZips ? rows.n : cols.n, use);
}

template <bool kZips, class T>
HWY_INLINE void MovePixels(const uint8_t* src, uint8_t* dst, const Box& box) {
  WithPixels<kZips, T>(box.inner[0], box.inner[1],
                       [&](auto count) { MovePixelsOf<decltype(count)::value, kZips, T>(src, dst, box); });
}

// Whether there are such pixels of T.
template <class T>
constexpr bool kHasBlended = kPermutes<T>&& std::is_integral_v<T>;

// Whether a transpose may have such pixels, told from the counts modulo 32: HasPixels() decides.
template <class T>
HWY_INLINE bool MayBePixels(const Axis& rows, const Axis& cols) {
  constexpr uint32_t kCounts = BlendedCounts<true, T>::kBits | BlendedCounts<false, T>::kBits;
  return ((kCounts >> (rows.n & 31) | kCounts >> (cols.n & 31)) & 1) != 0;
}

// Whether the columns of a transpose are what goes by blends. Where rows are pixels, too, the side that makes more of
// them goes: 5x13 doubles are 13 pixels of 5 (5 of 13 took 1.3 times as long).
template <class T>
HWY_INLINE bool ZipsByBlends(const Axis& rows, const Axis& cols) {
  return HasPixels<true, T>(rows, cols) && (rows.n < cols.n || !HasPixels<false, T>(rows, cols));
}

// Moves a transpose whose columns are such pixels, or whose rows are; false where neither are.
template <class T>
HWY_INLINE bool MovesByBlends(const uint8_t* src, uint8_t* dst, const Box& box) {
  const Axis rows = box.inner[0];
  const Axis cols = box.inner[1];
  const bool zips = ZipsByBlends<T>(rows, cols);
  if (!zips && !HasPixels<false, T>(rows, cols)) return false;
  zips ? MovePixels<true, T>(src, dst, box) : MovePixels<false, T>(src, dst, box);
  return true;
}

// Whether families kUnzip and kZip move pixels by masks where they do not fill a vector. (15 bytes took up to 1.2 times
// as long to be taken apart.)
template <int kC, class T>
constexpr bool kUnzipsFew = kPermutes<T>&& kUnzipsByBlends<kC, WideTag<T>>&& kC <= 14;
template <int kC, class T>
constexpr bool kZipsFew = kPermutes<T>&& kZipsByBlends<kC, WideTag<T>>;

#else

template <class T>
constexpr bool kHasBlended = false;
template <int kC, class T>
constexpr bool kUnzipsFew = false;
template <int kC, class T>
constexpr bool kZipsFew = false;

#endif

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_BLEND_BOXES_INL_H_
