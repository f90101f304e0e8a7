// SPDX-License-Identifier: Apache-2.0
//
// Which nodes between dequantize and quantize become nodes on integers, and that not one result changes by it. The
// delegates here have wishes only, or run their parts by the reference.
#include "runtime/passes/fold_quantization.h"

#include <gmock/gmock.h>

#include "tests/runtime/part_delegate.h"
#include "tests/runtime/quantized_graph.h"

namespace dimorder {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Takes all nodes on integers but those of one op, and none on floats.
template <class Base>
class IntegerDelegateOf final : public Base {
 public:
  explicit IntegerDelegateOf(Op refused = Op::kEmptyDimOrder) : refused_(refused) {}
  const char* name() const noexcept override { return "integers"; }
  Support Query(const Graph& graph, const Node& node) const override {
    if (!graph.values[static_cast<size_t>(node.output)].type.quantized()) return Support::No("takes integers only");
    return node.op == refused_ ? Support::No("is not its op") : Support::Any();
  }

 private:
  Op refused_;
};
using IntegerDelegate = IntegerDelegateOf<Delegate>;

std::vector<std::string> OpsOf(const Graph& graph) {
  std::vector<std::string> ops;
  for (const Node& node : graph.nodes) ops.emplace_back(OpName(node.op));
  return ops;
}

// What is left of the graph, which must still verify and give the same integers as before.
Graph Folded(const Graph& graph, const Delegate& delegate, const std::vector<std::string>& refused = {}) {
  Graph folded = graph;
  const Delegate* const delegates[] = {&delegate};
  EXPECT_EQ(FoldQuantization(folded, delegates).refused, refused);
  const GraphStatus status = Verify(folded);
  EXPECT_TRUE(status.ok()) << status.message();
  const auto inputs = RandomNumbersFor(graph);
  const auto expected = RunQuantized(graph, {}, inputs);
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    const auto made =
        RunQuantized(graph, {.layout = static_cast<LayoutPolicy>(policy), .delegates = {&delegate}}, inputs);
    for (size_t i = 0; i < made.size(); ++i) EXPECT_EQ(made[i].bytes, expected[i].bytes);
  }
  return folded;
}

// Convolution, relu and clip, per channel, between integers.
Graph ConvReluClip(const Quantization& end) {
  QdqBuilder b("conv");
  const ValueId x = b.QuantizedInput("x", TensorType(DataType::kI8, {1, 3, 5, 4}), Uniform(0.02f, -7));
  const ValueId w = b.QuantizedConstant("w", TensorType(DataType::kI8, {4, 3, 3, 3}), PerChannel(0.01f, 4));
  const ValueId bias = b.QuantizedConstant("b", TensorType(DataType::kI32, {4}), PerChannel(0.0002f, 4));
  const ValueId y = b.Add(Op::kRelu, {b.Add(Op::kConv2d, {x, w, bias})});
  const ValueId z = b.Add(Op::kClip, {y}, Attributes().SetFloat("min", 0.013).SetFloat("max", 2.171));
  b.Output(b.Quantized(z, end, DataType::kI8, &kNHWC));
  return b.Finish().value();
}

TEST(FoldQuantization, QuantizesBeforeActivations) {
  for (const Quantization& end : {Uniform(0.013f, 5), Uniform(0.03f, -128), Uniform(0.001f), Uniform(1, 127)}) {
    const Graph folded = Folded(ConvReluClip(end), IntegerDelegate());
    EXPECT_THAT(OpsOf(folded), ElementsAre("conv2d", "relu", "clip"));
    for (const Node& node : folded.nodes) {
      EXPECT_EQ(folded.values[static_cast<size_t>(node.output)].type.quantization, end);
    }
  }
}

TEST(FoldQuantization, LeavesWhatNobodyTakesAsItWas) {
  const Graph graph = ConvReluClip(Uniform(0.1f));
  const Graph folded = Folded(graph, IntegerDelegate(Op::kRelu), {"relu_4: integers: is not its op"});
  EXPECT_EQ(OpsOf(folded), OpsOf(graph));
  const auto program = Program::Create(graph);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->report().quantized_nodes, 0);
  EXPECT_THAT(program->report().not_quantized, IsEmpty());
}

