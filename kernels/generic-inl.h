// SPDX-License-Identifier: Apache-2.0
// Family kGeneric: one element at a time, any strides. Also what a target without vectors runs for all families.
#if defined(DIMORDER_KERNELS_GENERIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_GENERIC_INL_H_
#undef DIMORDER_KERNELS_GENERIC_INL_H_
#else
#define DIMORDER_KERNELS_GENERIC_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// The elements of inner[0] and inner[1], from `src` to `dst`; each is `kBytes` contiguous bytes that move as one.
template <size_t kBytes>
HWY_INLINE void MovePlane(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, const KernelArgs& args) {
  const Axis x = args.inner[0];
  const Axis y = args.inner[1];
#pragma GCC unroll 1  // clang unrolls both loops else: 2x3 floats 2.2 times as long
  for (int64_t j = 0; j < y.n; ++j) {
#if HWY_COMPILER_CLANG  // by gcc 1.1 times as long
#pragma unroll 2
#endif
    for (int64_t i = 0; i < x.n; ++i) memcpy(dst + i * x.os, src + i * x.is, kBytes);
    src += y.is;
    dst += y.os;
  }
}

template <size_t kBytes>
void Generic(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const Axis& z = args.inner[2];
  const Axis& w = args.inner[3];
  if (z.n * w.n == 1) return MovePlane<kBytes>(src, dst, args);
  for (int64_t l = 0; l < w.n; ++l) {
    for (int64_t k = 0; k < z.n; ++k) {
      MovePlane<kBytes>(src + l * w.is + k * z.is, dst + l * w.os + k * z.os, args);
    }
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_GENERIC_INL_H_
