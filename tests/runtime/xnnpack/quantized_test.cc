// SPDX-License-Identifier: Apache-2.0
//
// Ops on integers by XNNPACK, in several dim orders and under all policies, against the reference, which computes
// between dequantize and quantize: within one quantum, since XNNPACK rounds sums by other means.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/mapping.h"
#include "tests/runtime/quantized_graph.h"
#include "tests/runtime/xnnpack/xnnpack_graph.h"

namespace dimorder {
namespace {

int IntegerAt(const TestTensor& tensor, int64_t i) {
  return tensor.type.dtype == DataType::kU8 ? tensor.as<uint8_t>()[i] : tensor.as<int8_t>()[i];
}

void ExpectWithin(const TestTensor& made, const TestTensor& expected, int quanta) {
  int worst = 0;
  for (int64_t i = 0; i < NumElements(made.type); ++i) {
    worst = std::max(worst, std::abs(IntegerAt(made, i) - IntegerAt(expected, i)));
  }
  EXPECT_LE(worst, quanta);
}

// Runs the graph by XNNPACK, all nodes in one part, none of which is quantize or dequantize.
void ExpectOnIntegers(const Graph& graph, int quanta = 1) {
  const auto inputs = RandomNumbersFor(graph);
  const auto expected = RunQuantized(graph, {}, inputs);
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    const auto program =
        Program::Create(graph, {.layout = static_cast<LayoutPolicy>(policy), .delegates = {&Xnnpack()}});
    ASSERT_TRUE(program.ok()) << program.status().message();
    EXPECT_THAT(program->report().not_quantized, testing::IsEmpty());
    EXPECT_EQ(PartsOf(*program).parts, 1u);
    for (const Node& node : program->graph().nodes) {
      EXPECT_TRUE(node.op != Op::kQuantize && node.op != Op::kDequantize) << node.name;
    }
    auto outputs = OutputsOf(graph);
    const GraphStatus status = RunProgram(*program, inputs, outputs);
    ASSERT_TRUE(status.ok()) << status.message();
    for (size_t i = 0; i < outputs.size(); ++i) ExpectWithin(outputs[i], expected[i], quanta);
  }
}

// An op on an image of integers and constants of them.
struct Operand {
  std::vector<int64_t> sizes;
  Quantization quantization = Uniform(0.02f);
  DataType dtype = DataType::kI8;
};
struct OneOp {
  Op op;
  std::vector<int64_t> image;
  std::vector<Operand> constants = {};
  Attributes attributes = {};
  Quantization input = Uniform(0.03f, -9);
  Quantization output = Uniform(0.05f, 11);
};

Graph GraphOf(const OneOp& c, const DimOrder& order, DataType dtype) {
  QdqBuilder b("one");
  std::vector<ValueId> ids = {b.QuantizedInput("x", TensorType(dtype, c.image, order), c.input)};
  for (const Operand& operand : c.constants) {
    const DataType type = operand.dtype == DataType::kI8 ? dtype : operand.dtype;
    ids.push_back(
        b.QuantizedConstant("c" + std::to_string(ids.size()), TensorType(type, operand.sizes), operand.quantization));
  }
  const ValueId y = b.Add(c.op, ids, c.attributes, "y");
  b.Output(b.Quantized(y, c.output, dtype, b.type(y) && b.type(y)->rank() == 4 ? &order : nullptr));
  auto graph = b.Finish();
  EXPECT_TRUE(graph.ok()) << graph.status().message();
  return std::move(graph).value();
}

void ExpectTaken(const OneOp& c, DataType dtype = DataType::kI8) {
  for (const DimOrder& order : {kNCHW, kNHWC, DimOrder{2, 3, 1, 0}}) {
    SCOPED_TRACE(std::string(OpName(c.op)) + " of " + ToString(TensorType(dtype, c.image, order)));
    ExpectOnIntegers(GraphOf(c, order, dtype));
  }
}

// u8 has its zero points in the middle.
OneOp Unsigned(OneOp c) {
  c.input.zero_points[0] += 128;
  c.output.zero_points[0] += 128;
  for (Operand& constant : c.constants) {
    if (constant.dtype == DataType::kI8) constant.quantization.zero_points[0] = 121;
  }
  return c;
}

void ExpectTakenBoth(const OneOp& c) {
  ExpectTaken(c);
  ExpectTaken(Unsigned(c), DataType::kU8);
}

std::string ReasonFor(const OneOp& c, DataType dtype = DataType::kI8) {
  const Graph graph = GraphOf(c, kNCHW, dtype);
  const auto program = Program::Create(graph, {.delegates = {&Xnnpack()}});
  EXPECT_TRUE(program.ok()) << program.status().message();
  const auto& reasons = program->report().not_quantized;
  EXPECT_EQ(reasons.size(), 1u);
  // What is refused on integers runs on floats instead.
  const auto inputs = RandomNumbersFor(graph);
  ExpectWithin(RunQuantized(graph, {.delegates = {&Xnnpack()}}, inputs)[0], RunQuantized(graph, {}, inputs)[0], 1);
  return reasons.empty() ? "" : reasons[0].substr(reasons[0].rfind(": ") + 2);
}

Attributes Window(std::vector<int64_t> stride, std::vector<int64_t> padding, int64_t groups = 1) {
  return Attributes()
      .SetInts("stride", std::move(stride))
      .SetInts("padding", std::move(padding))
      .SetInt("groups", groups);
}

Operand Bias(int64_t channels, Quantization quantization = Uniform(0.0006f)) {
  return {{channels}, std::move(quantization), DataType::kI32};
}

TEST(XnnpackQuantized, Convolutions) {
  ExpectTakenBoth({Op::kConv2d, {2, 3, 9, 11}, {{{8, 3, 3, 3}}, Bias(8)}, Window({2, 1}, {1, 0, 2, 1})});
  ExpectTakenBoth({Op::kConv2d, {1, 5, 6, 7}, {{{4, 5, 1, 1}}}, Window({1, 1}, {0, 0, 0, 0})});
  ExpectTakenBoth({Op::kConv2d, {1, 6, 8, 8}, {{{9, 2, 3, 3}}, Bias(9)}, Window({1, 1}, {1, 1, 1, 1}, 3)});
  ExpectTakenBoth({Op::kConv2d, {1, 5, 9, 8}, {{{5, 1, 3, 3}}, Bias(5)}, Window({1, 1}, {1, 1, 1, 1}, 5)});
  ExpectTakenBoth({Op::kConv2d, {1, 3, 9, 8}, {{{6, 1, 5, 3}}}, Window({2, 2}, {2, 1, 2, 1}, 3)});
  ExpectTakenBoth({Op::kConvTranspose2d, {1, 3, 5, 6}, {{{3, 4, 3, 2}}, Bias(4)}, Window({2, 1}, {1, 0, 0, 1})});
  ExpectTakenBoth({Op::kConvTranspose2d, {1, 4, 5, 6}, {{{4, 3, 2, 2}}}, Window({2, 2}, {0, 0, 0, 0}, 2)});
}

TEST(XnnpackQuantized, ConvolutionsPerChannel) {
  const Operand w = {{9, 6, 3, 3}, PerChannel(0.02f, 9)};
  ExpectTaken({Op::kConv2d, {2, 6, 9, 11}, {w, Bias(9, PerChannel(0.0006f, 9))}, Window({2, 1}, {1, 0, 2, 1})});
  ExpectTaken({Op::kConv2d, {1, 6, 5, 5}, {w}, Window({1, 1}, {1, 1, 1, 1})});
  const Operand grouped = {{9, 2, 3, 3}, PerChannel(0.02f, 9)};
  ExpectTaken({Op::kConv2d, {1, 6, 8, 8}, {grouped, Bias(9)}, Window({1, 1}, {1, 1, 1, 1}, 3)});
  const Operand depthwise = {{12, 1, 3, 3}, PerChannel(0.02f, 12)};
  ExpectTaken({Op::kConv2d, {1, 6, 8, 8}, {depthwise, Bias(12)}, Window({1, 1}, {1, 1, 1, 1}, 6)});
  ExpectTaken({Op::kConv2d, {1, 12, 8, 8}, {depthwise}, Window({2, 2}, {1, 1, 1, 1}, 12)});
}

TEST(XnnpackQuantized, OutputsAreScaledByNumbersOfAnySize) {
  for (float scale : {0x1p-9f, 0.0023f, 0.05f, 3.7f, 2000.0f}) {
    ExpectTaken({.op = Op::kConv2d,
                 .image = {1, 7, 5, 5},
                 .constants = {{{8, 7, 3, 3}, PerChannel(0.02f, 8)}, Bias(8)},
                 .output = Uniform(scale, -3)});
  }
}

// With powers of two all is exact but for the rounding at the end, which is the same.
TEST(XnnpackQuantized, SumsAreRoundedAsByTheReference) {
  const Quantization x = Uniform(0x1p-5f, -9);
  const Quantization one = Uniform(0x1p-6f);
  const Quantization several = {
      {0x1p-6f, 0x1p-7f, 0x1p-5f, 1, 0x1p-6f, 0x1p-8f, 0x1p-9f, 0x1p-2f}, std::vector<int32_t>(8), 0};
  const auto expect_exact = [](const OneOp& c) { ExpectOnIntegers(GraphOf(c, kNHWC, DataType::kI8), 0); };
  for (const Quantization& w : {one, several}) {
    Quantization sums = w;
    for (float& scale : sums.scales) scale *= x.scales[0];
    const Attributes depthwise = Window({1, 1}, {1, 1, 1, 1}, 8);
    for (float y : {0x1p-9f, 0x1p-5f, 0x1p-3f}) {
      expect_exact({Op::kConv2d, {2, 6, 9, 9}, {{{8, 6, 3, 3}, w}, Bias(8, sums)}, {}, x, Uniform(y, 11)});
      expect_exact({Op::kConv2d, {1, 8, 9, 9}, {{{8, 1, 3, 3}, w}, Bias(8, sums)}, depthwise, x, Uniform(y, 11)});
    }
  }
}

TEST(XnnpackQuantized, ElementwiseOpsAndPools) {
  const Quantization same = Uniform(0.03f, -9);
  for (Op op : {Op::kAdd, Op::kSub, Op::kMul}) {
    for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{2, 3, 4, 5}, {3, 1, 1}, {1, 1, 1, 5}}) {
      ExpectTakenBoth({op, {2, 3, 4, 5}, {{sizes, Uniform(0.04f, 7)}}});
    }
  }
  const auto pool = Attributes().SetInts("kernel", {3, 3}).SetInts("stride", {2, 2}).SetInts("padding", {1, 1, 1, 1});
  ExpectTakenBoth({.op = Op::kMaxPool2d, .image = {2, 3, 8, 9}, .attributes = pool, .output = same});
  ExpectTakenBoth({.op = Op::kGlobalMaxPool, .image = {2, 3, 8, 9}, .output = same});
  ExpectTakenBoth({.op = Op::kGlobalAvgPool, .image = {2, 9, 7, 7}});
  ExpectTakenBoth({.op = Op::kMean, .image = {2, 9, 7, 7}, .attributes = Attributes().SetInts("dims", {2, 3})});
  ExpectTakenBoth({.op = Op::kRelu, .image = {2, 3, 4, 5}, .output = same});
  const auto clip = Attributes().SetFloat("min", -0.7).SetFloat("max", 1.3);
  ExpectTakenBoth({.op = Op::kClip, .image = {2, 3, 4, 5}, .attributes = clip, .output = same});
  const auto pad = Attributes().SetInts("pads", {0, 1, 2, 0, 0, 0, 1, 3}).SetFloat("value", 0.5);
  ExpectTakenBoth({.op = Op::kPad, .image = {2, 3, 4, 5}, .attributes = pad, .output = same});
  const auto resize = Attributes().SetInts("size", {2, 3, 8, 10}).SetString("mode", "linear");
  ExpectTakenBoth({.op = Op::kResize, .image = {2, 3, 4, 5}, .attributes = resize, .output = same});
  ExpectTaken({.op = Op::kSigmoid, .image = {2, 3, 4, 5}, .output = Uniform(0x1p-8f, -128)});
}

