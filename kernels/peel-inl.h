// SPDX-License-Identifier: Apache-2.0
// Family kTile's entry, and boxes whose columns begin within a line.
//
// Where all columns begin at one place within a line, as most do in what malloc returns, one tile of rows is moved
// first and the others begin where a line does: 2048x49 floats 4.1 -> 1.5 times a copy, with vectors of 32 bytes
// 5.1 -> 2.5; 3136x64 of 2 bytes 2.2 -> 1.6 and 2.8 -> 1.5.
#if defined(DIMORDER_KERNELS_PEEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PEEL_INL_H_
#undef DIMORDER_KERNELS_PEEL_INL_H_
#else
#define DIMORDER_KERNELS_PEEL_INL_H_
#endif

#include "kernels/block128-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Not inline: one copy serves all that peel.
template <class T>
HWY_NOINLINE void TransposeApart(const uint8_t* src, uint8_t* dst, const Box& box) {
  TransposeBox<T>(src, dst, box);
}

// Rows [from, from + n) of a box.
template <class T>
HWY_INLINE void TransposeRows(const uint8_t* src, uint8_t* dst, const Box& box, int64_t from, int64_t n) {
  Box part = box;
  part.inner[0].n = n;
  TransposeApart<T>(src + from * box.inner[0].is, dst + from * static_cast<int64_t>(sizeof(T)), part);
}

// Whether all boxes begin with a line, and so do all of their columns.
HWY_INLINE bool OnLines(const uint8_t* dst, const KernelArgs& args) {
  const int64_t strides = args.inner[1].os | args.inner[2].os | args.inner[3].os;
  return (reinterpret_cast<intptr_t>(dst) | strides) % kLineBytes == 0;
}

// Boxes in L1 are not worth another tile that puts the others on lines.
constexpr int64_t kMinPeeledBytes = int64_t{32} * 1024;

// Shorter columns are not worth another tile that puts the others on lines. Vectors of less than a line gain soon
// (256x256 of 1 and 2 bytes 0.73 and 0.56 of the time, 64x256 floats 0.7, 24 doubles 0.85); whole ones
// ask for the lines of 4 and 8 bytes, which serves short columns better (256 bytes peeled 1.2).
template <class T>
constexpr int64_t kMinPeeledColumn = kBlocks<WideTag<uint8_t>> < 4 ? 192 : (sizeof(T) <= 2 ? 384 : 1024);

// Rows before the first line that begins in a column, where one begins in all of them and that is worth it; else 0.
template <class T>
HWY_INLINE int64_t RowsToLine(const uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t column_bytes = box.inner[0].n * kSize;
  const bool large = column_bytes >= kMinPeeledColumn<T> && column_bytes * box.inner[1].n >= kMinPeeledBytes;
  if (!large || box.inner[1].os % kLineBytes != 0) return 0;
  const auto bytes = static_cast<int64_t>(BytesToLine(dst));
  return bytes % kSize == 0 ? bytes / kSize : 0;
}

// Moves a box by move(src, dst, box), but where its columns begin within a line, without the rows before the next one:
// those are moved first, with as many more as make a tile.
template <class T, class Move>
HWY_INLINE void PeelBox(const uint8_t* src, uint8_t* dst, const Box& box, const Move& move) {
  const int64_t peeled = RowsToLine<T>(dst, box);
  if (peeled == 0) return move(src, dst, box);
  constexpr int64_t kSize = sizeof(T);
  TransposeRows<T>(src, dst, box, 0, kLineBytes / kSize);
  Box rest = box;
  rest.inner[0].n -= peeled;
  move(src + peeled * box.inner[0].is, dst + peeled * kSize, rest);
}

// Apart from boxes of short columns, which it cost 3 percent.
template <class T>
HWY_NOINLINE void PeeledTile(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  ForEachBox(src, dst, args,
             [](const uint8_t* s, uint8_t* d, const Box& box) { PeelBox<T>(s, d, box, &TransposeApart<T>); });
}

template <class T>
void Tile(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  if (args.inner[0].n * static_cast<int64_t>(sizeof(T)) >= kMinPeeledColumn<T>) return PeeledTile<T>(src, dst, args);
  ForEachBox(
      src, dst, args,
      [](const uint8_t* s, uint8_t* d, const Box& box) __attribute__((always_inline)) { TransposeBox<T>(s, d, box); });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PEEL_INL_H_
