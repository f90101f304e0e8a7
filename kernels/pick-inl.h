// SPDX-License-Identifier: Apache-2.0
// Family kPick: every second to fourth element out of rows, as a channel out of pixels, by what takes pixels apart: of
// what UnzipVector() makes only the first element's vector is stored, and what only the others need is not computed.
#if defined(DIMORDER_KERNELS_PICK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PICK_INL_H_
#undef DIMORDER_KERNELS_PICK_INL_H_
#else
#define DIMORDER_KERNELS_PICK_INL_H_
#endif

#include "kernels/unzip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Where UnzipVector() hands its vectors: that of the first element is stored.
struct StoreFirstColumn {
  uint8_t* HWY_RESTRICT dst;

  template <class D>
  HWY_INLINE void Store(D d, int64_t c, hn::VFromD<D> v) const {
    if (c == 0) hn::StoreU(v, d, reinterpret_cast<hn::TFromD<D>*>(dst));
  }
};

// Vectors of half a line for 1 and 2 bytes (those of a line took 0.85 to 1.5 times as long), of a block for 4 and 8
// (wider ones took 0.7 to 2 times as long). The last element goes alone: nothing behind it is the source's.
template <class T, int kC>
HWY_INLINE void PickRow(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t n) {
  constexpr int64_t kSize = sizeof(T);
  const hn::CappedTag<T, (kSize <= 2 ? kLineBytes / 2 : 16) / kSize> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t alone = 0;
  if (n > lanes) {
    alone = n - 1;
    ForEachVector(alone, lanes, [&](int64_t i) {
      UnzipVector<kC>(d, reinterpret_cast<const T*>(src) + i * kC, StoreFirstColumn{dst + i * kSize});
    });
  }
  for (int64_t i = alone; i < n; ++i) memcpy(dst + i * kSize, src + i * kC * kSize, kSize);
}

template <class T, int kC>
HWY_INLINE void PickRows(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  ForEachBox(src, dst, args, [](const uint8_t* from, uint8_t* to, const Box& box) {
    const Axis& rows = box.inner[1];
    for (int64_t r = 0; r < rows.n; ++r) PickRow<T, kC>(from + r * rows.is, to + r * rows.os, box.inner[0].n);
  });
}

template <class T>
void Pick(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  constexpr int64_t kSize = sizeof(T);
  if (args.inner[0].is == 2 * kSize) return PickRows<T, 2>(src, dst, args);
  if (args.inner[0].is == 3 * kSize) return PickRows<T, 3>(src, dst, args);
  PickRows<T, 4>(src, dst, args);
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PICK_INL_H_