TEST(XnnpackQuantized, MatrixProducts) {
  for (int64_t trans_b : {0, 1}) {
    for (bool channels : {false, true}) {
      for (bool bias : {false, true}) {
        QdqBuilder b("gemm");
        const ValueId x = b.QuantizedInput("x", TensorType(DataType::kI8, {3, 70}, {1, 0}), Uniform(0.03f, 5));
        const auto sizes = trans_b ? std::vector<int64_t>{10, 70} : std::vector<int64_t>{70, 10};
        const Quantization q = channels ? PerChannel(0.02f, 10, trans_b ? 0 : 1) : Uniform(0.02f);
        std::vector<ValueId> inputs = {x, b.QuantizedConstant("w", TensorType(DataType::kI8, sizes), q)};
        if (bias) inputs.push_back(b.QuantizedConstant("b", TensorType(DataType::kI32, {1, 10}), Uniform(0.0006f)));
        const ValueId y = b.Add(Op::kGemm, inputs, Attributes().SetInt("trans_b", trans_b));
        b.Output(b.Quantized(b.Add(Op::kRelu, {y}), Uniform(0.1f, -100)));
        ExpectOnIntegers(b.Finish().value());
      }
    }
  }
  for (const Quantization& q : {Uniform(0.02f), PerChannel(0.02f, 4, 1)}) {
    QdqBuilder b("matmul");
    const ValueId x = b.QuantizedInput("x", TensorType(DataType::kI8, {2, 3, 5}, {1, 2, 0}), Uniform(0.03f, 5));
    const ValueId y = b.Add(Op::kMatmul, {x, b.QuantizedConstant("w", TensorType(DataType::kI8, {5, 4}), q)});
    b.Output(b.Quantized(y, Uniform(0.02f)));
    ExpectOnIntegers(b.Finish().value());
  }
}

