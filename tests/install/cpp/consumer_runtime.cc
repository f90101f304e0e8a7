// SPDX-License-Identifier: Apache-2.0
// Uses the installed component runtime: a graph and a delegate of one's own, against nothing but installed headers.
#include <cstdio>
#include <vector>

#include "dimorder/program.h"

namespace {

// Takes tanh, and only channels-last.
class LastDelegate final : public dimorder::Delegate {
 public:
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
  std::puts("a graph of one node and two copies");
  return 0;
}
