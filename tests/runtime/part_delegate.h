// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_RUNTIME_PART_DELEGATE_H_
#define DIMORDER_TESTS_RUNTIME_PART_DELEGATE_H_

#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "dimorder/program.h"

namespace dimorder {

// A delegate that compiles: it runs a part as a program of its own, and reads 16 bytes past each input, as XNNPACK
// does. Its blobs are places in a list of the parts that it was given.
class PartDelegate : public Delegate {
 public:
  static constexpr int64_t kReadsPast = 16;

  bool compiles() const noexcept override { return true; }
  int64_t reads_past() const noexcept override { return kReadsPast; }

  GraphResult<std::vector<std::byte>> Compile(const Graph& part) const noexcept override {
    if (const GraphStatus status = Verify(part); !status.ok()) return status;
    const std::lock_guard<std::mutex> lock(mutex_);
    const size_t place = parts_.size();
    parts_.push_back(part);
    std::vector<std::byte> blob(sizeof(place));
    std::memcpy(blob.data(), &place, sizeof(place));
    return blob;
  }

  GraphResult<std::shared_ptr<const DelegateProgram>> Load(std::span<const std::byte> blob) const noexcept override {
    size_t place;
    std::memcpy(&place, blob.data(), sizeof(place));
    const std::lock_guard<std::mutex> lock(mutex_);
    auto program = Program::Create(parts_[place], {.layout = LayoutPolicy::kAnnotate});
    if (!program.ok()) return program.status();
    return std::shared_ptr<const DelegateProgram>(
        std::make_shared<const LoadedPart>(parts_[place], std::move(program).value()));
  }

  size_t num_parts() const { return parts_.size(); }

 private:
  class PartContext final : public DelegateContext {
   public:
    PartContext(const Graph& part, Context context) : part_(part), context_(std::move(context)) {}

    GraphStatus Run(std::span<const void* const> inputs, std::span<void* const> outputs) noexcept override {
      std::vector<InputBuffer> in;
      std::vector<OutputBuffer> out;
      for (size_t i = 0; i < inputs.size(); ++i) {
        const TensorType& type = part_.values[static_cast<size_t>(part_.inputs[i])].type;
        const auto* end = static_cast<const unsigned char*>(inputs[i]) + NumBytes(type);
        for (int64_t k = 0; k < kReadsPast; ++k) past_ = static_cast<unsigned char>(past_ + end[k]);
        in.push_back({type, inputs[i]});
      }
      for (size_t i = 0; i < outputs.size(); ++i) {
        out.push_back({part_.values[static_cast<size_t>(part_.outputs[i])].type, outputs[i]});
      }
      return context_.Run(in, out);
    }

   private:
    const Graph& part_;
    Context context_;
    volatile unsigned char past_ = 0;
  };

  class LoadedPart final : public DelegateProgram {
   public:
    LoadedPart(Graph part, Program program) : part_(std::move(part)), program_(std::move(program)) {}
    GraphResult<std::unique_ptr<DelegateContext>> NewContext(
        const dimorder_executor* /*executor*/, const dimorder_allocator* /*allocator*/) const noexcept override {
      auto context = program_.NewContext();
      if (!context.ok()) return context.status();
      return std::unique_ptr<DelegateContext>(std::make_unique<PartContext>(part_, std::move(context).value()));
    }

   private:
    Graph part_;
    Program program_;
  };

  mutable std::mutex mutex_;
  mutable std::vector<Graph> parts_;
};

}  // namespace dimorder

#endif  // DIMORDER_TESTS_RUNTIME_PART_DELEGATE_H_