// A bias that PyTorch's exporter leaves in floats, and activations that become ranges of integers.
TEST(XnnpackQuantized, FloatBiasesAndActivations) {
  QdqBuilder b("activations");
  const ValueId x = b.QuantizedInput("x", TensorType(DataType::kI8, {1, 6, 9, 8}, kNHWC), Uniform(0.03f, -9));
  const ValueId w = b.QuantizedConstant("w", TensorType(DataType::kI8, {8, 6, 3, 3}), PerChannel(0.02f, 8));
  const ValueId bias = RandomConstant(b, "b", TensorType(DataType::kF32, {8}), 3);
  const ValueId y = b.Add(Op::kRelu, {b.Add(Op::kConv2d, {x, w, bias})});
  const ValueId z = b.Add(Op::kClip, {b.Through(y, Uniform(0.05f, -100))}, Attributes().SetFloat("max", 6.03));
  b.Output(b.Quantized(z, Uniform(0.05f, -100), DataType::kI8, &kNHWC));
  ExpectOnIntegers(b.Finish().value());
}

TEST(XnnpackQuantized, RefusesWhatItWouldGetWrong) {
  const auto conv = [](const Operand& w, float output = 0.05f, const Operand& bias = Bias(8)) {
    return OneOp{.op = Op::kConv2d, .image = {1, 6, 5, 5}, .constants = {w, bias}, .output = Uniform(output)};
  };
  const std::vector<int64_t> sizes = {8, 6, 3, 3};
  Quantization some = PerChannel(0.02f, 8);
  some.zero_points[3] = 1;
  EXPECT_EQ(ReasonFor(conv({sizes, Uniform(0.02f, 1)})), "takes i8 weights around 0 only");
  EXPECT_EQ(ReasonFor(conv({sizes, some})), "takes i8 weights around 0 only");
  EXPECT_EQ(ReasonFor(conv({sizes, PerChannel(0.02f, 6, 1)})), "takes scales along the output's channels only");
  EXPECT_EQ(ReasonFor(conv({sizes}, 1e-6f)), "scales sums by 2^-32 to 2^8 only");
  EXPECT_EQ(ReasonFor(conv({sizes}, 1e9f)), "scales sums by 2^-32 to 2^8 only");
  EXPECT_EQ(ReasonFor(conv({sizes}, 0.05f, Bias(8, Uniform(1000)))), "adds biases of 30 bits only");
  EXPECT_EQ(ReasonFor(Unsigned(conv({sizes, PerChannel(0.02f, 8)})), DataType::kU8),
            "takes u8 weights with one scale only");
  EXPECT_EQ(ReasonFor({.op = Op::kConv2d, .image = {1, 4000, 3, 3}, .constants = {{{1, 4000, 3, 3}}}}),
            "adds up to 2^15 products");
  const Operand transposed = {{6, 4, 3, 3}, PerChannel(0.02f, 6)};
  EXPECT_EQ(ReasonFor({Op::kConvTranspose2d, {1, 6, 5, 5}, {transposed}}),
            "has no transposed convolution with scales per channel");
  EXPECT_EQ(ReasonFor({.op = Op::kRelu, .image = {2, 3, 4, 5}}), "changes no scale or zero point in this op");
  EXPECT_EQ(ReasonFor({.op = Op::kTanh, .image = {2, 3, 4, 5}}), "has no such op");
  EXPECT_EQ(ReasonFor({.op = Op::kHardswish, .image = {2, 3, 4, 5}}), "has no such op on integers");
  EXPECT_EQ(ReasonFor({.op = Op::kSigmoid, .image = {2, 3, 4, 5}}),
            "makes sigmoids with scale 2^-8 and the least zero point only");
  EXPECT_EQ(ReasonFor({.op = Op::kAdd, .image = {2, 3, 4, 5}, .constants = {{{5}}}, .output = Uniform(100)}),
            "scales an operand by 2^-10 to 2^8 only");
  EXPECT_EQ(ReasonFor({.op = Op::kGlobalAvgPool, .image = {2, 3, 4, 5}, .output = Uniform(100)}),
            "scales a mean by 2^-8 to 2^8 only");
  const auto narrow = Attributes().SetFloat("min", 0).SetFloat("max", 0.001);
  EXPECT_EQ(ReasonFor({.op = Op::kClip, .image = {2, 3, 4, 5}, .attributes = narrow, .output = Uniform(0.03f, -9)}),
            "clips to a proper range only");
}

