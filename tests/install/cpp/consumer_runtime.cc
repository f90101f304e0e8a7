// SPDX-License-Identifier: Apache-2.0
// Uses the installed component runtime: a graph and a delegate of one's own, against nothing but installed headers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "dimorder/program.h"

namespace {

using dimorder::GraphResult;
using dimorder::GraphStatus;

// Its blob is the number of elements of each input.
class TanhProgram final : public dimorder::DelegateProgram {
 public:
  explicit TanhProgram(size_t elements) : elements_(elements) {}

  GraphResult<std::unique_ptr<dimorder::DelegateContext>> NewContext(
      const dimorder_executor*, const dimorder_allocator*) const noexcept override {
    class TanhContext final : public dimorder::DelegateContext {
     public:
      explicit TanhContext(size_t elements) : elements_(elements) {}
      GraphStatus Run(std::span<const void* const> inputs, std::span<void* const> outputs) noexcept override {
        const auto* x = static_cast<const float*>(inputs[0]);
        std::transform(x, x + elements_, static_cast<float*>(outputs[0]), [](float v) { return std::tanh(v); });
        return {};
      }

     private:
      size_t elements_;
    };
    return std::unique_ptr<dimorder::DelegateContext>(std::make_unique<TanhContext>(elements_));
  }

 private:
  size_t elements_;
};

// Takes tanh, and only channels-last.
class LastDelegate final : public dimorder::Delegate {
 public:
  bool compiles() const noexcept override { return true; }

  GraphResult<std::vector<std::byte>> Compile(const dimorder::Graph& part) const noexcept override {
    if (part.nodes.size() != 1) return GraphStatus(dimorder::StatusCode::kUnsupported, "more than one tanh");
    dimorder::Graph reverted = part;  // of a tanh there is nothing to revert
    if (GraphStatus status = RevertDimOrderOps(reverted); !status.ok()) return status;
    const auto elements = static_cast<size_t>(NumElements(part.values[static_cast<size_t>(part.inputs[0])].type));
    std::vector<std::byte> blob(sizeof(elements));
    std::memcpy(blob.data(), &elements, sizeof(elements));
    return blob;
  }

  GraphResult<std::shared_ptr<const dimorder::DelegateProgram>> Load(
      std::span<const std::byte> blob) const noexcept override {
    size_t elements = 0;
    if (blob.size() != sizeof(elements)) return GraphStatus(dimorder::StatusCode::kInvalidArgument, "is no blob");
    std::memcpy(&elements, blob.data(), sizeof(elements));
    return std::shared_ptr<const dimorder::DelegateProgram>(std::make_shared<const TanhProgram>(elements));
  }

  const char* name() const noexcept override { return "last"; }
  dimorder::Support Query(const dimorder::Graph&, const dimorder::Node& node) const override {
    if (node.op != dimorder::Op::kTanh) return dimorder::Support::No("takes tanh only");
    return dimorder::Support::Listed({{{dimorder::kNHWC}, dimorder::kNHWC, 0}});
  }
};

int Fail(const char* what, const dimorder::GraphStatus& status) {
  std::fprintf(stderr, "%s: %s\n", what, status.message().c_str());
  return 1;
}

}  // namespace

int main() {
  const dimorder::TensorType image(dimorder::DataType::kF32, {1, 3, 4, 5});
  dimorder::GraphBuilder builder("consumer");
  builder.Output(builder.Add(dimorder::Op::kTanh, {builder.Input("x", image)}, {}, "y"));
  const auto graph = builder.Finish();
  if (!graph.ok()) return Fail("graph", graph.status());

  const LastDelegate last;
  dimorder::CompileOptions options;
  options.delegates = {&last};
  const auto program = dimorder::Program::Create(*graph, options);
  if (!program.ok()) return Fail("program", program.status());
  auto context = program->NewContext();
  if (!context.ok()) return Fail("context", context.status());

  const std::vector<float> x(60, 100.0f);
  std::vector<float> y(60);
  const dimorder::InputBuffer inputs[] = {{image, x.data()}};
  const dimorder::OutputBuffer outputs[] = {{image, y.data()}};
  const dimorder::GraphStatus status = context->Run(inputs, outputs);
  if (!status.ok()) return Fail("run", status);
  if (y[0] != 1.0f || y[59] != 1.0f || program->report().copies.size() != 2) return 1;
  if (program->steps().size() != 3 || program->steps()[1].what != "last") return 1;
  std::puts("a part of one node between two copies");
  return 0;
}
