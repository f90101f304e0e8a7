// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_KERNELS_TARGET_INDEX_H_
#define DIMORDER_KERNELS_TARGET_INDEX_H_

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

namespace dimorder {
inline namespace v1 {

// Where HWY_EXPORT's table of the including file holds `target`. Highway's process-wide choice is neither read nor
// written: other users of libhwy live in the process.
inline size_t TargetIndex([[maybe_unused]] int64_t target) {
#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0
  return 0;  // one static target: the table has one entry
#else
  // As hwy::ChosenTarget's Update() and GetIndex(), whose atomic exchange took a twentieth of Plan::Create.
  const int64_t mask = HWY_CHOSEN_TARGET_SHIFT(target) | HWY_CHOSEN_TARGET_MASK_SCALAR;
  return hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<uint64_t>(mask & HWY_CHOSEN_TARGET_MASK_TARGETS));
#endif
}

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_KERNELS_TARGET_INDEX_H_
