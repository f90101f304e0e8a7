// SPDX-License-Identifier: Apache-2.0
//
// Quantized types: which there are, how they read, and what nodes make of them.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/runtime/quantized_graph.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;

TensorType With(TensorType type, Quantization q) {
  type.quantization = std::move(q);
  return type;
}

std::string ErrorOf(const TensorType& type) { return CheckTensorType(type).message(); }

TEST(QuantizedType, ReadsAsText) {
  EXPECT_EQ(ToString(With(TensorType(DataType::kI8, {4}), Uniform(0.5f, 3))), "i8[4](0){scale 0.5, zero_point 3}");
  EXPECT_EQ(ToString(With(TensorType(DataType::kI8, {2, 3}), {{1, 2, 1e-7f}, {0, 0, 0}, 1})),
            "i8[2,3](0,1){scale [1, 2, 1.00000001e-07], zero_point [0, 0, 0], axis 1}");
  EXPECT_THAT(ToString(With(TensorType(DataType::kI8, {9}), PerChannel(1, 9))),
              HasSubstr("0.875, ... of 9], zero_point [0, 0, 0, 0, ... of 9], axis 0}"));
}

TEST(QuantizedType, WrongOnesAreErrorsThatNameRuleAndValue) {
  const TensorType type(DataType::kI8, {2, 3});
  EXPECT_EQ(ErrorOf(With(type, Uniform(1, -128))), "");
  EXPECT_EQ(ErrorOf(With(type, {{1, 2, 3}, {1, 2, 3}, 1})), "");
  EXPECT_EQ(ErrorOf(With(type, Uniform(0))), "scale 0 is not positive and finite");
  EXPECT_EQ(ErrorOf(With(type, Uniform(-2))), "scale -2 is not positive and finite");
  EXPECT_EQ(ErrorOf(With(type, Uniform(NAN))), "scale nan is not positive and finite");
  EXPECT_EQ(ErrorOf(With(type, Uniform(INFINITY))), "scale inf is not positive and finite");
  EXPECT_EQ(ErrorOf(With(type, Uniform(1, 128))), "zero_point 128 is no i8");
  EXPECT_EQ(ErrorOf(With(TensorType(DataType::kU8, {1}), Uniform(1, -1))), "zero_point -1 is no u8");
  EXPECT_EQ(ErrorOf(With(TensorType(DataType::kF32, {1}), Uniform(1))), "f32 is not quantized");
  EXPECT_EQ(ErrorOf(With(type, {{1, 2}, {0}, 0})), "has 1 zero_points for 2 scales");
  EXPECT_EQ(ErrorOf(With(type, {{}, {0}, 0})), "has 1 zero_points for 0 scales");
  EXPECT_EQ(ErrorOf(With(type, {{1, 2}, {0, 0}, 1})), "has 2 scales for an axis of 3");
  EXPECT_EQ(ErrorOf(With(type, {{1, 2}, {0, 0}, 2})), "is quantized along axis 2 of rank 2");
  EXPECT_EQ(ErrorOf(With(type, {{1}, {0}, -1})), "is quantized along axis -1 of rank 2");
}

TEST(QuantizedType, AttributesOfNodesAreCheckedAlike) {
  const TestTensor x(TensorType(DataType::kF32, {2, 3}));
  const auto error = [&](std::vector<double> scales, std::vector<int64_t> zero_points, int64_t axis = 0) {
    const auto attributes = Attributes().SetFloats("scale", scales).SetInts("zero_point", zero_points);
    return RunNode(Op::kQuantize, Attributes(attributes).SetInt("axis", axis), {x}, nullptr).status().message();
  };
  EXPECT_EQ(error({1}, {}), "");
  EXPECT_THAT(error({0}, {0}), HasSubstr("scale 0 is not positive and finite"));
  EXPECT_THAT(error({1}, {1000}), HasSubstr("zero_point 1000 is no i8"));
  EXPECT_THAT(error({1}, {int64_t{1} << 40}), HasSubstr("zero_point 1099511627776 is beyond 32 bits"));
  EXPECT_THAT(error({1, 2}, {0}), HasSubstr("has 1 zero_points for 2 scales"));
  EXPECT_THAT(error({1, 2}, {0, 0}, 1), HasSubstr("has 2 scales for an axis of 3"));
  EXPECT_THAT(error({1, 2}, {0, 0}, 2), HasSubstr("axis 2 is outside rank 2"));
}

