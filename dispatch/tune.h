// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_TUNE_H_
#define DIMORDER_DISPATCH_TUNE_H_

#include <cstdint>

#include "dispatch/plan.h"

namespace dimorder {
inline namespace v1 {

// What is to be tuned, where scratch comes from (allocate null: operator new), and about how long it may take.
struct TuneJob {
  const Request& request;
  const dimorder_allocator& allocator;
  int64_t budget_ns;
};

// Looks for a faster choice than *choice by running a few of its variations; *choice stays what it is unless another
// one was clearly faster. Every run is a whole one, the first even without any budget: afterwards `dst` holds the moved
// elements. Errors are those of Execute and kAllocationFailed; nothing was written then.
Status TuneOn(const TuneJob& job, const void* src, void* dst, Choice* choice) noexcept;

// The same on memory for both tensors, which takes all that they span. Errors: kAllocationFailed.
Status TuneOnScratch(const TuneJob& job, Choice* choice) noexcept;
// Whether that is in proportion to what is moved.
bool FitsScratch(const Problem& problem) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_TUNE_H_
