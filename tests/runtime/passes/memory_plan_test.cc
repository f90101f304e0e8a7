// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
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
  b.Output(b.Add(Op::kCat, all, Attributes().SetInt("dim", 3)));
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

// Adds the node and returns what the program has for it: where its inputs are made, and the bytes of the arena.
struct Joined {
  std::vector<int> in_place;
  int64_t arena_bytes;
};
Joined PlanCat(GraphBuilder& b, Op op, const std::vector<ValueId>& inputs, int64_t dim) {
  b.Output(b.Add(Op::kRelu, {b.Add(op, inputs, Attributes().SetInt("dim", dim), "cat")}));
  const Graph graph = b.Finish().value();
  const MemoryPlan plan = Plan(graph);
  const size_t step = graph.nodes.size() - 2;
  EXPECT_EQ(plan.renamed[step], plan.in_place[step].size() == inputs.size());
  return {plan.in_place[step], plan.arena_bytes};
}

TEST(MemoryPlan, WhatIsOneSliceOfACatIsMadeThere) {
  const auto relus = [](GraphBuilder& b) {
    const ValueId x = b.Input("x", kImage);
    return std::vector<ValueId>{b.Add(Op::kRelu, {x}), b.Add(Op::kRelu, {x})};
  };
  using testing::ElementsAre;
  GraphBuilder channels("channels");
  const Joined cat = PlanCat(channels, Op::kCat, relus(channels), 1);
  EXPECT_THAT(cat.in_place, ElementsAre(0, 1));
  EXPECT_EQ(cat.arena_bytes, 576);  // 2 * 256 and a tail
  GraphBuilder stack("stack");
  EXPECT_THAT(PlanCat(stack, Op::kStack, relus(stack), 0).in_place, ElementsAre(0, 1));
  GraphBuilder columns("columns");
  EXPECT_THAT(PlanCat(columns, Op::kCat, relus(columns), 3).in_place, ElementsAre());
  GraphBuilder twice("twice");
  const ValueId y = relus(twice)[0];
  EXPECT_THAT(PlanCat(twice, Op::kCat, {y, y}, 1).in_place, ElementsAre(0));
  GraphBuilder outside("outside");
  const ValueId x = outside.Input("x", kImage);
  EXPECT_THAT(PlanCat(outside, Op::kCat, {x, outside.Add(Op::kRelu, {x})}, 1).in_place, ElementsAre(1));
}

// Of cats of cats and of views, into an output of the caller's; what another node reads too is copied there.
TEST(MemoryPlan, SlicesOfOutputsAreMadeThere) {
  GraphBuilder b("nested");
  const ValueId x = b.Input("x", kImage);
  std::vector<ValueId> r;
  for (int i = 0; i < 4; ++i) r.push_back(b.Add(Op::kRelu, {x}));
  const Attributes channels = Attributes().SetInt("dim", 1);
  const ValueId view = b.Add(Op::kViewCopy, {r[2]}, Attributes().SetInts("size", {1, 2, 8, 4}));
  const ValueId back = b.Add(Op::kViewCopy, {view}, Attributes().SetInts("size", {1, 4, 4, 4}));
  b.Output(b.Add(Op::kTanh, {r[3]}));
  b.Output(b.Add(Op::kCat, {b.Add(Op::kCat, {r[0], r[1]}, channels, "inner"), back, r[3]}, channels, "outer"));
  const Graph graph = b.Finish().value();
  const MemoryPlan plan = Plan(graph);
  const auto place = [&](ValueId id) { return plan.values[static_cast<size_t>(id)]; };
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(place(r[i]).kind, Place::Kind::kOutput);
    EXPECT_EQ(place(r[i]).offset, static_cast<int64_t>(i) * 256);
  }
  EXPECT_EQ(place(view).offset, 512);
  EXPECT_EQ(place(r[3]).kind, Place::Kind::kArena);
  EXPECT_THAT(plan.in_place.back(), testing::ElementsAre(0, 1));

  const auto program = Program::Create(graph);
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_EQ(program->report().copies.size(), 1u);
  EXPECT_EQ(program->report().copied_bytes, 256);
  TestTensor input(kImage);
  for (int i = 0; i < 64; ++i) input.as<float>()[i] = static_cast<float>(i);
  auto outputs = OutputsOf(graph);
  ASSERT_TRUE(RunProgram(*program, {input}, outputs).ok());
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(std::memcmp(&outputs[1].bytes[i * 256], input.bytes.data(), 256), 0) << i;
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
