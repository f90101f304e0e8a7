// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_RUNTIME_XNNPACK_XNNPACK_GRAPH_H_
#define DIMORDER_TESTS_RUNTIME_XNNPACK_XNNPACK_GRAPH_H_

#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "dimorder/xnnpack.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {

// The delegate; the same one for all tests.
inline const Delegate& Xnnpack() {
  static const auto made = NewXnnpackDelegate();
  EXPECT_TRUE(made.ok()) << made.status().message();
  return **made;
}

// Numbers from -1 to 1.
inline TestTensor RandomTensor(const TensorType& type, uint32_t seed) {
  TestTensor tensor(type);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> next(-1, 1);
  for (int64_t i = 0; i < NumElements(type); ++i) tensor.as<float>()[i] = next(random);
  return tensor;
}

inline ValueId RandomConstant(GraphBuilder& b, const std::string& name, const TensorType& type, uint32_t seed) {
  return b.Constant(name, type, RandomTensor(type, seed).bytes.data());
}

// All elements within `tolerance` of the largest magnitude; both in the same order.
inline void ExpectClose(const TestTensor& made, const TestTensor& expected, float tolerance = 1e-5f) {
  ASSERT_EQ(made.type.sizes, expected.type.sizes);
  float largest = 1e-30f;
  float worst = 0;
  for (int64_t i = 0; i < NumElements(made.type); ++i) {
    ASSERT_FALSE(std::isnan(made.as<float>()[i])) << i;
    largest = std::max(largest, std::fabs(expected.as<float>()[i]));
    worst = std::max(worst, std::fabs(made.as<float>()[i] - expected.as<float>()[i]));
  }
  EXPECT_LE(worst, tolerance * largest);
}

inline std::vector<TestTensor> RandomInputs(const Graph& graph) {
  std::vector<TestTensor> inputs;
  for (ValueId id : graph.inputs) {
    inputs.push_back(RandomTensor(graph.values[static_cast<size_t>(id)].type, static_cast<uint32_t>(id) + 17));
  }
  return inputs;
}

inline std::vector<TestTensor> RunWith(const Graph& graph, const CompileOptions& options,
                                       const std::vector<TestTensor>& inputs) {
  auto outputs = OutputsOf(graph);
  const auto program = Program::Create(graph, options);
  EXPECT_TRUE(program.ok()) << program.status().message();
  if (!program.ok()) return outputs;
  const GraphStatus status = RunProgram(*program, inputs, outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

// What the delegate runs of a program.
struct Parts {
  size_t parts = 0;
  int64_t nodes = 0;
};
inline Parts PartsOf(const Program& program) {
  Parts sum;
  for (const ProgramStep& step : program.steps()) {
    if (step.what != Xnnpack().name()) continue;
    ++sum.parts;
    sum.nodes += step.nodes;
  }
  return sum;
}

// Runs the graph under all policies by the delegate, which must take at least `nodes` of its nodes, and by the
// reference.
inline void ExpectLikeReference(const Graph& graph, int64_t nodes) {
  const auto inputs = RandomInputs(graph);
  const auto expected = RunWith(graph, {}, inputs);
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    CompileOptions options;
    options.layout = static_cast<LayoutPolicy>(policy);
    options.delegates = {&Xnnpack()};
    SCOPED_TRACE(LayoutPolicyName(options.layout));
    const auto program = Program::Create(graph, options);
    ASSERT_TRUE(program.ok()) << program.status().message();
    EXPECT_GE(PartsOf(*program).nodes, nodes);
    auto outputs = OutputsOf(graph);
    const GraphStatus status = RunProgram(*program, inputs, outputs);
    ASSERT_TRUE(status.ok()) << status.message();
    for (size_t i = 0; i < outputs.size(); ++i) ExpectClose(outputs[i], expected[i]);
  }
}

}  // namespace dimorder

#endif  // DIMORDER_TESTS_RUNTIME_XNNPACK_XNNPACK_GRAPH_H_
