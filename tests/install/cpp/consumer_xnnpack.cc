// SPDX-License-Identifier: Apache-2.0
// Uses the installed component xnnpack: a graph that its delegate runs on two threads.
#include <cstdio>
#include <vector>

#include "dimorder/program.h"
#include "dimorder/xnnpack.h"

namespace {

int Fail(const char* what, const dimorder::GraphStatus& status) {
  std::fprintf(stderr, "%s: %s\n", what, status.message().c_str());
  return 1;
}

}  // namespace

int main() {
  const dimorder::TensorType image(dimorder::DataType::kF32, {1, 3, 4, 5});
  dimorder::GraphBuilder builder("consumer");
  const auto x_id = builder.Input("x", image);
  builder.Output(builder.Add(dimorder::Op::kGlobalAvgPool, {builder.Add(dimorder::Op::kRelu, {x_id})}, {}, "y"));
  const auto graph = builder.Finish();
  if (!graph.ok()) return Fail("graph", graph.status());

  const auto xnnpack = dimorder::NewXnnpackDelegate();
  if (!xnnpack.ok()) return Fail("delegate", xnnpack.status());
  const auto threads = dimorder::XnnpackThreads::Create(2);
  if (!threads.ok()) return Fail("threads", threads.status());
  dimorder::CompileOptions options;
  options.delegates = {xnnpack->get()};
  options.executor = threads->executor();
  const auto program = dimorder::Program::Create(*graph, options);
  if (!program.ok()) return Fail("program", program.status());
  auto context = program->NewContext();
  if (!context.ok()) return Fail("context", context.status());

  const std::vector<float> x(60, 2.0f);
  std::vector<float> y(3);
  const dimorder::InputBuffer inputs[] = {{image, x.data()}};
  const dimorder::OutputBuffer outputs[] = {{{image.dtype, {1, 3, 1, 1}}, y.data()}};
  const dimorder::GraphStatus status = context->Run(inputs, outputs);
  if (!status.ok()) return Fail("run", status);
  if (y[0] != 2.0f || y[2] != 2.0f || program->steps().back().what != "xnnpack") return 1;
  std::puts("two nodes that XNNPACK runs");
  return 0;
}
