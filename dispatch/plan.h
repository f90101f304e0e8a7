// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLAN_H_
#define DIMORDER_DISPATCH_PLAN_H_

#include <cstddef>

#include "dimorder/dimorder.h"
#include "dispatch/plan_data.h"

namespace dimorder {
inline namespace v1 {

// Request -> problem -> canonical problem -> kernel, blocks, loop order, threads. Allocates nothing.
Status MakePlan(const Move& move, const Options& options, PlanStorage<1>* plan) noexcept;

// Plan::Describe's text; same contract as Status::Format.
size_t DescribePlan(const PlanData& plan, char* buffer, size_t capacity) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLAN_H_
