// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_TUNE_H_
#define DIMORDER_DISPATCH_TUNE_H_

#include <cstdint>

#include "dispatch/plan.h"

namespace dimorder {
inline namespace v1 {

// Looks for a faster choice than *choice by running a few of its variations for about `budget_ns`; *choice stays what
// it is unless another one was clearly faster. Every run is a whole one, the first even without any budget: afterwards
// `dst` holds the moved elements. Errors are those of Execute; nothing was written then.
Status TuneOn(const Request& request, const void* src, void* dst, int64_t budget_ns, Choice* choice) noexcept;

// The same on memory of its own, for both tensors, which takes all that they span. Errors: kAllocationFailed.
Status TuneOnScratch(const Request& request, int64_t budget_ns, Choice* choice) noexcept;
// Whether that is in proportion to what is moved.
bool FitsScratch(const Problem& problem) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_TUNE_H_
