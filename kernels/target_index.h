// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_KERNELS_TARGET_INDEX_H_
#define DIMORDER_KERNELS_TARGET_INDEX_H_

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

namespace dimorder {
inline namespace v1 {

// Where HWY_EXPORT's table of a file whose HWY_TARGETS are kTargets (files differ) holds `target`, or else the best of
// those that are worse. Highway's process-wide choice is neither read nor written: other users of libhwy live in the
// process.
template <int64_t kTargets>
size_t TargetIndex([[maybe_unused]] int64_t target) {
  if constexpr ((kTargets & (kTargets - 1)) == 0) {
    return 0;  // one static target: the table has one entry
  } else {
    // -target is its bit and all above it, which are worse. Otherwise as hwy::ChosenTarget's Update() and GetIndex(),
    // whose atomic exchange took a twentieth of Plan::Create.
    const int64_t at_most = HWY_CHOSEN_TARGET_SHIFT(-target & kTargets);
    return hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<uint64_t>(at_most | HWY_CHOSEN_TARGET_MASK_SCALAR));
  }
}

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_KERNELS_TARGET_INDEX_H_
