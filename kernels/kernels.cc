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

constexpr int kNumFamilies = static_cast<int>(Family::kGeneric) + 1;
constexpr int64_t kMostBytes = 16;

// kKernelInfo the other way round: ids by family and element size.
struct IdTable {
  constexpr IdTable() {
    for (auto& ids : id) {
      for (KernelId& one : ids) one = kNumKernels;
    }
    for (int i = 0; i < kNumKernels; ++i) {
      id[static_cast<int>(kKernelInfo[i].family)][kKernelInfo[i].element_bytes] = static_cast<KernelId>(i);
    }
  }

  KernelId id[kNumFamilies][kMostBytes + 1] = {};
};
constexpr IdTable kIds;

// Of runs, or of bytes whatever they are part of.
bool MovesBytes(Family family) {
  return family == Family::kCopy || family == Family::kRun || family == Family::kRunAhead ||
         family == Family::kStream || family == Family::kStageRuns || family == Family::kLookup;
}

}  // namespace

const KernelInfo& GetKernelInfo(KernelId id) noexcept { return kKernelInfo[id]; }

KernelId FindKernelId(Family family, int64_t element_bytes) noexcept {
  if (element_bytes < 0 || element_bytes > kMostBytes) return kNumKernels;
  return kIds.id[static_cast<int>(family)][element_bytes];
}

KernelFn GetKernel(KernelId id, int64_t target) noexcept {
  const KernelInfo& info = kKernelInfo[id];
  if (MovesBytes(info.family)) return FindRunKernel(info.family, target);
  if (info.family == Family::kTwoPass) return &TwoPass;
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

// Those of this file, which are those of all units.
int64_t CompiledTargetMask() noexcept { return HWY_TARGETS; }

}  // namespace v1
}  // namespace dimorder
