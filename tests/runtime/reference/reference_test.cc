// SPDX-License-Identifier: Apache-2.0
//
// Each compute op in every dim order of each of its inputs and of its output gives what it gives in the logical order.
// What it gives there is held against ONNX's node tests and whole models (tests/runtime/onnx).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

struct ComputeCase {
  Op op;
  Attributes attributes;
  std::vector<std::vector<int64_t>> sizes;
};

std::vector<ComputeCase> Cases() {
  const auto conv = [] { return Attributes().SetInts("stride", {2, 1}).SetInts("padding", {1, 0, 0, 2}); };
  const auto pool = [&] { return conv().SetInts("kernel", {2, 3}); };
  const std::vector<int64_t> s = {2, 4, 5, 3};
  return {
      {Op::kConv2d, conv(), {s, {3, 4, 3, 2}, {3}}},
      {Op::kConv2d, conv().SetInt("groups", 2).SetInts("dilation", {1, 2}), {s, {6, 2, 2, 2}}},
      {Op::kConv2d, conv().SetInt("groups", 4), {s, {4, 1, 3, 3}, {4}}},
      {Op::kConvTranspose2d, conv().SetInt("groups", 2).SetInts("output_padding", {1, 0}), {s, {4, 3, 3, 3}, {6}}},
      {Op::kMaxPool2d, pool().SetInt("ceil_mode", 1), {s}},
      {Op::kAvgPool2d, pool(), {s}},
      {Op::kAvgPool2d, pool().SetInt("count_include_pad", 1).SetInt("ceil_mode", 1), {s}},
      {Op::kConv2d, Attributes().SetInts("stride", {2}).SetInts("padding", {2, 1}), {{2, 4, 9}, {6, 4, 3}, {6}}},
      {Op::kConvTranspose2d, Attributes().SetInts("stride", {2, 1, 3}), {{1, 2, 2, 3, 2}, {2, 3, 2, 1, 2}}},
      {Op::kMaxPool2d, Attributes().SetInts("kernel", {2, 1, 3}).SetInts("dilation", {1, 2, 1}), {{1, 2, 4, 3, 3}}},
      {Op::kAvgPool2d, Attributes().SetInts("kernel", {3}), {{2, 3, 5}}},
      {Op::kGlobalMaxPool, {}, {s}},
      {Op::kGlobalAvgPool, {}, {s}},
      {Op::kAdd, {}, {s, {4, 1, 3}}},
      {Op::kSub, {}, {{4, 1, 1}, s}},
      {Op::kMul, {}, {s, s}},
      {Op::kDiv, {}, {{2, 1, 5, 1}, {1, 4, 1, 3}}},
      {Op::kRelu, {}, {s}},
      {Op::kClip, Attributes().SetFloat("max", 0.5), {s}},
      {Op::kLeakyRelu, {}, {s}},
      {Op::kSigmoid, {}, {s}},
      {Op::kHardswish, {}, {s}},
      {Op::kTanh, {}, {s}},
      {Op::kExp, {}, {s}},
      {Op::kSoftmax, Attributes().SetInt("dim", 1), {s}},
      {Op::kMatmul, {}, {{2, 1, 3, 4}, {3, 4, 5}}},
      {Op::kMatmul, {}, {{4}, {2, 4, 3}}},
      {Op::kGemm, Attributes().SetInt("trans_a", 1).SetFloat("alpha", 2), {{4, 3}, {4, 5}, {5}}},
      {Op::kGemm, Attributes().SetInt("trans_b", 1).SetFloat("beta", 3), {{3, 4}, {5, 4}, {3, 1}}},
      {Op::kMean, Attributes().SetInts("dims", {1, -1}).SetInt("keepdim", 0), {s}},
      {Op::kMean, {}, {s}},
      {Op::kPad, Attributes().SetInts("pads", {0, 1, -1, 2, 1, 0, 2, 0}).SetFloat("value", 7), {s}},
      {Op::kPad, Attributes().SetInts("pads", {0, 1, 2, 2, 1, 0, 2, 0}).SetString("mode", "reflect"), {s}},
      {Op::kResize, Attributes().SetInts("size", {2, 4, 9, 4}).SetString("mode", "linear"), {s}},
      {Op::kResize, Attributes().SetInts("size", {3, 4, 2, 5}).SetString("mode", "cubic"), {s}},
      {Op::kResize, Attributes().SetInts("size", s), {s}},
      {Op::kResize,
       Attributes()
           .SetInts("size", {2, 4, 4, 4})
           .SetString("mode", "linear")
           .SetString("coordinates", "tf_crop_and_resize")
           .SetFloats("roi", {0, 0, 0.2, -0.5, 1, 1, 0.9, 0.7})
           .SetFloat("extrapolation", 9),
       {s}},
      {Op::kDropout, {}, {s}},
  };
}