// A small MobileNet: a residual block of convolutions 1x1 and depthwise, a concat, a mean, a matrix product.
Graph Network(const DimOrder& order) {
  QdqBuilder b("network");
  const Quantization x = Uniform(0.03f, -9);
  const auto conv = [&](ValueId input, const std::string& name, std::vector<int64_t> sizes, int64_t groups) {
    const int64_t channels = sizes[0];
    const int64_t pad = sizes[2] / 2;
    const ValueId w = b.QuantizedConstant(name, TensorType(DataType::kI8, std::move(sizes)),
                                          PerChannel(groups > 1 ? 0.004f : 0.002f, channels));
    return b.Add(Op::kConv2d, {input, w}, Window({1, 1}, {pad, pad, pad, pad}, groups));
  };
  const ValueId in = b.QuantizedInput("x", TensorType(DataType::kI8, {2, 8, 9, 7}, order), x);
  ValueId y = b.Through(b.Add(Op::kRelu, {conv(in, "expand", {24, 8, 1, 1}, 1)}), Uniform(0.02f, -128));
  y = b.Through(b.Add(Op::kRelu, {conv(y, "depthwise", {24, 1, 3, 3}, 24)}), Uniform(0.02f, -128));
  y = b.Through(conv(y, "project", {8, 24, 1, 1}, 1), Uniform(0.02f, 3));
  y = b.Through(b.Add(Op::kAdd, {y, in}), x);
  const ValueId both = b.Quantized(b.Add(Op::kCat, {y, in}, Attributes().SetInt("dim", 1)), x, DataType::kI8, &order);
  b.Output(both);
  y = b.Through(b.Add(Op::kGlobalAvgPool, {b.Dequantized(both, x)}), Uniform(0.02f, -2));
  y = b.Through(b.Add(Op::kViewCopy, {y}, Attributes().SetInts("size", {2, 16})), Uniform(0.02f, -2));
  const ValueId w = b.QuantizedConstant("w", TensorType(DataType::kI8, {16, 10}), PerChannel(0.01f, 10, 1));
  b.Output(b.Quantized(b.Add(Op::kMatmul, {y, w}), Uniform(0.05f)));
  return b.Finish().value();
}

