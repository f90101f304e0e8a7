// SPDX-License-Identifier: Apache-2.0
// Small boxes that adjoin on both sides, as many at a time as fit a block of 16 bytes: one table lookup moves all of
// them. Blocks are loaded and stored whole, in ascending order, so that what one has too much is overwritten by the
// next.
#if defined(DIMORDER_KERNELS_SHUFFLE_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_SHUFFLE_BLOCKS_INL_H_
#undef DIMORDER_KERNELS_SHUFFLE_BLOCKS_INL_H_
#else
#define DIMORDER_KERNELS_SHUFFLE_BLOCKS_INL_H_
#endif

#include "kernels/partial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Calls set(to, from) for the elements of a box: element `to` of the destination is element `from` of the source.
template <class Set>
HWY_INLINE void ForEachElement(int64_t rows, int64_t cols, const Set& set) {
  for (int64_t c = 0; c < cols; ++c) {
    for (int64_t r = 0; r < rows; ++r) set(c * rows + r, r * cols + c);
  }
}

// Boxes of at most 16 bytes.
class BoxesInBlocks {
 public:
  BoxesInBlocks(int64_t rows, int64_t cols, int64_t element) {
    const int64_t box = rows * cols * element;
    bytes_ = 16 / box * box;
    for (int64_t at = 0; at < bytes_; at += box) {
      ForEachElement(rows, cols, [&](int64_t to, int64_t from) {
        for (int64_t b = 0; b < element; ++b) {
          from_[at + to * element + b] = static_cast<uint8_t>(at + from * element + b);
        }
      });
    }
  }

  // So many bytes of whole boxes.
  HWY_INLINE void Move(const uint8_t* src, uint8_t* dst, int64_t bytes) const {
    bytes_ == 16 ? MoveBlocks<true>(src, dst, bytes) : MoveBlocks<false>(src, dst, bytes);
  }

 private:
  // kFilled: blocks are full, and whole vectors adjoin.
  template <bool kFilled>
  HWY_INLINE void MoveBlocks(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t bytes) const {
    const WideTag<uint8_t> wide;
    const BlockTag<uint8_t> block;
    constexpr int64_t kAtOnce = kBlocks<decltype(wide)>;
    const int64_t step = bytes_;  // in a register: what is stored cannot change it
    const auto wide_from = hn::LoadDup128(wide, from_);
    const auto block_from = hn::Load(block, from_);
    int64_t at = 0;
    for (; at + (kAtOnce - 1) * step + 16 <= bytes; at += kAtOnce * step) {
      if constexpr (kFilled) {
        hn::StoreU(hn::TableLookupBytes(hn::LoadU(wide, src + at), wide_from), wide, dst + at);
      } else {
        StoreBlocks(wide, hn::TableLookupBytes(LoadBlocks(wide, src + at, step), wide_from), dst + at, step);
      }
    }
    for (; at + 16 <= bytes; at += step) {
      hn::StoreU(hn::TableLookupBytes(hn::LoadU(block, src + at), block_from), block, dst + at);
    }
    if (at >= bytes) return;
    const auto left = static_cast<size_t>(bytes - at);
    StoreFirst(block, hn::TableLookupBytes(LoadFirst<uint8_t>(src + at, left), block_from), dst + at, left);
  }

  int64_t bytes_;  // of the boxes in a block
  alignas(16) uint8_t from_[16] = {};
};

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_SHUFFLE_BLOCKS_INL_H_
