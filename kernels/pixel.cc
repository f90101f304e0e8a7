// SPDX-License-Identifier: Apache-2.0
#include "kernels/units.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pixel.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/families-inl.h"
#include "kernels/target_index.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
KernelFn FindPixel(Family family, int64_t element_bytes) {
  if (element_bytes == 3) return FindFamily<Pixel<3>>(family);
  if (element_bytes == 5) return FindFamily<Pixel<5>>(family);
  if (element_bytes == 6) return FindFamily<Pixel<6>>(family);
  return FindFamily<Pixel<7>>(family);
}
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dimorder {
inline namespace v1 {
HWY_EXPORT(FindPixel);
KernelFn FindKernelPixel(Family family, int64_t element_bytes, int64_t target) noexcept {
  return HWY_DISPATCH_TABLE(FindPixel)[TargetIndex<HWY_TARGETS>(target)](family, element_bytes);
}
}  // namespace v1
}  // namespace dimorder
#endif  // HWY_ONCE
