// SPDX-License-Identifier: Apache-2.0
// Loads and stores of less than 16 bytes, as two parts that overlap, so nothing beside them is touched.
#if defined(DIMORDER_KERNELS_PARTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PARTIAL_INL_H_
#undef DIMORDER_KERNELS_PARTIAL_INL_H_
#else
#define DIMORDER_KERNELS_PARTIAL_INL_H_
#endif

#include "kernels/microtile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

template <class U>
HWY_INLINE uint64_t LoadBits(const uint8_t* p) {
  U bits;
  memcpy(&bits, p, sizeof(bits));
  return bits;
}
template <class U>
HWY_INLINE void StoreBits(uint64_t bits, uint8_t* p) {
  const U part = static_cast<U>(bits);
  memcpy(p, &part, sizeof(part));
}

// 1 <= n <= 8 bytes, as the lowest of eight.
template <class U>
HWY_INLINE uint64_t LoadBitsPair(const uint8_t* p, size_t n) {
  return LoadBits<U>(p) | LoadBits<U>(p + n - sizeof(U)) << 8 * (n - sizeof(U));
}
HWY_INLINE uint64_t LoadUpTo8(const uint8_t* p, size_t n) {
  if (n >= 4) return LoadBitsPair<uint32_t>(p, n);
  return n >= 2 ? LoadBitsPair<uint16_t>(p, n) : *p;
}

template <class U>
HWY_INLINE void StoreBitsPair(uint64_t bits, uint8_t* p, size_t n) {
  StoreBits<U>(bits, p);
  StoreBits<U>(bits >> 8 * (n - sizeof(U)), p + n - sizeof(U));
}
HWY_INLINE void StoreUpTo8(uint64_t bits, uint8_t* p, size_t n) {
  if (n >= 4) return StoreBitsPair<uint32_t>(bits, p, n);
  n >= 2 ? StoreBitsPair<uint16_t>(bits, p, n) : StoreBits<uint8_t>(bits, p);
}

// Places for the ends of 8 < n < 16 bytes, at n % 8.
struct SlideTable {
  constexpr SlideTable() {
    for (int i = 0; i < 16; ++i) {
      for (int n = 9; n < 16; ++n) {
        join[n % 8][i] = static_cast<uint8_t>(i < 8 ? i : HWY_MIN(i + 16 - n, 15));
        last[n % 8][i] = static_cast<uint8_t>(HWY_MIN(i + n - 8, 15));
      }
    }
  }

  alignas(16) uint8_t join[8][16] = {};  // of the first and the last 8 of n bytes: all of them
  alignas(16) uint8_t last[8][16] = {};  // of n bytes: the last 8
};
inline constexpr SlideTable kSlideTable = SlideTable();

// The first `n` of 16 bytes; what the rest is does not matter.
template <class T>
HWY_INLINE hn::VFromD<BlockTag<T>> LoadFirst(const uint8_t* p, size_t n) {
  const BlockTag<T> d;
  const BlockTag<uint8_t> bytes;
  const hn::Half<decltype(bytes)> half;
  if (n == 16) return hn::LoadU(d, reinterpret_cast<const T*>(p));
  if (n <= 8) return hn::BitCast(d, hn::Set(BlockTag<uint64_t>(), LoadUpTo8(p, n)));
  const auto ends = hn::Combine(bytes, hn::LoadU(half, p + n - 8), hn::LoadU(half, p));
  return hn::BitCast(d, hn::TableLookupBytes(ends, hn::Load(bytes, kSlideTable.join[n % 8])));
}
template <class D>
HWY_INLINE void StoreFirst(D d, hn::VFromD<D> v, uint8_t* p, size_t n) {
  const BlockTag<uint8_t> bytes;
  const hn::Half<decltype(bytes)> half;
  if (n == 16) return hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(p));
  const auto all = hn::BitCast(bytes, v);
  if (n <= 8) return StoreUpTo8(hn::GetLane(hn::BitCast(BlockTag<uint64_t>(), v)), p, n);
  const auto last = hn::TableLookupBytes(all, hn::Load(bytes, kSlideTable.last[n % 8]));
  hn::StoreU(hn::LowerHalf(half, all), half, p);
  hn::StoreU(hn::LowerHalf(half, last), half, p + n - 8);
}

// The same of each block of a vector, from or to at(k).
template <class D, class At>
HWY_INLINE hn::VFromD<D> LoadFirstOfBlocks(D d, const At& at, size_t n) {
  if constexpr (kBlocks<D> == 1) {
    return LoadFirst<hn::TFromD<D>>(at(0), n);
  } else {
    const hn::Half<D> half;
    const auto lower = LoadFirstOfBlocks(half, at, n);
    const auto upper = LoadFirstOfBlocks(
        half, [&at](int64_t k) { return at(k + kBlocks<D> / 2); }, n);
    return hn::Combine(d, upper, lower);
  }
}
template <class D, class At>
HWY_INLINE void StoreFirstOfBlocks(D d, hn::VFromD<D> v, const At& at, size_t n) {
  if constexpr (kBlocks<D> == 1) {
    StoreFirst(d, v, at(0), n);
  } else {
    const hn::Half<D> half;
    StoreFirstOfBlocks(half, hn::LowerHalf(half, v), at, n);
    StoreFirstOfBlocks(
        half, hn::UpperHalf(half, v), [&at](int64_t k) { return at(k + kBlocks<D> / 2); }, n);
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PARTIAL_INL_H_