TEST(XnnpackQuantized, ANetworkRunsOnIntegersUnderAllPolicies) {
  const auto threads = XnnpackThreads::Create(4);
  ASSERT_TRUE(threads.ok());
  for (const DimOrder& order : {kNCHW, kNHWC, DimOrder{2, 3, 1, 0}}) {
    const Graph graph = Network(order);
    const auto inputs = RandomNumbersFor(graph);
    const auto expected = RunQuantized(graph, {}, inputs);
    for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
      CompileOptions options = {.layout = static_cast<LayoutPolicy>(policy), .delegates = {&Xnnpack()}};
      if (policy % 2 == 0) options.executor = threads->executor();
      const auto program = Program::Create(graph, options);
      ASSERT_TRUE(program.ok()) << program.status().message();
      EXPECT_THAT(program->report().not_quantized, testing::IsEmpty());
      EXPECT_EQ(program->report().quantized_nodes, 10);
      for (const Value& value : program->graph().values) EXPECT_NE(value.type.dtype, DataType::kF32) << value.name;
      const auto made = RunQuantized(graph, options, inputs);
      for (size_t i = 0; i < made.size(); ++i) ExpectWithin(made[i], expected[i], 2);
    }
  }
}

// 16 bytes behind an input may be read, and no more: there the page ends.
TEST(XnnpackQuantized, ReadsNoFurtherThanItSays) {
  const Quantization q = Uniform(0.03f, -9);
  const auto pool = Attributes().SetInts("kernel", {3, 3}).SetInts("padding", {1, 1, 1, 1});
  for (int64_t channels = 1; channels <= 36; ++channels) {
    QdqBuilder b("guarded");
    const TensorType type(DataType::kI8, {1, channels, 3, 5}, kNHWC);
    const ValueId x = b.QuantizedInput("x", type, q);
    const ValueId point = b.QuantizedConstant("p", TensorType(DataType::kI8, {5, channels, 1, 1}), Uniform(0.02f));
    const ValueId depth = b.QuantizedConstant("d", TensorType(DataType::kI8, {channels, 1, 3, 3}), Uniform(0.02f));
    const auto depthwise = Window({1, 1}, {1, 1, 1, 1}, channels);
    for (const ValueId y : {b.Add(Op::kConv2d, {x, point}), b.Add(Op::kConv2d, {x, depth}, depthwise),
                            b.Add(Op::kAdd, {x, x}), b.Add(Op::kMul, {x, x}), b.Add(Op::kMaxPool2d, {x}, pool),
                            b.Add(Op::kGlobalAvgPool, {x}), b.Add(Op::kClip, {x}, Attributes().SetFloat("max", 1))}) {
      b.Output(b.Quantized(y, q, DataType::kI8, &kNHWC));
    }
    const Graph graph = b.Finish().value();
    const auto inputs = RandomNumbersFor(graph);
    const auto program = Program::Create(graph, {.delegates = {&Xnnpack()}});
    ASSERT_TRUE(program.ok()) << program.status().message();
    EXPECT_THAT(program->report().not_quantized, testing::IsEmpty());
    auto context = program->NewContext();
    ASSERT_TRUE(context.ok()) << context.status().message();
    const auto past = static_cast<size_t>(Xnnpack().reads_past());
    test::Mapping in(inputs[0].bytes.size() + past);
    std::byte* const data = reinterpret_cast<std::byte*>(in.end()) - past - inputs[0].bytes.size();
    std::ranges::copy(inputs[0].bytes, data);
    auto outputs = OutputsOf(graph);
    std::vector<OutputBuffer> out;
    for (TestTensor& t : outputs) out.push_back({t.type, t.bytes.data()});
    const InputBuffer input[] = {{type, data, Xnnpack().reads_past()}};
    const GraphStatus status = context->Run(input, out);
    ASSERT_TRUE(status.ok()) << status.message();
    const auto expected = RunQuantized(graph, {}, inputs);
    for (size_t i = 0; i < outputs.size(); ++i) ExpectWithin(outputs[i], expected[i], 1);
  }
}

