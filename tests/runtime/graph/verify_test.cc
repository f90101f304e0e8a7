// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const TensorType kImage(DataType::kF32, {1, 3, 4, 4});

Graph ReluOfPermute() {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId y = b.Add(Op::kPermuteCopy, {x}, Attributes().SetInts("dims", {0, 2, 3, 1}), "to_last");
  b.Output(b.Add(Op::kRelu, {y}, {}, "act"));
  return b.Finish().value();
}

TEST(Builder, InfersTypes) {
  const Graph g = ReluOfPermute();
  EXPECT_TRUE(Verify(g).ok()) << Verify(g).message();
  EXPECT_EQ(g.values.back().type.sizes, (std::vector<int64_t>{1, 4, 4, 3}));
}

TEST(Builder, KeepsTheFirstErrorWithTheNodesName) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId y = b.Add(Op::kPermuteCopy, {x}, Attributes().SetInts("dims", {0, 2, 2, 1}), "twice");
  b.Output(b.Add(Op::kRelu, {y}));
  const auto graph = b.Finish();
  ASSERT_FALSE(graph.ok());
  EXPECT_EQ(graph.status().message(), "node 'twice' (permute_copy): axes [0, 2, 2, 1] repeat one");
}

// What no kernel knows is said when the graph is made, not when it runs.
TEST(Builder, RefusesAttributesAndTypesThatNoKernelKnows) {
  const auto message = [](Op op, const Attributes& attributes, DataType dtype = DataType::kF32) {
    GraphBuilder b("g");
    b.Output(b.Add(op, {b.Input("x", TensorType(dtype, {1, 3, 4, 4}))}, attributes, "y"));
    return b.Finish().status().message();
  };
  const auto resize = [] { return Attributes().SetInts("size", {1, 3, 4, 4}); };
  EXPECT_EQ(message(Op::kResize, resize()), "");
  EXPECT_EQ(message(Op::kResize, resize().SetString("mode", "lanczos")), "node 'y' (resize): mode 'lanczos' is none");
  EXPECT_EQ(message(Op::kResize, resize().SetString("coordinates", "half_pixel_symmetric")),
            "node 'y' (resize): coordinates 'half_pixel_symmetric' is none");
  EXPECT_EQ(message(Op::kResize, resize().SetString("nearest", "up")), "node 'y' (resize): nearest 'up' is none");
  EXPECT_EQ(message(Op::kResize, resize().SetFloats("roi", {0, 1})),
            "node 'y' (resize): roi has not two numbers per axis");
  EXPECT_EQ(message(Op::kPad, Attributes().SetInts("pads", std::vector<int64_t>(8, 0)).SetString("mode", "wrap")),
            "node 'y' (pad): mode 'wrap' is none");
  const auto pool = [] { return Attributes().SetInts("kernel", {2, 2}); };
  EXPECT_EQ(message(Op::kMaxPool2d, pool(), DataType::kU8), "");
  EXPECT_EQ(message(Op::kMaxPool2d, pool(), DataType::kBool), "node 'y' (max_pool2d): takes no bool");
  EXPECT_EQ(message(Op::kMaxPoolIndices, pool(), DataType::kBool), "node 'y' (max_pool_indices): takes no bool");
}

// What Finish would have said, before any op computes with such a type.
TEST(Builder, RefusesTypesThatAreNone) {
  constexpr int64_t kLarge = int64_t{1} << 40;
  const std::pair<TensorType, const char*> kTypes[] = {
      {TensorType(static_cast<DataType>(99), {1, 1, 1}), "input 'x': unknown data type 99"},
      {TensorType(DataType::kF32, {kLarge, kLarge}), "input 'x': "},
      {TensorType(DataType::kF32, {4, -3}), "input 'x': "},
      {TensorType(DataType::kF32, {4, 3}, {0, 0}), "input 'x': "}};
  for (const auto& [type, message] : kTypes) {
    GraphBuilder b("g");
    const ValueId x = b.Input("x", type);
    b.Add(Op::kConv2d, {x, x});
    b.Add(Op::kViewCopy, {x}, Attributes().SetInts("size", {-1}));
    b.Add(Op::kSliceCopy, {x}, Attributes().SetInt("dim", 1).SetInt("start", 1));
    EXPECT_THAT(b.status().message(), StartsWith(message));
  }
  GraphBuilder b("g");
  const DimOrder order = {0, 1, 2, 2};
  b.Add(Op::kRelu, {b.Input("x", kImage)}, {}, "y", &order);
  EXPECT_THAT(b.status().message(), StartsWith("node 'y' (relu): "));
}

