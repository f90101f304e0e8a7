// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLAN_HANDLE_H_
#define DIMORDER_DISPATCH_PLAN_HANDLE_H_

#include "dimorder/dimorder.h"
#include "dispatch/plan_data.h"

namespace dimorder {
inline namespace v1 {

// What a Plan, a dimorder_plan of the C ABI and an entry of the plan cache each own: a plan, its pieces and its scratch
// slots in one allocation. Only plan_handle.cc knows its fields.
struct PlanHandle;

// Plan::Create and Plan::Measure.
Result<PlanHandle*> CreateHandle(const Move& move, const Options& options) noexcept;
Result<PlanHandle*> MeasureHandle(const Move& move, const void* src, void* dst, const Options& options) noexcept;
// Frees the memory. Null is fine.
void ReleaseHandle(PlanHandle* handle) noexcept;

// The plan of a handle that is not null.
const PlanData& PlanOf(const PlanHandle& handle) noexcept;

// Plan::Execute on a handle; a null handle is a move of nothing.
Status ExecuteHandle(const PlanHandle* handle, const void* src, void* dst) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLAN_HANDLE_H_
