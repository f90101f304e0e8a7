// SPDX-License-Identifier: Apache-2.0
// Values that a compiler shall take as they come. It knows where a vector was loaded from, and which constant a mask
// is, and chooses other instructions by that; what is pinned it knows nothing about.
#if defined(DIMORDER_KERNELS_PIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PIN_INL_H_
#undef DIMORDER_KERNELS_PIN_INL_H_
#else
#define DIMORDER_KERNELS_PIN_INL_H_
#endif

#include "kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// A vector that was loaded stays in its register: gcc may load it again for each use.
template <class V>
HWY_INLINE V Pinned(V v) {
#if HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
  return v;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// A mask, __mmask8 to __mmask64, makes blends: clang makes shuffles of those by masks that it knows. (By gcc columns of
// 49 bytes took 1.2 times as long.)
template <class Mask>
HWY_INLINE Mask PinnedMask(Mask mask) {
#if HWY_COMPILER_CLANG
  asm("" : "+Yk"(mask));
#endif
  return mask;
}

#endif

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PIN_INL_H_
