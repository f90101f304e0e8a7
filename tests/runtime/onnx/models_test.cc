// SPDX-License-Identifier: Apache-2.0
//
// Whole models, under all policies, against the outputs stored beside them. The folder is not part of the project:
// DIMORDER_MODELS, or shared/models beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tests/executors.h"
#include "tests/runtime/nhwc_delegate.h"
#include "tests/runtime/onnx/model_folder.h"

namespace dimorder {
namespace {

// Within 1e-4 of the largest magnitude.
void ExpectNear(const TestTensor& made, const TestTensor& expected) {
  ASSERT_EQ(made.type.sizes, expected.type.sizes);
  float largest = 0;
  float worst = 0;
  for (int64_t i = 0; i < NumElements(made.type); ++i) {
    largest = std::max(largest, std::fabs(expected.as<float>()[i]));
    worst = std::max(worst, std::fabs(made.as<float>()[i] - expected.as<float>()[i]));
  }
  EXPECT_LE(worst, 1e-4f * largest);
}

class Models : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    model_ = ReadModel(GetParam());
    if (!model_.found) GTEST_SKIP() << "no " << model_.base << ".onnx; set DIMORDER_MODELS";
    // Up to four billion multiplications per run, on the reference.
    constexpr std::string_view kLarge[] = {"light_resnet50", "mobilenetv2_random", "squeezenet_random"};
    if (DIMORDER_SLOW_BUILD && std::ranges::count(kLarge, GetParam()) != 0) GTEST_SKIP() << "too slow in this build";
    ASSERT_TRUE(model_.graph.ok()) << model_.graph.status().message();
  }

  void ExpectStoredOutputs(const Program& program) {
    auto outputs = OutputsOf(*model_.graph);
    const GraphStatus status = RunProgram(program, model_.inputs, outputs);
    ASSERT_TRUE(status.ok()) << status.message();
    for (size_t i = 0; i < outputs.size(); ++i) ExpectNear(outputs[i], model_.outputs[i]);
  }

  Model model_;
};

double CopiesCost(const CompileReport& report) {
  double ns = 0;
  for (const CopyReport& copy : report.copies) ns += copy.estimated_ns;
  return ns;
}

// The copies that are left are printed: the README's table.
TEST_P(Models, ReproduceTheirStoredOutputsUnderAllPolicies) {
  const NhwcDelegate nhwc;
  const dimorder_executor executor = test::ThreadExecutor(4);
  std::vector<double> costs;
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    CompileOptions options;
    options.layout = static_cast<LayoutPolicy>(policy);
    options.delegates = {&nhwc};
    if (policy % 2 == 0) options.executor = &executor;
    SCOPED_TRACE(LayoutPolicyName(options.layout));
    const auto program = Program::Create(*model_.graph, options);
    ASSERT_TRUE(program.ok()) << program.status().message();
    const CompileReport& report = program->report();
    costs.push_back(CopiesCost(report));
    std::printf("%-20s %-9s %3zu copies %10lld bytes %9.0f ns%s\n", GetParam(), LayoutPolicyName(options.layout),
                report.copies.size(), static_cast<long long>(report.copied_bytes), costs.back(),
                report.layout_exact ? ", proven the least" : "");
    ExpectStoredOutputs(*program);
  }
  for (double cost : costs) EXPECT_LE(costs.back(), cost * (1 + 1e-9));
}

TEST_P(Models, ReproduceTheirStoredOutputsWithoutDelegates) {
  const dimorder_executor four = test::ThreadExecutor(4);
  for (const dimorder_executor* executor : {static_cast<const dimorder_executor*>(nullptr), &four}) {
    for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
      const auto layout = static_cast<LayoutPolicy>(policy);
      SCOPED_TRACE(LayoutPolicyName(layout));
      const auto program = Program::Create(*model_.graph, {.layout = layout, .executor = executor});
      ASSERT_TRUE(program.ok()) << program.status().message();
      ExpectStoredOutputs(*program);
    }
  }
}

TEST_P(Models, ReproduceTheirStoredOutputsInPartitions) {
  const NhwcParts nhwc;
  const auto parts = Program::Create(*model_.graph, {.delegates = {&nhwc}});
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  std::printf("%-20s %zu partitions\n", GetParam(), nhwc.num_parts());
  ExpectStoredOutputs(*parts);
}

INSTANTIATE_TEST_SUITE_P(Shared, Models, testing::ValuesIn(kModels));

}  // namespace
}  // namespace dimorder
