// SPDX-License-Identifier: Apache-2.0
// All families of one element type, for the unit of its width.
#if defined(DIMORDER_KERNELS_FAMILIES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_FAMILIES_INL_H_
#undef DIMORDER_KERNELS_FAMILIES_INL_H_
#else
#define DIMORDER_KERNELS_FAMILIES_INL_H_
#endif

#include "kernels/ahead-inl.h"
#include "kernels/batch-inl.h"
#include "kernels/generic-inl.h"
#include "kernels/joined-inl.h"
#include "kernels/lines-inl.h"
#include "kernels/pick-inl.h"
#include "kernels/pixel-inl.h"
#include "kernels/regroup-inl.h"
#include "kernels/stage-inl.h"
#include "kernels/unzip-inl.h"
#include "kernels/zip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// A target without vectors runs kGeneric for every family that has strides: it takes any.
template <class T>
KernelFn FindFamily(Family family) {
  if constexpr (std::is_integral_v<T>) {
    if (family == Family::kJoined) return &Joined<T>;
  }
#if DIMORDER_HAVE_VECTORS
  if (family == Family::kTile) return &Tile<T>;
  if (family == Family::kStage) return &Stage<T>;
  if constexpr (!std::is_same_v<T, Block128>) {
    if (family == Family::kAhead) return &Ahead<T>;
  }
  if constexpr (std::is_integral_v<T>) {
    if (family == Family::kLines) return &Lines<T>;
    if (family == Family::kZip) return &Zip<T, false>;
    if (family == Family::kZipAhead) return &Zip<T, true>;
    if (family == Family::kUnzip) return &Unzip<T, false>;
    if (family == Family::kUnzipAhead) return &Unzip<T, true>;
    if (family == Family::kPick) return &Pick<T>;
    if (family == Family::kShuffle) return &Shuffle<T>;
    if (family == Family::kBatch) return &Batch<T>;
    if (family == Family::kRegroup) return &Regroup<T, false>;
    if (family == Family::kStageRegroup) return &Regroup<T, true>;
  }
#endif
  return &Generic<sizeof(T)>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_FAMILIES_INL_H_
