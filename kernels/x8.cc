// SPDX-License-Identifier: Apache-2.0
#include "kernels/units.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/x8.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/families-inl.h"
#include "kernels/target_index.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
KernelFn FindX8(Family family) { return FindFamily<uint8_t>(family); }
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dimorder {
inline namespace v1 {
HWY_EXPORT(FindX8);
KernelFn FindKernelX8(Family family, int64_t target) noexcept {
  return HWY_DISPATCH_TABLE(FindX8)[TargetIndex<HWY_TARGETS>(target)](family);
}
}  // namespace v1
}  // namespace dimorder
#endif  // HWY_ONCE
