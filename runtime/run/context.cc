// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/run/guard.h"
#include "runtime/run/program_data.h"

namespace dimorder {
inline namespace v1 {
namespace {

struct Span {
  const std::byte* begin;
  int64_t bytes;
};

bool Overlap(const Span& a, const Span& b) {
  const std::less<> before;
  return a.bytes > 0 && b.bytes > 0 && before(a.begin, b.begin + b.bytes) && before(b.begin, a.begin + a.bytes);
}

int64_t Now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

class Runner {
 public:
  Runner(ContextData& context, std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs,
         std::vector<StepTime>* times)
      : context_(context), program_(*context.program), inputs_(inputs), outputs_(outputs), times_(times) {}

  void Run() {
    CheckCounts();
    for (size_t i = 0; i < outputs_.size(); ++i) BindOutput(i);
    for (size_t i = 0; i < inputs_.size(); ++i) BindInput(i);
    CheckOverlaps();
    Stage();
    Bind();
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      if (program_.steps[i].moves_nothing) continue;
      const int64_t begin = times_ ? Now() : 0;
      In("'" + program_.steps[i].name + "' (" + program_.steps[i].what + ")", [&] { RunStep(i); });
      if (times_) times_->push_back({i, begin, Now()});
    }
    Unstage();
  }

 private:
  void CheckCounts() const {
    if (inputs_.size() != program_.graph.inputs.size() || outputs_.size() != program_.outputs.size()) {
      Fail("graph '" + program_.graph.name + "' has " + std::to_string(program_.graph.inputs.size()) + " inputs and " +
           std::to_string(program_.outputs.size()) + " outputs, not " + std::to_string(inputs_.size()) + " and " +
           std::to_string(outputs_.size()));
    }
  }

  // Unless an earlier run did.
  void Allocate(Buffer& buffer, int64_t bytes) const {
    if (!buffer.data()) buffer = Buffer(program_.options.allocator, static_cast<size_t>(bytes));
  }

  const Value& Input(size_t i) const { return program_.graph.values[static_cast<size_t>(program_.graph.inputs[i])]; }

  void BindInput(size_t i) {
    const Value& declared = Input(i);
    const bool alike = GuardTensor("input '" + declared.name + "'", declared.type, inputs_[i].type, inputs_[i].data,
                                   program_.options.guard);
    if (!alike) Allocate(context_.staged_inputs[i], NumBytes(declared.type));
    // Only read: no node's output is ever placed in an input.
    input_data_.push_back(alike ? const_cast<void*>(inputs_[i].data) : context_.staged_inputs[i].data());
  }

  void BindOutput(size_t i) {
    const Value& declared = program_.outputs[i];
    const bool alike = GuardTensor("output '" + declared.name + "'", declared.type, outputs_[i].type, outputs_[i].data,
                                   program_.options.guard);
    if (!alike) Allocate(context_.staged_outputs[i], NumBytes(declared.type));
    output_data_.push_back(alike ? outputs_[i].data : context_.staged_outputs[i].data());
  }

  void CheckOverlaps() const {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const Span output = {static_cast<const std::byte*>(outputs_[i].data), NumBytes(program_.outputs[i].type)};
      const auto check = [&](const Span& other, const std::string& name) {
        if (Overlap(output, other)) Fail("output '" + program_.outputs[i].name + "' shares bytes with " + name);
      };
      for (size_t k = 0; k < inputs_.size(); ++k) {
        check({static_cast<const std::byte*>(inputs_[k].data), NumBytes(Input(k).type)},
              "input '" + Input(k).name + "'");
      }
      for (size_t k = 0; k < i; ++k) {
        check({static_cast<const std::byte*>(outputs_[k].data), NumBytes(program_.outputs[k].type)},
              "output '" + program_.outputs[k].name + "'");
      }
    }
  }

  void MoveTo(const TensorType& from, const void* src, const TensorType& to, void* dst) const {
    Options options;
    options.executor = program_.options.executor;
    Check(ToDimOrder(src, dst, from.sizes, from.dim_order, to.dim_order, DataTypeBytes(from.dtype), options));
  }

  void Stage() const {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (input_data_[i] != inputs_[i].data) MoveTo(inputs_[i].type, inputs_[i].data, Input(i).type, input_data_[i]);
    }
  }

  void Unstage() const {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (output_data_[i] == outputs_[i].data) continue;
      MoveTo(program_.outputs[i].type, output_data_[i], outputs_[i].type, outputs_[i].data);
    }
  }

  void Bind() {
    for (size_t v = 0; v < context_.values.size(); ++v) {
      const Place& place = program_.memory.values[v];
      if (place.kind == Place::Kind::kInput) context_.values[v] = input_data_[static_cast<size_t>(place.at)];
      if (place.kind == Place::Kind::kOutput) {
        context_.values[v] = static_cast<std::byte*>(output_data_[static_cast<size_t>(place.at)]) + place.offset;
      }
    }
  }

  void RunStep(size_t i) {
    const PlanStep& step = program_.plan_steps[i];
    const Runnable& runnable = program_.runnables[i];
    step_inputs_.clear();
    step_outputs_.clear();
    for (ValueId id : step.inputs) {
      step_inputs_.push_back(id == kNoValue ? nullptr : Padded(static_cast<size_t>(id), runnable.reads_past));
    }
    for (ValueId id : step.outputs) step_outputs_.push_back(context_.values[static_cast<size_t>(id)]);
    if (runnable.kernel) {
      runnable.kernel->Run({step_inputs_, step_outputs_[0], context_.arena.data() + program_.memory.scratch[i]});
    } else {
      Check(context_.parts[i]->Run(step_inputs_, step_outputs_));
    }
  }

  // The bytes of a value with at least so many readable ones behind them. The arena has them everywhere; what is the
  // caller's or a constant is copied, unless the caller says that it has them.
  const void* Padded(size_t value, int64_t reads_past) {
    const Place& place = program_.memory.values[value];
    const void* data = context_.values[value];
    if (reads_past == 0 || place.kind == Place::Kind::kArena) return data;
    if (place.kind == Place::Kind::kInput) {
      const InputBuffer& input = inputs_[static_cast<size_t>(place.at)];
      if (input.data == data && input.readable_past >= reads_past) return data;
    }
    const auto bytes = static_cast<size_t>(NumBytes(program_.graph.values[value].type));
    Buffer& padded = context_.padded[value];
    Allocate(padded, NumBytes(program_.graph.values[value].type) + kReadableTail);
    if (bytes > 0) std::memcpy(padded.data(), data, bytes);
    return padded.data();
  }

  ContextData& context_;
  const ProgramData& program_;
  std::span<const InputBuffer> inputs_;
  std::span<const OutputBuffer> outputs_;
  std::vector<StepTime>* times_;
  std::vector<void*> input_data_;
  std::vector<void*> output_data_;
  std::vector<const void*> step_inputs_;
  std::vector<void*> step_outputs_;
};

}  // namespace

GraphStatus Context::Run(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs) noexcept {
  return Guarded([&]() -> GraphStatus {
    if (!data_) Fail("an empty context runs nothing");
    Runner(*data_, inputs, outputs, times_).Run();
    return {};
  });
}

}  // namespace v1
}  // namespace dimorder
