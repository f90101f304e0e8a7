// SPDX-License-Identifier: Apache-2.0
#include "tests/run.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "tests/executors.h"

namespace dimorder::test {
namespace {

// Scratch of exactly the bytes that the plan asks for, at an odd address, with a fence on both sides.
class Workspace {
 public:
  explicit Workspace(size_t bytes) : memory_(bytes + 2 * kFence, kFill) {}

  std::span<std::byte> span() { return {memory_.data() + kFence, memory_.size() - 2 * kFence}; }
  bool FencesStand() const {
    const auto intact = [](std::byte b) { return b == kFill; };
    return std::all_of(memory_.begin(), memory_.begin() + kFence, intact) &&
           std::all_of(memory_.end() - kFence, memory_.end(), intact);
  }

 private:
  static constexpr std::ptrdiff_t kFence = 67;
  static constexpr std::byte kFill{0x5a};
  std::vector<std::byte> memory_;
};

Status RunPlan(const Plan& plan, Call call, const void* src, void* dst) {
  if (call == Call::kPlan) return plan.Execute(src, dst);
  Workspace workspace(plan.ScratchBytes() * plan.Threads());
  const Status status = plan.Execute(src, dst, workspace.span());
  if (status.ok() && !workspace.FencesStand()) return {StatusCode::kInvalidArgument, Rule::kWorkspaceSize};
  return status;
}

}  // namespace

Status RunMove(const Move& move, const Conditions& conditions, const void* src, void* dst) {
  const size_t tasks = static_cast<size_t>(conditions.tasks);
  const dimorder_executor executor =
      conditions.runner == Runner::kThreads ? ThreadExecutor(tasks) : ReversedExecutor(tasks);
  Options options;
  options.executor = conditions.runner == Runner::kSerial ? nullptr : &executor;
  options.target = conditions.target.empty() ? nullptr : conditions.target.c_str();
  options.stores = conditions.stores;
  if (conditions.call == Call::kOneShot) return Execute(move, src, dst, options);
  const Result<Plan> plan = Plan::Create(move, options);
  return plan.ok() ? RunPlan(*plan, conditions.call, src, dst) : plan.status();
}

}  // namespace dimorder::test
