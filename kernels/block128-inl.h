// SPDX-License-Identifier: Apache-2.0
// Transposes of elements of 16 bytes: nothing to shuffle.
#if defined(DIMORDER_KERNELS_BLOCK128_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_BLOCK128_INL_H_
#undef DIMORDER_KERNELS_BLOCK128_INL_H_
#else
#define DIMORDER_KERNELS_BLOCK128_INL_H_
#endif

#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// An element of 16 bytes, for which Highway has no lane type.
struct Block128 {
  uint64_t halves[2];
};

#if DIMORDER_HAVE_VECTORS

// `rows` elements of 16 bytes, `is` bytes apart, to adjoining ones.
template <class D>
HWY_INLINE void GatherBlocks(D d, const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst,
                             int64_t rows) {
  int64_t i = 0;
  for (; i + kBlocks<D> <= rows; i += kBlocks<D>) {
    hn::StoreU(LoadBlocks(d, src + i * is, is), d, reinterpret_cast<uint64_t*>(dst + i * 16));
  }
  for (; i < rows; ++i) memcpy(dst + i * 16, src + i * is, 16);
}

template <class D>
HWY_INLINE void BlockPanels(D d, const uint8_t* src, uint8_t* dst, const Box& box) {
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  const int64_t panel = HWY_MAX(box.panel, int64_t{1});
  for (int64_t r = 0; r < box.inner[0].n; r += panel) {
    const int64_t rows = HWY_MIN(panel, box.inner[0].n - r);
    for (int64_t c = 0; c < box.inner[1].n; ++c) {
      GatherBlocks(d, src + r * is + c * 16, is, dst + c * os + r * 16, rows);
    }
  }
}

// As many as fill a vector are stored at once (in L1 0.55 of the time; of two
// rows 1.15 times).
template <>
HWY_INLINE void TransposeBox<Block128>(const uint8_t* src, uint8_t* dst, const Box& box) {
  if (box.inner[0].n < 4) return BlockPanels(BlockTag<uint64_t>(), src, dst, box);
  BlockPanels(WideTag<uint64_t>(), src, dst, box);
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_BLOCK128_INL_H_