TEST(FoldQuantization, CopiesMoveIntegersThatStandForTheSame) {
  const auto graph = [](const Quantization& first, const Quantization& second) {
    QdqBuilder b("copies");
    const TensorType type(DataType::kU8, {2, 3, 4, 5});
    const ValueId x = b.QuantizedInput("x", type, first);
    const ValueId y = b.QuantizedInput("y", type, second);
    const ValueId cat = b.Add(Op::kCat, {x, y}, Attributes().SetInt("dim", 1));
    const ValueId turned =
        b.Add(Op::kPermuteCopy, {b.Through(cat, first, DataType::kU8)}, Attributes().SetInts("dims", {0, 2, 3, 1}));
    b.Output(b.Quantized(turned, first, DataType::kU8));
    return b.Finish().value();
  };
  const IntegerDelegate nothing(Op::kCat);
  EXPECT_THAT(OpsOf(Folded(graph(Uniform(0.1f, 9), Uniform(0.1f, 9)), nothing)), ElementsAre("cat", "permute_copy"));
  const Graph differing = Folded(graph(Uniform(0.1f, 9), Uniform(0.1f, 8)), nothing,
                                 {"cat_2: inputs differ in quantization: u8[2,3,4,5](0,1,2,3){scale 0.100000001, "
                                  "zero_point 9}, u8[2,3,4,5](0,1,2,3){scale 0.100000001, zero_point 8}"});
  EXPECT_THAT(OpsOf(differing), ElementsAre("dequantize", "dequantize", "cat", "quantize", "permute_copy"));
}

// 5 stands for the same in both, but is not the same bytes, and 200 is no i8 at all.
TEST(FoldQuantization, CopiesDoNotChangeTheDataType) {
  const std::pair<DataType, DataType> kTypes[] = {
      {DataType::kU8, DataType::kI8}, {DataType::kI8, DataType::kI16}, {DataType::kI32, DataType::kI8}};
  for (const auto& [from, to] : kTypes) {
    QdqBuilder b("types");
    const ValueId x = b.QuantizedInput("x", TensorType(from, {2, 3, 4, 5}), Uniform(0.1f));
    const ValueId turned = b.Add(Op::kPermuteCopy, {x}, Attributes().SetInts("dims", {0, 2, 3, 1}), "turned");
    b.Output(b.Quantized(turned, Uniform(0.1f), to));
    const Graph folded = Folded(b.Finish().value(), IntegerDelegate(), {"turned: the integers would change"});
    EXPECT_THAT(OpsOf(folded), ElementsAre("dequantize", "permute_copy", "quantize"));
  }
}

TEST(FoldQuantization, FloatsThatOthersReadStay) {
  QdqBuilder b("read");
  const ValueId x = b.QuantizedInput("x", TensorType(DataType::kI8, {4}), Uniform(0.1f));
  const ValueId sum = b.Add(Op::kAdd, {x, x});
  b.Output(b.Quantized(sum, Uniform(0.2f)));
  b.Output(b.Add(Op::kTanh, {sum}));
  EXPECT_THAT(OpsOf(Folded(b.Finish().value(), IntegerDelegate())),
              ElementsAre("dequantize", "add", "quantize", "tanh"));
}

// The first dequantize is read twice, once by a node that stays.
TEST(FoldQuantization, SharedDequantizeNodesStayForTheOthers) {
  QdqBuilder b("shared");
  const ValueId x = b.QuantizedInput("x", TensorType(DataType::kI8, {4}), Uniform(0.1f));
  b.Output(b.Quantized(b.Add(Op::kAdd, {x, x}), Uniform(0.2f)));
  b.Output(b.Add(Op::kTanh, {x}));
  EXPECT_THAT(OpsOf(Folded(b.Finish().value(), IntegerDelegate())), ElementsAre("dequantize", "add", "tanh"));
}

TEST(FoldQuantization, IntegersOfWhichNodesDisagreeAreLeftAlone) {
  QdqBuilder b("disagree");
  const ValueId x = b.Input("x", TensorType(DataType::kI8, {4}));
  const ValueId one = b.Dequantized(x, Uniform(0.1f));
  const ValueId two = b.Dequantized(x, Uniform(0.2f));
  b.Output(b.Quantized(b.Add(Op::kAdd, {one, two}), Uniform(0.2f)));
  const Graph folded = Folded(b.Finish().value(), IntegerDelegate());
  EXPECT_THAT(OpsOf(folded), ElementsAre("dequantize", "dequantize", "add", "quantize"));
  EXPECT_FALSE(folded.values[0].type.quantized());
}

