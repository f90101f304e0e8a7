// SPDX-License-Identifier: Apache-2.0
//
// Whole models, under all policies, against the outputs stored beside them. The folder is not part of the project:
// DIMORDER_MODELS, or shared/models beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "dimorder/onnx.h"
#include "tests/runtime/nhwc_delegate.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

std::string ModelFolder() {
  const char* folder = std::getenv("DIMORDER_MODELS");
  return folder ? folder : DIMORDER_DEFAULT_MODELS;
}

TestTensor ReadTensor(const std::string& path) {
  auto npy = ReadNpyFile(path);
  EXPECT_TRUE(npy.ok()) << npy.status().message();
  TestTensor tensor;
  tensor.type = npy->type;
  tensor.bytes = npy->bytes;
  return tensor;
}

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

class Models : public testing::TestWithParam<const char*> {};

TEST_P(Models, ReproduceTheirStoredOutputs) {
  const std::string base = ModelFolder() + "/" + GetParam();
  if (!std::filesystem::exists(base + ".onnx")) GTEST_SKIP() << "no " << base << ".onnx; set DIMORDER_MODELS";
  const auto graph = ImportOnnxFile(base + ".onnx", {.batch = 1});
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  const std::vector<TestTensor> inputs = {ReadTensor(base + ".input0.npy")};
  const NhwcDelegate nhwc;
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    const auto layout = static_cast<LayoutPolicy>(policy);
    SCOPED_TRACE(LayoutPolicyName(layout));
    const auto program = Program::Create(*graph, {.layout = layout, .delegates = {&nhwc}});
    ASSERT_TRUE(program.ok()) << program.status().message();
    const CompileReport& report = program->report();
    std::printf("%-20s %-9s %3zu copies %10lld bytes, cost %.0f, bound %.0f%s, arena %lld\n", GetParam(),
                LayoutPolicyName(layout), report.copies.size(), static_cast<long long>(report.copied_bytes),
                report.layout_cost, report.layout_bound, report.layout_exact ? " (exact)" : "",
                static_cast<long long>(report.arena_bytes));
    auto outputs = OutputsOf(*graph);
    const GraphStatus status = RunProgram(*program, inputs, outputs);
    ASSERT_TRUE(status.ok()) << status.message();
    for (size_t i = 0; i < outputs.size(); ++i) {
      ExpectNear(outputs[i], ReadTensor(base + ".output" + std::to_string(i) + ".npy"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, Models,
                         testing::Values("mnist", "nhwc_conv_clip_relu", "ultraface", "squeezenet_random",
                                         "mobilenetv2_random", "light_resnet50"));

}  // namespace
}  // namespace dimorder
