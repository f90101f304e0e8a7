// SPDX-License-Identifier: Apache-2.0
// Five rows of 4-byte elements interleaved, where vectors are shorter than a line: the transpose that microtiles fit
// worst, since a column is a block and one element more, and both stores of it cross lines. Here the destination is
// made block by block instead, each from whichever two columns it holds parts of: 10 stores for 8 columns, not 16, and
// none that overlap (images of 5 channels of floats 2.1 -> 1.15 times a copy).
#if defined(DIMORDER_KERNELS_FIVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_FIVE_INL_H_
#undef DIMORDER_KERNELS_FIVE_INL_H_
#else
#define DIMORDER_KERNELS_FIVE_INL_H_
#endif

#include "kernels/microtile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// As many columns as vectors have elements, from row(0) to row(4).
template <class D, class Row, class T = hn::TFromD<D>>
HWY_INLINE void InterleaveFive(D d, const Row& row, T* HWY_RESTRICT dst) {
  const hn::RepartitionToWide<D> pairs;
  const auto low = [&](auto a, auto b) { return hn::BitCast(pairs, hn::InterleaveLower(d, a, b)); };
  const auto high = [&](auto a, auto b) { return hn::BitCast(pairs, hn::InterleaveUpper(d, a, b)); };
  const auto v0 = row(0), v1 = row(1), v2 = row(2), v3 = row(3), v4 = row(4);
  const auto turn = hn::BitCast(pairs, hn::OddEven(v0, v4));  // 4 and 0: the end of one, the start of the next
  const auto store = [&](int64_t block, auto v) {
    StoreBlocks(d, hn::BitCast(d, v), reinterpret_cast<uint8_t*>(dst) + block * 16, 5 * 16);
  };
  // The rows of each block's elements; | is where a column ends.
  store(0, hn::InterleaveLower(pairs, low(v0, v1), low(v2, v3)));             // 0 1 2 3
  store(1, hn::OddEven(low(v1, v2), turn));                                   // 4 | 0 1 2
  store(2, hn::CombineShiftRightBytes<8>(pairs, high(v0, v1), low(v3, v4)));  // 3 4 | 0 1
  store(3, hn::OddEven(turn, high(v2, v3)));                                  // 2 3 4 | 0
  store(4, hn::InterleaveUpper(pairs, high(v1, v2), high(v3, v4)));           // 1 2 3 4
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_FIVE_INL_H_