// Floats beyond the integers saturate; others are rounded after a product with the reciprocal of the scale.
TEST(XnnpackQuantized, Conversions) {
  for (DataType dtype : {DataType::kI8, DataType::kU8}) {
    for (const Quantization& q : {Uniform(0x1p-4f, 3), Uniform(0.0123f, 100)}) {
      QdqBuilder b("conversions");
      const ValueId integers = b.Quantized(b.Input("x", TensorType(DataType::kF32, {2003})), q, dtype);
      b.Output(integers);
      b.Output(b.Dequantized(integers, q));
      const Graph graph = b.Finish().value();
      TestTensor x(TensorType(DataType::kF32, {2003}));
      for (int i = 0; i < 2000; ++i) x.as<float>()[i] = static_cast<float>(i - 1000) * 0.031f * q.scales[0] * 10;
      const float far[] = {1e30f, -1e30f, std::numeric_limits<float>::infinity()};
      std::copy(std::begin(far), std::end(far), x.as<float>() + 2000);
      const auto expected = RunQuantized(graph, {}, {x});
      const auto program = Program::Create(graph, {.delegates = {&Xnnpack()}});
      ASSERT_TRUE(program.ok()) << program.status().message();
      EXPECT_EQ(PartsOf(*program).nodes, 2);
      const auto made = RunQuantized(graph, {.delegates = {&Xnnpack()}}, {x});
      ExpectWithin(made[0], expected[0], q.scales[0] == 0x1p-4f ? 0 : 1);
      for (int64_t i = 0; i < 2003; ++i) {
        EXPECT_EQ(made[1].as<float>()[i], static_cast<float>(IntegerAt(made[0], i) - q.zero_points[0]) * q.scales[0]);
      }
    }
  }
}

