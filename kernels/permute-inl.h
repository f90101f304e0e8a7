// SPDX-License-Identifier: Apache-2.0
// Permutations of the elements of a whole vector, where that is one instruction.
#if defined(DIMORDER_KERNELS_PERMUTE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PERMUTE_INL_H_
#undef DIMORDER_KERNELS_PERMUTE_INL_H_
#else
#define DIMORDER_KERNELS_PERMUTE_INL_H_
#endif

#include "kernels/blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// Whether there is one of elements of T.
template <class T>
constexpr bool kPermutes = sizeof(T) > 1 || HWY_TARGET <= HWY_AVX3_DL;

// The elements of `v` from the places that `from` says.
template <class T>
HWY_INLINE __m512i Permuted(__m512i from, __m512i v) {
  static_assert(kPermutes<T>);
  if constexpr (sizeof(T) == 1) {
#if HWY_TARGET <= HWY_AVX3_DL
    return _mm512_permutexvar_epi8(from, v);
#endif
  } else if constexpr (sizeof(T) == 2) {
    return _mm512_permutexvar_epi16(from, v);
  } else if constexpr (sizeof(T) == 4) {
    return _mm512_permutexvar_epi32(from, v);
  } else {
    static_assert(sizeof(T) == 8);
    return _mm512_permutexvar_epi64(from, v);
  }
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PERMUTE_INL_H_
