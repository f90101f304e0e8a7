// SPDX-License-Identifier: Apache-2.0
#include "kernels/units.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/run.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/lookup-inl.h"
#include "kernels/stage-runs-inl.h"
#include "kernels/target_index.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
KernelFn FindRun(Family family) {
  if (family == Family::kCopy) return &Copy;
  if (family == Family::kRunAhead) return &RunAhead;
  if (family == Family::kStream) return &Stream;
  if (family == Family::kLookup) return &Lookup;
#if DIMORDER_HAVE_VECTORS
  if (family == Family::kStageRuns) return &StageRuns;
#endif
  return &Run;
}
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dimorder {
inline namespace v1 {
HWY_EXPORT(FindRun);
KernelFn FindRunKernel(Family family, int64_t target) noexcept {
  return HWY_DISPATCH_TABLE(FindRun)[TargetIndex<HWY_TARGETS>(target)](family);
}
}  // namespace v1
}  // namespace dimorder
#endif  // HWY_ONCE
