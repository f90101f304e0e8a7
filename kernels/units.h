// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_KERNELS_UNITS_H_
#define DIMORDER_KERNELS_UNITS_H_

#include <cstdint>

#include "kernels/kernels.h"

// The translation units behind GetKernel: one per element width, to bound compile time, one for runs and lookups
// and one for elements of odd widths; and the kernel that calls others, the same for all targets.
namespace dimorder {
inline namespace v1 {

KernelFn FindRunKernel(Family family, int64_t target) noexcept;
KernelFn FindKernelX8(Family family, int64_t target) noexcept;
KernelFn FindKernelX16(Family family, int64_t target) noexcept;
KernelFn FindKernelX32(Family family, int64_t target) noexcept;
KernelFn FindKernelX64(Family family, int64_t target) noexcept;
KernelFn FindKernelX128(Family family, int64_t target) noexcept;
KernelFn FindKernelPixel(Family family, int64_t element_bytes, int64_t target) noexcept;
void TwoPass(const uint8_t* src, uint8_t* dst, const KernelArgs& args);

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_KERNELS_UNITS_H_