// x -> add(x, x) -> y, all of them quantized; the node's name is 'y'.
Graph Sum(const Quantization& x, const Quantization& y) {
  GraphBuilder b("sum");
  const ValueId in = b.Input("x", With(TensorType(DataType::kI8, {3}), x));
  b.Output(b.Add(Op::kAdd, {in, in}, {}, "y"));
  Graph graph = b.Finish().value();
  graph.values[1].type = With(TensorType(DataType::kI8, {3}), y);
  return graph;
}

TEST(QuantizedOps, ComputeWithTheNumbers) {
  const Graph graph = Sum(Uniform(0.5f, 10), Uniform(0.25f, -20));
  ASSERT_TRUE(Verify(graph).ok()) << Verify(graph).message();
  EXPECT_THAT(ToText(graph), HasSubstr("%y: i8[3](0){scale 0.25, zero_point -20} = add(%x, %x)"));
  TestTensor x(TensorType(DataType::kI8, {3}));
  x.as<int8_t>()[0] = 12;    // 1: 2
  x.as<int8_t>()[1] = 9;     // -0.5: -1
  x.as<int8_t>()[2] = -128;  // -69: -138 saturates
  const auto y = RunQuantized(graph, {}, {x});
  EXPECT_EQ(y[0].as<int8_t>()[0], -20 + 8);
  EXPECT_EQ(y[0].as<int8_t>()[1], -20 - 4);
  EXPECT_EQ(y[0].as<int8_t>()[2], -128);
}

TEST(QuantizedOps, CopiesKeepWhatIntegersStandFor) {
  GraphBuilder b("copy");
  const ValueId x = b.Input("x", With(TensorType(DataType::kI8, {2, 3}), Uniform(0.5f)));
  const ValueId y = b.Add(Op::kTCopy, {x}, {}, "y");
  EXPECT_EQ(b.type(y)->quantization, Uniform(0.5f));
  b.Output(y);
  Graph graph = b.Finish().value();
  graph.values[1].type.quantization = Uniform(0.25f);
  EXPECT_EQ(Verify(graph).message(),
            "graph 'copy': node 'y' (t_copy): makes i8[3,2](0,1){scale 0.5, zero_point 0}, but value 'y' is declared "
            "i8[3,2](0,1){scale 0.25, zero_point 0}");

  GraphBuilder channels("channels");
  const ValueId w = channels.Input("w", With(TensorType(DataType::kI8, {2, 3}), PerChannel(1, 2)));
  const ValueId clone = channels.Add(Op::kCloneDimOrder, {w});
  EXPECT_EQ(channels.type(clone)->quantization, PerChannel(1, 2));
  channels.Add(Op::kTCopy, {w});
  EXPECT_THAT(channels.status().message(), HasSubstr("does not move the axis of i8[2,3](0,1){scale [0.5, 0.625]"));

  GraphBuilder cat("cat");
  const ValueId a = cat.Input("a", With(TensorType(DataType::kI8, {2}), Uniform(1)));
  cat.Add(Op::kCat, {a, cat.Input("b", TensorType(DataType::kI8, {2}))}, Attributes().SetInt("dim", 0));
  EXPECT_THAT(cat.status().message(), HasSubstr("inputs differ in quantization: i8[2](0){scale 1"));
}

TEST(QuantizedOps, DequantizeSaysWhatTheTypeSays) {
  GraphBuilder b("other");
  const ValueId x = b.Input("x", With(TensorType(DataType::kI8, {2}), Uniform(0.5f)));
  b.Add(Op::kDequantize, {x}, Attributes().SetFloats("scale", {1}));
  EXPECT_THAT(b.status().message(), HasSubstr("dequantizes i8[2](0){scale 0.5, zero_point 0} as i8[2](0){scale 1,"));
}

TEST(QuantizedOps, GuardsHoldCallersToTheirWord) {
  const Graph graph = Sum(Uniform(0.5f), Uniform(1));
  const auto program = Program::Create(graph);
  ASSERT_TRUE(program.ok());
  auto outputs = OutputsOf(graph);
  const TensorType plain(DataType::kI8, {3});
  EXPECT_TRUE(RunProgram(*program, {TestTensor(plain)}, outputs).ok());
  EXPECT_TRUE(RunProgram(*program, {TestTensor(With(plain, Uniform(0.5f)))}, outputs).ok());
  EXPECT_EQ(RunProgram(*program, {TestTensor(With(plain, Uniform(2)))}, outputs).message(),
            "input 'x': declared i8[3](0){scale 0.5, zero_point 0}, given i8[3](0){scale 2, zero_point 0}");
}

}  // namespace
}  // namespace dimorder