// What is done with integers as integers keeps its meaning.
TEST(FoldQuantization, ArithmeticWithIntegersIsLeftAlone) {
  GraphBuilder b("plain");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {4}));
  const ValueId q = b.Add(Op::kQuantize, {x}, Attributes().SetFloats("scale", {0.01}));
  b.Output(b.Add(Op::kAdd, {q, q}));
  const Graph folded = Folded(b.Finish().value(), IntegerDelegate());
  for (const Value& value : folded.values) EXPECT_FALSE(value.type.quantized());
}

// The integers of the caller stay what they are, those in between become i8 where weights are.
TEST(FoldQuantization, UnsignedIntegersBecomeSignedOnes) {
  for (DataType weights : {DataType::kI8, DataType::kU8}) {
    QdqBuilder b("unsigned");
    const ValueId x = b.Input("x", TensorType(DataType::kF32, {1, 2, 4, 4}));
    const ValueId w = b.QuantizedConstant("w", TensorType(weights, {3, 2, 3, 3}), Uniform(0.01f));
    const ValueId u = b.QuantizedConstant("u", TensorType(DataType::kU8, {3, 1, 1}), Uniform(0.02f, 140));
    const ValueId y = b.Add(Op::kConv2d, {b.Through(x, Uniform(0.01f, 120), DataType::kU8), w});
    const ValueId z = b.Add(Op::kMul, {b.Through(y, Uniform(0.02f, 3), DataType::kU8), u});
    b.Output(b.Quantized(b.Through(z, Uniform(0.02f, 255), DataType::kU8), Uniform(0.1f, 9), DataType::kU8));
    const Graph folded = Folded(b.Finish().value(), IntegerDelegate());
    EXPECT_THAT(OpsOf(folded), ElementsAre("quantize", "conv2d", "mul", "dequantize", "quantize"));
    std::vector<std::string> types;
    for (const Node& node : folded.nodes)
      types.push_back(ToString(folded.values[static_cast<size_t>(node.output)].type));
    const bool is_signed = weights == DataType::kI8;
    EXPECT_EQ(types[2], is_signed ? "i8[1,3,2,2](0,1,2,3){scale 0.0199999996, zero_point 127}"
                                  : "u8[1,3,2,2](0,1,2,3){scale 0.0199999996, zero_point 255}");
    EXPECT_EQ(types[4], "u8[1,3,2,2](0,1,2,3){scale 0.100000001, zero_point 9}");
  }
}

TEST(FoldQuantization, FloatConstantsMayStay) {
  QdqBuilder b("bias");
  const ValueId x = b.QuantizedInput("x", TensorType(DataType::kI8, {2, 3}), Uniform(0.1f));
  const ValueId w = b.QuantizedConstant("w", TensorType(DataType::kI8, {4, 3}), PerChannel(0.1f, 4));
  const float bias[4] = {0.5f, 1, -2, 0};
  const ValueId c = b.Constant("c", TensorType(DataType::kF32, {4}), bias);
  const ValueId y = b.Add(Op::kGemm, {x, w, c}, Attributes().SetInt("trans_b", 1));
  b.Output(b.Quantized(y, Uniform(0.5f)));
  EXPECT_THAT(OpsOf(Folded(b.Finish().value(), IntegerDelegate())), ElementsAre("gemm"));
}

// What a delegate compiles is a graph that says what its integers stand for.
TEST(FoldQuantization, DelegatesGetPartsOnIntegers) {
  const Graph graph = ConvReluClip(Uniform(0.013f, 5));
  const IntegerDelegateOf<PartDelegate> parts;
  const auto program = Program::Create(graph, {.delegates = {&parts}});
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ(parts.num_parts(), 1u);
  EXPECT_EQ(program->steps().back().nodes, 3);
  Folded(graph, parts);
}

TEST(FoldQuantization, QuantizedConstantsAreFoldedOtherwise) {
  QdqBuilder b("constants");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {4}));
  b.Output(b.Add(Op::kAdd, {x, b.QuantizedConstant("w", TensorType(DataType::kI8, {4}), Uniform(0.1f))}));
  const auto program = Program::Create(b.Finish().value());
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->report().constants_folded, 1);
  EXPECT_THAT(program->report().not_quantized, IsEmpty());
}

}  // namespace
}  // namespace dimorder
