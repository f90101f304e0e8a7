// SPDX-License-Identifier: Apache-2.0
// Uses the installed component runtime: a delegate of one's own for a quantized model, which is asked about one node on
// integers where the model has three on floats.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "dimorder/program.h"

namespace {

using dimorder::GraphResult;
using dimorder::GraphStatus;

const dimorder::TensorType& TypeOf(const dimorder::Graph& graph, dimorder::ValueId id) {
  return graph.values[static_cast<size_t>(id)].type;
}

// The blob is a zero point for each element.
class ReluProgram final : public dimorder::DelegateProgram {
 public:
  explicit ReluProgram(std::span<const std::byte> blob) : zero_points_(blob.begin(), blob.end()) {}

  GraphResult<std::unique_ptr<dimorder::DelegateContext>> NewContext(
      const dimorder_executor*, const dimorder_allocator*) const noexcept override {
    class ReluContext final : public dimorder::DelegateContext {
     public:
      explicit ReluContext(const std::vector<std::byte>& zero_points) : zero_points_(zero_points) {}
      GraphStatus Run(std::span<const void* const> inputs, std::span<void* const> outputs) noexcept override {
        const auto* x = static_cast<const int8_t*>(inputs[0]);
        std::transform(zero_points_.begin(), zero_points_.end(), x, static_cast<int8_t*>(outputs[0]),
                       [](std::byte zero, int8_t q) { return std::max(q, static_cast<int8_t>(zero)); });
        return {};
      }

     private:
      const std::vector<std::byte>& zero_points_;
    };
    return std::unique_ptr<dimorder::DelegateContext>(std::make_unique<ReluContext>(zero_points_));
  }

 private:
  std::vector<std::byte> zero_points_;
};

// Takes relu on i8 of one scale, which stays what it is.
class IntegerDelegate final : public dimorder::Delegate {
 public:
  const char* name() const noexcept override { return "integers"; }
  bool compiles() const noexcept override { return true; }

  dimorder::Support Query(const dimorder::Graph& graph, const dimorder::Node& node) const override {
    if (node.op != dimorder::Op::kRelu) return dimorder::Support::No("takes relu only");
    const dimorder::TensorType& x = TypeOf(graph, node.inputs[0]);
    const dimorder::TensorType& y = TypeOf(graph, node.output);
    if (x.dtype != dimorder::DataType::kI8 || x.quantization.scales.size() != 1)
      return dimorder::Support::No("takes i8");
    return x.quantization == y.quantization ? dimorder::Support::Same() : dimorder::Support::No("rescales nothing");
  }

  GraphResult<std::vector<std::byte>> Compile(const dimorder::Graph& part) const noexcept override {
    const dimorder::TensorType& type = TypeOf(part, part.outputs[0]);
    return std::vector<std::byte>(static_cast<size_t>(NumElements(type)),
                                  static_cast<std::byte>(type.quantization.zero_points[0]));
  }

  GraphResult<std::shared_ptr<const dimorder::DelegateProgram>> Load(
      std::span<const std::byte> blob) const noexcept override {
    return std::shared_ptr<const dimorder::DelegateProgram>(std::make_shared<const ReluProgram>(blob));
  }
};

int Fail(const char* what, const GraphStatus& status) {
  std::fprintf(stderr, "%s: %s\n", what, status.message().c_str());
  return 1;
}

}  // namespace

int main() {
  const auto quantization = dimorder::Attributes().SetFloats("scale", {0.5}).SetInts("zero_point", {3});
  const dimorder::TensorType integers(dimorder::DataType::kI8, {4});
  dimorder::GraphBuilder builder("quantized");
  const auto x_id = builder.Add(dimorder::Op::kDequantize, {builder.Input("x", integers)}, quantization);
  builder.Output(builder.Add(dimorder::Op::kQuantize, {builder.Add(dimorder::Op::kRelu, {x_id})}, quantization, "y"));
  const auto graph = builder.Finish();
  if (!graph.ok()) return Fail("graph", graph.status());

  const IntegerDelegate delegate;
  dimorder::CompileOptions options;
  options.delegates = {&delegate};
  const auto program = dimorder::Program::Create(*graph, options);
  if (!program.ok()) return Fail("program", program.status());
  auto context = program->NewContext();
  if (!context.ok()) return Fail("context", context.status());

  const std::vector<int8_t> x = {-128, 2, 4, 127};
  std::vector<int8_t> y(4);
  const dimorder::InputBuffer inputs[] = {{integers, x.data()}};
  const dimorder::OutputBuffer outputs[] = {{integers, y.data()}};
  const GraphStatus status = context->Run(inputs, outputs);
  if (!status.ok()) return Fail("run", status);
  if (y != std::vector<int8_t>{3, 3, 4, 127} || program->steps().size() != 1) return 1;
  std::puts("dequantize, relu and quantize as one step on integers");
  return 0;
}