// What XNNPACK runs on floats joins the part: the conversions are its own, too.
TEST(XnnpackQuantized, FloatsInBetweenStayInThePart) {
  QdqBuilder b("mixed");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {1, 6, 9, 8}, kNHWC));
  const ValueId w = b.QuantizedConstant("w", TensorType(DataType::kI8, {6, 6, 3, 3}), PerChannel(0.02f, 6));
  const ValueId y = b.Add(Op::kConv2d, {b.Through(x, Uniform(0x1p-6f, 3)), w});
  const ValueId z = b.Add(Op::kHardswish, {b.Through(y, Uniform(0x1p-4f, 1))});
  b.Output(b.Add(Op::kConv2d, {b.Through(z, Uniform(0x1p-5f, -7)), w}, {}, "y", &kNHWC));
  const Graph graph = b.Finish().value();
  const auto inputs = RandomInputs(graph);
  const auto expected = RunWith(graph, {}, inputs);
  const auto program = Program::Create(graph, {.delegates = {&Xnnpack()}});
  ASSERT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ(PartsOf(*program).parts, 1u);
  EXPECT_EQ(program->report().quantized_nodes, 1);
  ExpectClose(RunWith(graph, {.delegates = {&Xnnpack()}}, inputs)[0], expected[0], 0.02f);
}

}  // namespace
}  // namespace dimorder
