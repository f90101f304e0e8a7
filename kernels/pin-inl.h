// SPDX-License-Identifier: Apache-2.0
// Values that a compiler shall take as they come. It knows where a vector was loaded from, and which constant a mask
// or a table is, and chooses other instructions by that; what is pinned it knows nothing about.
#if defined(DIMORDER_KERNELS_PIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PIN_INL_H_
#undef DIMORDER_KERNELS_PIN_INL_H_
#else
#define DIMORDER_KERNELS_PIN_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// A vector stays in its register: gcc may load one again for each use, clang make a call of memcpy of a loop.
template <class V>
HWY_INLINE V Pinned(V v) {
#if HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
  return v;
}

// A vector of places: clang makes two shuffles of one by places that it knows (8 rows of 1 and 2 bytes took 1.25 times
// as long). Where gcc 12's code was looked at, in these rows, it had one, so that nothing is hidden from it.
template <class Places>
HWY_INLINE Places PinnedPlaces(Places places) {
#if HWY_ARCH_X86 && HWY_COMPILER_CLANG
  asm("" : "+v"(places.raw));
#endif
  return places;
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// The mask of a blend, __mmask8 to __mmask64: clang makes a shuffle of a blend by one that it knows. (Pinned by gcc,
// too, columns of 49 bytes took 1.2 times as long.)
template <class Mask>
HWY_INLINE Mask PinnedMask(Mask mask) {
#if HWY_COMPILER_CLANG
  asm("" : "+Yk"(mask));
#endif
  return mask;
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PIN_INL_H_
