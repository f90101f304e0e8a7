// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLAN_H_
#define DIMORDER_DISPATCH_PLAN_H_

#include <cstddef>

#include "dimorder/dimorder.h"
#include "dispatch/choice.h"
#include "dispatch/plan_data.h"

namespace dimorder {
inline namespace v1 {

// A request, checked and classified: all that a plan follows from, but for the choice.
struct Request {
  Problem problem;
  Shape shape;  // unless there are no bytes
  int64_t target;
  int32_t threads;
  dimorder_executor executor;  // parallel_for null: serial
  Stores stores;
  bool assume_disjoint;
};

// Less than this per thread does not pay for waking it. Two threads on Zen 5 and on Zen 4, relative to one, in the
// mean: 15 moves of 262 to 450 KB 1.57 and 0.84, seven of up to 550 KB 0.92 and 0.72, 29 of up to 1 MB 0.85 and 0.69.
inline constexpr int64_t kBytesPerThread = int64_t{256} * 1024;

// Request -> problem -> canonical problem -> shape.
Status ReadRequest(const Move& move, const Options& options, Request* request) noexcept;

// What is remembered of a request with bytes, or else the estimate.
Choice Choose(const Request& request, Origin* origin) noexcept;

// Kernel, blocks, loop order, scratch. `choice` suits the request's shape.
void LayOutPlan(const Request& request, const Choice& choice, Origin origin, PlanStorage<1>* plan) noexcept;

// The three in a row. Allocates nothing.
Status MakePlan(const Move& move, const Options& options, PlanStorage<1>* plan) noexcept;

// Plan::Describe's text; same contract as Status::Format.
size_t DescribePlan(const PlanData& plan, char* buffer, size_t capacity) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLAN_H_