TEST(Builder, RefusesConstantsWithoutData) {
  GraphBuilder b("g");
  b.Constant("none", TensorType(DataType::kF32, {3, 0}), nullptr);
  EXPECT_TRUE(b.status().ok()) << b.status().message();
  b.Constant("c", kImage, nullptr);
  EXPECT_EQ(b.status().message(), "constant 'c': has no data");
}

// It takes any graph, not only those that a builder made.
TEST(InferOutput, ChecksTheTypesOfItsInputs) {
  Graph g = ReluOfPermute();
  g.nodes[1].op = Op::kConv2d;
  g.nodes[1].inputs = {1, 1};
  g.values[1].type.dtype = static_cast<DataType>(-1);
  EXPECT_THAT(InferOutput(g, g.nodes[1]).status().message(), StartsWith("input 0: unknown data type"));
  g.nodes[0].op = Op::kSliceCopy;
  g.nodes[0].attributes = Attributes().SetInt("dim", 1).SetInt("start", 1);
  g.values[0].type.sizes[1] = -3;
  EXPECT_THAT(InferOutput(g, g.nodes[0]).status().message(), StartsWith("input 0: "));
}

TEST(Verify, NamesNodeAndValue) {
  Graph g = ReluOfPermute();
  g.values[1].type.sizes = {1, 4, 3, 4};
  EXPECT_THAT(Verify(g).message(), HasSubstr("graph 'g': node 'to_last' (permute_copy): makes f32[1,4,4,3](0,1,2,3), "
                                             "but value 'to_last' is declared f32[1,4,3,4]"));
}

TEST(Verify, FindsUseBeforeProduction) {
  Graph g = ReluOfPermute();
  std::swap(g.nodes[0], g.nodes[1]);
  EXPECT_THAT(Verify(g).message(), HasSubstr("node 'act' (relu): uses value 'to_last' before it is produced"));
}

TEST(Verify, FindsSecondProducers) {
  Graph g = ReluOfPermute();
  g.nodes.push_back(g.nodes[0]);
  EXPECT_THAT(Verify(g).message(), HasSubstr("value 'to_last' is produced a second time"));
}

TEST(Verify, FindsBadAttributes) {
  Graph g = ReluOfPermute();
  g.nodes[1].attributes.SetInt("alpha", 1);
  EXPECT_THAT(Verify(g).message(), HasSubstr("node 'act' (relu): has no attribute 'alpha'"));
  g = ReluOfPermute();
  g.nodes[0].attributes.SetInt("dims", 1);
  EXPECT_THAT(Verify(g).message(), HasSubstr("attribute 'dims' is not of type ints"));
}

TEST(Verify, FindsBadIdsDuplicateNamesAndWrongConstants) {
  Graph g = ReluOfPermute();
  g.nodes[1].inputs[0] = 99;
  EXPECT_THAT(Verify(g).message(), HasSubstr("an input is no value of the graph"));
  g = ReluOfPermute();
  g.values[1].name = "x";
  EXPECT_THAT(Verify(g).message(), HasSubstr("two values are named 'x'"));
  g = ReluOfPermute();
  g.values.push_back({"c", kImage, std::make_shared<std::vector<std::byte>>(3)});
  EXPECT_THAT(Verify(g).message(), HasSubstr("value 'c': a constant of 3 bytes"));
}

TEST(Text, ShowsOrders) {
  EXPECT_THAT(ToText(ReluOfPermute()),
              HasSubstr("%to_last: f32[1,4,4,3](0,1,2,3) = permute_copy(%x) dims=[0, 2, 3, 1]"));
}

TEST(Dot, ColoursCopies) {
  const std::string dot = ToDot(ReluOfPermute());
  EXPECT_THAT(dot, HasSubstr("\"to_last permute_copy\", style=filled"));
  EXPECT_THAT(dot, HasSubstr("[label=\"(0,1,2,3)\"]"));
}

}  // namespace
}  // namespace dimorder
