// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/memory_plan.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

const TensorType kImage(DataType::kF32, {1, 4, 4, 4});  // 256 bytes, 320 with tail and alignment

MemoryPlan Plan(const Graph& graph) { return PlanMemory(graph, StepPerNode(graph)); }

TEST(MemoryPlan, AChainTakesTwoBlocks) {
  GraphBuilder b("chain");
  ValueId x = b.Input("x", kImage);
  for (int i = 0; i < 8; ++i) x = b.Add(Op::kRelu, {x});
  b.Output(x);
  EXPECT_EQ(Plan(b.Finish().value()).arena_bytes, 2 * 320);
}

TEST(MemoryPlan, ValuesThatLiveTogetherShareNoByte) {
  GraphBuilder b("fan");
  const ValueId x = b.Input("x", kImage);
  std::vector<ValueId> all;
  for (int i = 0; i < 5; ++i) all.push_back(b.Add(Op::kRelu, {x}));
  b.Output(b.Add(Op::kCat, all, Attributes().SetInt("dim", 1)));
  const Graph graph = b.Finish().value();
  const MemoryPlan plan = Plan(graph);
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      EXPECT_GE(std::abs(plan.values[static_cast<size_t>(all[i])].at - plan.values[static_cast<size_t>(all[k])].at),
                320);
    }
  }
  EXPECT_EQ(plan.arena_bytes, 5 * 320);
}

TEST(MemoryPlan, RenamesShareTheirPlace) {
  GraphBuilder b("rename");
  const ValueId x = b.Add(Op::kRelu, {b.Input("x", kImage)});
  const DimOrder nhwc_of_permuted = {0, 3, 1, 2};  // the permuted tensor, in the bytes of the other
  const ValueId p = b.Add(Op::kPermuteCopy, {x}, Attributes().SetInts("dims", {0, 2, 3, 1}), "p", &nhwc_of_permuted);
  const ValueId v = b.Add(Op::kViewCopy, {x}, Attributes().SetInts("size", {4, -1}));
  b.Output(b.Add(Op::kRelu, {p}));
  b.Output(b.Add(Op::kRelu, {v}));
  const MemoryPlan plan = Plan(b.Finish().value());
  EXPECT_EQ(plan.arena_bytes, 320);
  EXPECT_EQ(plan.renamed, (std::vector<bool>{false, true, true, false, false}));
}

// x is the caller's: an output that is x seen in another way needs bytes of its own.
TEST(MemoryPlan, OutputsNeverAliasInputsConstantsOrEachOther) {
  GraphBuilder b("alias");
  const std::vector<float> data(64, 3.0f);
  const ValueId x = b.Input("x", kImage);
  const ValueId c = b.Constant("c", kImage, data.data());
  const ValueId r = b.Add(Op::kRelu, {x}, {}, "r");
  const Attributes flat = Attributes().SetInts("size", {64});
  b.Output(x);
  b.Output(c);
  for (ValueId v : {x, c, r, r}) b.Output(b.Add(Op::kViewCopy, {v}, flat));
  b.Output(r);
  const Graph graph = b.Finish().value();
  const auto program = Program::Create(graph);
  ASSERT_TRUE(program.ok()) << program.status().message();
  TestTensor input(kImage);
  for (int i = 0; i < 64; ++i) input.as<float>()[i] = static_cast<float>(i);
  auto outputs = OutputsOf(graph);
  const GraphStatus status = RunProgram(*program, {input}, outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  for (size_t i : {0, 2, 4, 5, 6}) EXPECT_EQ(outputs[i].bytes, input.bytes) << i;
  for (size_t i : {1, 3}) EXPECT_EQ(outputs[i].as<float>()[63], 3.0f) << i;
}

}  // namespace
}  // namespace dimorder
