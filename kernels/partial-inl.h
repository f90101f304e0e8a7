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

// The first and the last 8 of `n` bytes, 8 <= n <= 16, as the halves of a block: no lookup joins or parts them.
template <class T>
HWY_INLINE hn::VFromD<BlockTag<T>> LoadEnds(const uint8_t* p, size_t n) {
  const BlockTag<uint8_t> bytes;
  const hn::Half<decltype(bytes)> half;
  return hn::BitCast(BlockTag<T>(), hn::Combine(bytes, hn::LoadU(half, p + n - 8), hn::LoadU(half, p)));
}
template <class D>
HWY_INLINE void StoreEnds(D, hn::VFromD<D> v, uint8_t* p, size_t n) {
  const BlockTag<uint8_t> bytes;
  const hn::Half<decltype(bytes)> half;
  const auto all = hn::BitCast(bytes, v);
  hn::StoreU(hn::LowerHalf(half, all), half, p);
#if HWY_ARCH_X86  // UpperHalf() would shuffle it to the lower one first; this is a store
  const auto upper = all.raw[1];
  memcpy(p + n - 8, &upper, sizeof(upper));
#else
  hn::StoreU(hn::UpperHalf(half, all), half, p + n - 8);
#endif
}

// Calls load(p), or store(block_d, block, p), for each block of a vector, from or to at(k).
template <class D, class At, class Load>
HWY_INLINE hn::VFromD<D> JoinBlocks(D d, const At& at, const Load& load) {
  if constexpr (kBlocks<D> == 1) {
    return load(at(0));
  } else {
    const hn::Half<D> half;
    const auto upper = [&at](int64_t k) { return at(k + kBlocks<D> / 2); };
    return hn::Combine(d, JoinBlocks(half, upper, load), JoinBlocks(half, at, load));
  }
}
template <class D, class At, class Store>
HWY_INLINE void PartBlocks(D d, hn::VFromD<D> v, const At& at, const Store& store) {
  if constexpr (kBlocks<D> == 1) {
    store(d, v, at(0));
  } else {
    const hn::Half<D> half;
    const auto upper = [&at](int64_t k) { return at(k + kBlocks<D> / 2); };
    PartBlocks(half, hn::LowerHalf(half, v), at, store);
    PartBlocks(half, hn::UpperHalf(half, v), upper, store);
  }
}

// The first n bytes of each block.
template <class D, class At>
HWY_INLINE hn::VFromD<D> LoadFirstOfBlocks(D d, const At& at, size_t n) {
  return JoinBlocks(d, at, [=](const uint8_t* p) { return LoadFirst<hn::TFromD<D>>(p, n); });
}
template <class D, class At>
HWY_INLINE void StoreFirstOfBlocks(D d, hn::VFromD<D> v, const At& at, size_t n) {
  PartBlocks(d, v, at, [=](auto block_d, auto block, uint8_t* p) { StoreFirst(block_d, block, p, n); });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PARTIAL_INL_H_