// Small numbers that differ, of either sign, none of them zero.
TestTensor Fill(const std::vector<int64_t>& sizes, int seed) {
  TestTensor tensor(TensorType(DataType::kF32, sizes));
  for (int64_t i = 0; i < NumElements(tensor.type); ++i) {
    tensor.as<float>()[i] = static_cast<float>((i * 37 + seed * 11) % 101 - 50) / 32.0f + 0.01f;
  }
  return tensor;
}

void ExpectSame(const TestTensor& a, const TestTensor& b) {
  ASSERT_EQ(a.type.sizes, b.type.sizes);
  ForEachLogical(a.type.sizes, [&](const std::vector<int64_t>& i) {
    ASSERT_FLOAT_EQ(a.as<float>()[OffsetOf(a.type, i)], b.as<float>()[OffsetOf(b.type, i)]);
  });
}

TEST(Reference, IsTheSameInAllOrders) {
  for (const ComputeCase& c : Cases()) {
    SCOPED_TRACE(OpName(c.op));
    std::vector<TestTensor> inputs;
    for (const auto& sizes : c.sizes) inputs.push_back(Fill(sizes, static_cast<int>(inputs.size())));
    const auto expected = RunNode(c.op, c.attributes, inputs, nullptr);
    ASSERT_TRUE(expected.ok()) << expected.status().message();
    for (size_t k = 0; k < inputs.size(); ++k) {
      const TestTensor plain = inputs[k];
      for (const DimOrder& order : AllOrders(plain.type.rank())) {
        inputs[k] = InOrder(plain, order);
        const auto made = RunNode(c.op, c.attributes, inputs, nullptr);
        ASSERT_TRUE(made.ok()) << made.status().message();
        ExpectSame(*made, *expected);
      }
      inputs[k] = plain;
    }
    for (const DimOrder& order : AllOrders(expected->type.rank())) {
      const auto made = RunNode(c.op, c.attributes, inputs, &order);
      ASSERT_TRUE(made.ok()) << made.status().message();
      ExpectSame(*made, *expected);
    }
  }
}

TEST(Reference, ComputesHalvesInFloat) {
  TestTensor x(TensorType(DataType::kF16, {2}));
  x.as<uint16_t>()[0] = 0x3C00;  // 1
  x.as<uint16_t>()[1] = 0xC000;  // -2
  const auto made = RunNode(Op::kAdd, {}, {x, x}, nullptr);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made->as<uint16_t>()[0], 0x4000);
  EXPECT_EQ(made->as<uint16_t>()[1], 0xC400);
}

// Of no bytes, so that nothing bounds their sizes: what a kernel made of these would not fit into memory.
TEST(Reference, AnEmptyOutputCostsNothing) {
  constexpr int64_t kHuge = int64_t{1} << 50;
  const TestTensor x(TensorType(DataType::kF32, {0, 1}));
  const TestTensor images(TensorType(DataType::kF32, {0, 1, int64_t{1} << 30, int64_t{1} << 28}));
  const TestTensor weight(TensorType(DataType::kF32, {1, 1, 1, 1}));
  const auto sizes = [](const GraphResult<TestTensor>& made) {
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made.ok() ? made->type.sizes : std::vector<int64_t>();
  };
  EXPECT_EQ(sizes(RunNode(Op::kPad, Attributes().SetInts("pads", {0, 0, 0, kHuge}), {x}, nullptr)),
            (std::vector<int64_t>{0, 1 + kHuge}));
  EXPECT_EQ(sizes(RunNode(Op::kResize, Attributes().SetInts("size", {0, kHuge}), {x}, nullptr)),
            (std::vector<int64_t>{0, kHuge}));
  EXPECT_EQ(sizes(RunNode(Op::kConv2d, {}, {images, weight}, nullptr)), images.type.sizes);
}

