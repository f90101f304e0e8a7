// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <variant>

#include "runtime/copy/lower.h"
#include "runtime/error.h"
#include "runtime/run/kernel.h"

namespace dimorder {
namespace {

// A lowered step whose move has a plan.
struct Step {
  int from;
  int to;
  Plan plan;
  ValueChange change;
  bool is_move;
};

class CopyKernel final : public Kernel {
 public:
  CopyKernel(const CopySteps& copy, const Options& options) : scratch_bytes_(copy.scratch_bytes) {
    for (const auto& step : copy.steps) {
      if (const auto* move = std::get_if<MoveStep>(&step)) {
        auto plan = Plan::Create(Move::Between(ToLayout(move->src), ToLayout(move->dst), move->element_bytes), options);
        Check(plan.status());
        steps_.push_back({move->from, move->to, std::move(plan).value(), {}, true});
      } else {
        const auto& change = std::get<ChangeStep>(step);
        steps_.push_back({change.from, change.to, {}, change.change, false});
      }
    }
  }

  void Run(const KernelBuffers& buffers) const override {
    for (const Step& step : steps_) {
      const void* src = step.from == kStepScratch ? buffers.scratch : buffers.inputs[static_cast<size_t>(step.from)];
      void* dst = step.to == kStepScratch ? buffers.scratch : buffers.output;
      if (step.is_move) {
        Check(step.plan.Execute(src, dst));
      } else {
        ApplyValueChange(step.change, src, dst);
      }
    }
  }

  void LeaveOut(int input) override {
    std::erase_if(steps_, [&](const Step& step) { return step.from == input; });
  }

  int64_t ScratchBytes() const override { return scratch_bytes_; }

  double EstimatedCost() const override {
    double cost = 0;
    for (const Step& step : steps_) cost += step.is_move ? step.plan.EstimatedCost() : 0;
    return cost;
  }

  int64_t BytesMoved() const override {
    int64_t bytes = 0;
    for (const Step& step : steps_) bytes += step.is_move ? step.plan.Bytes() : 0;
    return bytes;
  }

 private:
  std::vector<Step> steps_;
  int64_t scratch_bytes_;
};

}  // namespace

std::unique_ptr<Kernel> MakeCopyKernel(const Node& node, std::vector<const TensorType*> inputs,
                                       const TensorType& output, const Options& options) {
  return std::make_unique<CopyKernel>(LowerCopy(node, inputs, output), options);
}

}  // namespace dimorder
