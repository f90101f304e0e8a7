// SPDX-License-Identifier: Apache-2.0
//
// Whole models by the XNNPACK delegate, under all policies and on 1 and 4 threads, against the outputs stored beside
// them. The folder is not part of the project: DIMORDER_MODELS, or shared/models beside it.
#include "tests/runtime/onnx/model_folder.h"
#include "tests/runtime/xnnpack/xnnpack_graph.h"

namespace dimorder {
namespace {

class XnnpackModels : public testing::TestWithParam<const char*> {};

TEST_P(XnnpackModels, ReproduceTheirStoredOutputs) {
  const Model model = ReadModel(GetParam());
  if (!model.found) GTEST_SKIP() << "no " << model.base << ".onnx; set DIMORDER_MODELS";
  ASSERT_TRUE(model.graph.ok()) << model.graph.status().message();
  const auto threads = XnnpackThreads::Create(4);
  ASSERT_TRUE(threads.ok());
  std::vector<double> costs;
  for (const dimorder_executor* executor : {static_cast<const dimorder_executor*>(nullptr), threads->executor()}) {
    for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
      CompileOptions options;
      options.layout = static_cast<LayoutPolicy>(policy);
      options.delegates = {&Xnnpack()};
      options.executor = executor;
      SCOPED_TRACE(LayoutPolicyName(options.layout));
      const auto program = Program::Create(*model.graph, options);
      ASSERT_TRUE(program.ok()) << program.status().message();
      const CompileReport& report = program->report();
      const Parts parts = PartsOf(*program);
      if (!executor) {
        costs.push_back(report.layout_cost);
        std::printf("%-20s %-9s %2zu parts of %3zu in %3zu nodes, %3zu copies %10lld bytes\n", GetParam(),
                    LayoutPolicyName(options.layout), parts.parts, static_cast<size_t>(parts.nodes),
                    program->graph().nodes.size(), report.copies.size(), static_cast<long long>(report.copied_bytes));
      }
      auto outputs = OutputsOf(*model.graph);
      const GraphStatus status = RunProgram(*program, model.inputs, outputs);
      ASSERT_TRUE(status.ok()) << status.message();
      for (size_t i = 0; i < outputs.size(); ++i) ExpectClose(outputs[i], model.outputs[i], 1e-4f);
      const bool is_mobilenet = GetParam() == std::string("mobilenetv2_random");
      EXPECT_LE(report.copies.size(), is_mobilenet ? 2u : SIZE_MAX);
    }
  }
  for (double cost : costs) EXPECT_LE(costs.back(), cost * (1 + 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Shared, XnnpackModels, testing::ValuesIn(kModels));

}  // namespace
}  // namespace dimorder