// The taps of all axes are never multiplied out, be it those of one element or of many.
TEST(Reference, ResizeTakesOneAxisAfterAnother) {
  const auto resized = [](const std::vector<int64_t>& from, double scale, int64_t to, const char* mode) {
    TestTensor x(TensorType(DataType::kF32, from));
    std::fill_n(x.as<float>(), NumElements(x.type), 2.0f);
    const auto attributes = Attributes()
                                .SetInts("size", std::vector<int64_t>(from.size(), to))
                                .SetFloats("scales", std::vector<double>(from.size(), scale))
                                .SetString("mode", mode);
    const auto y = RunNode(Op::kResize, attributes, {x}, nullptr);
    ASSERT_TRUE(y.ok()) << y.status().message();
    for (int64_t i = 0; i < NumElements(y->type); ++i) ASSERT_NEAR(y->as<float>()[i], 2, 1e-5);
  };
  resized(std::vector<int64_t>(32, 1), 1.5, 1, "cubic");
  resized(std::vector<int64_t>(14, 2), 1.25, 2, "cubic");
  resized(std::vector<int64_t>(9, 3), 0.7, 2, "linear");
  resized(std::vector<int64_t>(5, 2), 1e-300, 3, "linear");
}

// Nor is there an overflow where an empty input, of large strides therefore, has an output of padding.
TEST(Reference, AnEmptyInputUnderAWindowIsAllPadding) {
  constexpr int64_t kMost = int64_t{1} << 30;
  const TestTensor x(TensorType(DataType::kF32, {1, 1, 1, 0, kMost, kMost / 2}));
  const auto window = [&] {
    return Attributes().SetInts("stride", {kMost, 1, kMost, kMost}).SetInts("padding", {0, 1, 0, 0, 1, 0, 0, 0});
  };
  const auto pool = [&] {
    return window().SetInts("kernel", {2, 1, 1, 1}).SetInts("dilation", {1, kMost, kMost, kMost});
  };
  const TestTensor weight(TensorType(DataType::kF32, {1, 1, 1, 1, 1, 1}));
  TestTensor bias(TensorType(DataType::kF32, {1}));
  bias.as<float>()[0] = 3;
  const auto convolved = RunNode(Op::kConv2d, window(), {x, weight, bias}, nullptr);
  ASSERT_TRUE(convolved.ok()) << convolved.status().message();
  EXPECT_EQ(convolved->as<float>()[0], 3);
  const auto most = RunNode(Op::kMaxPool2d, pool(), {x}, nullptr);
  ASSERT_TRUE(most.ok()) << most.status().message();
  EXPECT_EQ(most->as<float>()[0], -std::numeric_limits<float>::infinity());
  const auto mean = RunNode(Op::kAvgPool2d, pool().SetInt("count_include_pad", 1), {x}, nullptr);
  ASSERT_TRUE(mean.ok()) << mean.status().message();
  EXPECT_EQ(mean->as<float>()[0], 0);
}

// Attributes are doubles, and so hold what a float would round.
TEST(Reference, IntegersAreFilledAndBoundedExactly) {
  TestTensor x(TensorType(DataType::kI64, {1}));
  x.as<int64_t>()[0] = INT64_MIN;
  const auto padded = [&](double value) {
    const auto y = RunNode(Op::kPad, Attributes().SetInts("pads", {0, 1}).SetFloat("value", value), {x}, nullptr);
    EXPECT_TRUE(y.ok()) << y.status().message();
    return y.ok() ? y->as<int64_t>()[1] : 0;
  };
  EXPECT_EQ(padded(2147483647), 2147483647);
  EXPECT_EQ(padded(-9007199254740991), -9007199254740991);
  EXPECT_EQ(padded(0x1p63), INT64_MAX);
  const auto clipped = RunNode(Op::kClip, Attributes().SetFloat("min", -9007199254740991), {x}, nullptr);
  ASSERT_TRUE(clipped.ok()) << clipped.status().message();
  EXPECT_EQ(clipped->as<int64_t>()[0], -9007199254740991);
  EXPECT_EQ(RunNode(Op::kClip, Attributes().SetFloat("max", NAN), {x}, nullptr).status().message(),
            "node 'y' (clip): max nan is no bound");
}

TEST(Reference, IntegersWrapAndDivideSafely) {
  TestTensor a(TensorType(DataType::kI8, {3}));
  TestTensor b = a;
  const int8_t av[] = {100, -128, 7};
  const int8_t bv[] = {100, -1, 0};
  std::memcpy(a.as<int8_t>(), av, 3);
  std::memcpy(b.as<int8_t>(), bv, 3);
  const auto sum = RunNode(Op::kAdd, {}, {a, b}, nullptr);
  const auto quotient = RunNode(Op::kDiv, {}, {a, b}, nullptr);
  ASSERT_TRUE(sum.ok() && quotient.ok());
  EXPECT_EQ(sum->as<int8_t>()[0], -56);
  EXPECT_EQ(quotient->as<int8_t>()[0], 1);
  EXPECT_EQ(quotient->as<int8_t>()[1], -128);
  EXPECT_EQ(quotient->as<int8_t>()[2], 0);
}

}  // namespace
}  // namespace dimorder
