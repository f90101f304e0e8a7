// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernels.h"

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "kernels/units.h"

namespace dimorder {
inline namespace v1 {
namespace {

constexpr KernelInfo kKernelInfo[kNumKernels] = {
#define DIMORDER_KERNEL(name, family, bytes) {#name, Family::family, bytes},
#include "kernels/kernels.inc"
#undef DIMORDER_KERNEL
};

}  // namespace

const KernelInfo& GetKernelInfo(KernelId id) noexcept { return kKernelInfo[id]; }

KernelId FindKernelId(Family family, int64_t element_bytes) noexcept {
  for (int id = 0; id < kNumKernels; ++id) {
    if (kKernelInfo[id].family == family && kKernelInfo[id].element_bytes == element_bytes) {
      return static_cast<KernelId>(id);
    }
  }
  return kNumKernels;
}

KernelFn GetKernel(KernelId id, int64_t target) noexcept {
  const KernelInfo& info = kKernelInfo[id];
  if (info.family == Family::kRun || info.family == Family::kStream) return FindRunKernel(info.family, target);
  switch (info.element_bytes) {
    case 1:
      return FindKernelX8(info.family, target);
    case 2:
      return FindKernelX16(info.family, target);
    case 4:
      return FindKernelX32(info.family, target);
    case 8:
      return FindKernelX64(info.family, target);
    case 16:
      return FindKernelX128(info.family, target);
    default:
      return FindKernelPixel(info.family, info.element_bytes, target);
  }
}

void FenceStreams() noexcept { hwy::FlushStream(); }

int64_t CompiledTargetMask() noexcept { return HWY_TARGETS; }

}  // namespace v1
}  // namespace dimorder
