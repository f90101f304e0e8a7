// SPDX-License-Identifier: Apache-2.0
//
// One program, run from four threads at once on a context each; with moves on several threads themselves.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/executors.h"
#include "tests/runtime/nhwc_delegate.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

constexpr size_t kThreads = 4;
constexpr int kRuns = 8;

Graph Network() {
  GraphBuilder b("g");
  const std::vector<float> weight(8 * 3 * 9, 0.125f);
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {2, 3, 33, 31}));
  const ValueId w = b.Constant("w", TensorType(DataType::kF32, {8, 3, 3, 3}), weight.data());
  const ValueId c = b.Add(Op::kConv2d, {x, w}, Attributes().SetInts("padding", {1, 1, 1, 1}));
  const ValueId r = b.Add(Op::kRelu, {c});
  b.Output(b.Add(Op::kPermuteCopy, {r}, Attributes().SetInts("dims", {3, 1, 0, 2})));
  b.Output(b.Add(Op::kCat, {r, c}, Attributes().SetInt("dim", 1)));
  return b.Finish().value();
}

TEST(Threads, ContextsAreIndependent) {
  const Graph graph = Network();
  const NhwcParts nhwc;
  const dimorder_executor executor = test::ThreadExecutor(2);
  CompileOptions options;
  options.delegates = {&nhwc};
  options.executor = &executor;
  const auto program = Program::Create(graph, options);
  ASSERT_TRUE(program.ok()) << program.status().message();
  std::vector<std::vector<TestTensor>> outputs(kThreads, OutputsOf(graph));
  std::vector<TestTensor> inputs(kThreads, TestTensor(graph.values[0].type));
  for (size_t t = 0; t < kThreads; ++t) {
    for (int64_t i = 0; i < NumElements(inputs[t].type); ++i) {
      inputs[t].as<float>()[i] = static_cast<float>((i * 7 + static_cast<int64_t>(t)) % 17 - 8);
    }
  }
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int run = 0; run < kRuns; ++run) EXPECT_TRUE(RunProgram(*program, {inputs[t]}, outputs[t]).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < kThreads; ++t) {
    auto alone = OutputsOf(graph);
    ASSERT_TRUE(RunProgram(*program, {inputs[t]}, alone).ok());
    for (size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(alone[i].bytes, outputs[t][i].bytes);
  }
}

}  // namespace
}  // namespace dimorder
