// SPDX-License-Identifier: Apache-2.0
#include "runtime/copy/value_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "runtime/half.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using ::testing::ElementsAre;

TestTensor Floats(const std::vector<int64_t>& sizes, const std::vector<float>& values, const DimOrder& order) {
  TestTensor tensor(TensorType(DataType::kF32, sizes, order));
  std::copy(values.begin(), values.end(), tensor.as<float>());
  return tensor;
}

template <class T>
std::vector<T> Cast(const std::vector<float>& values, DataType to) {
  const TestTensor x = Floats({static_cast<int64_t>(values.size())}, values, {0});
  const auto made = RunNode(Op::kToDimOrderCopy, Attributes().SetInt("dtype", static_cast<int64_t>(to)), {x}, nullptr);
  EXPECT_TRUE(made.ok()) << made.status().message();
  return std::vector<T>(made->as<T>(), made->as<T>() + values.size());
}

TEST(Cast, CutsAndSaturates) {
  EXPECT_THAT(Cast<int8_t>({1.9f, -1.9f, 300, -300, NAN}, DataType::kI8), ElementsAre(1, -1, 127, -128, 0));
  EXPECT_THAT(Cast<uint8_t>({-0.0f, 255.9f, -4, INFINITY}, DataType::kU8), ElementsAre(0, 255, 0, 255));
  EXPECT_THAT(Cast<int64_t>({1e30f, -1e30f}, DataType::kI64),
              ElementsAre(std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()));
  EXPECT_THAT(Cast<bool>({0, -0.0f, 0.5f, NAN}, DataType::kBool), ElementsAre(false, false, true, true));
}

TEST(Cast, AnyByteButZeroIsTrue) {
  TestTensor x(TensorType(DataType::kBool, {3}));
  const uint8_t bytes[] = {0, 1, 2};
  std::memcpy(x.bytes.data(), bytes, 3);
  const auto cast = [&](DataType to) {
    return RunNode(Op::kToDimOrderCopy, Attributes().SetInt("dtype", static_cast<int64_t>(to)), {x}, nullptr);
  };
  const auto floats = cast(DataType::kF32);
  ASSERT_TRUE(floats.ok()) << floats.status().message();
  EXPECT_THAT(std::vector<float>(floats->as<float>(), floats->as<float>() + 3), ElementsAre(0, 1, 1));
  const auto ints = cast(DataType::kU8);
  ASSERT_TRUE(ints.ok()) << ints.status().message();
  EXPECT_THAT(std::vector<uint8_t>(ints->as<uint8_t>(), ints->as<uint8_t>() + 3), ElementsAre(0, 1, 1));
}

TEST(Cast, EveryHalfGoesToFloatAndBack) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    Half half;
    half.bits = static_cast<uint16_t>(bits);
    const auto value = static_cast<float>(half);
    if (std::isnan(value)) continue;
    ASSERT_EQ(Half(value).bits, bits);
    BFloat16 b;
    b.bits = static_cast<uint16_t>(bits);
    if (std::isnan(static_cast<float>(b))) continue;
    ASSERT_EQ(BFloat16(static_cast<float>(b)).bits, bits);
  }
}

TEST(Cast, HalvesRoundToNearestEven) {
  EXPECT_EQ(Half(1.0f + 0x1p-11f).bits, Half(1.0f).bits);
  EXPECT_EQ(Half(1.0f + 3 * 0x1p-11f).bits, Half(1.0f).bits + 2);
  EXPECT_EQ(Half(65519.0f).bits, 0x7BFF);
  EXPECT_EQ(Half(65520.0f).bits, 0x7C00);
  EXPECT_EQ(Half(0x1p-25f).bits, 0);
  EXPECT_EQ(Half(0x1.8p-25f).bits, 1);
  EXPECT_EQ(BFloat16(1.0f + 0x1p-8f).bits, BFloat16(1.0f).bits);
}

TEST(Cast, ChangesTypeAndOrderAtOnce) {
  const TestTensor x = Floats({1, 2, 1, 2}, {1, 2, 3, 4}, kNCHW);
  const auto made =
      RunNode(Op::kToDimOrderCopy,
              Attributes().SetInt("dtype", static_cast<int64_t>(DataType::kI8)).SetInts("dim_order", {0, 2, 3, 1}), {x},
              nullptr);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_THAT(std::vector<int8_t>(made->as<int8_t>(), made->as<int8_t>() + 4), ElementsAre(1, 3, 2, 4));
}

TEST(Quantize, RoundsToEvenAndSaturates) {
  const TestTensor x = Floats({6}, {0.5f, 1.5f, -0.5f, 1000, -1000, 2}, {0});
  const auto made =
      RunNode(Op::kQuantize, Attributes().SetFloats("scale", {1}).SetInts("zero_point", {3}), {x}, nullptr);
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_THAT(std::vector<int8_t>(made->as<int8_t>(), made->as<int8_t>() + 6), ElementsAre(3, 5, 3, 127, -128, 5));
}

TEST(Quantize, GoesAlongItsAxisInAnyOrder) {
  const std::vector<int64_t> sizes = {2, 3, 2, 2};
  TestTensor x(TensorType(DataType::kF32, sizes));
  for (int i = 0; i < 24; ++i) x.as<float>()[i] = static_cast<float>(i);
  const auto attributes = Attributes().SetFloats("scale", {1, 2, 4}).SetInts("zero_point", {0, 1, 2}).SetInt("axis", 1);
  for (const DimOrder& in : AllOrders(4)) {
    for (const DimOrder& out : {kNCHW, kNHWC, kCHWN}) {
      const auto q = RunNode(Op::kQuantize, attributes, {InOrder(x, in)}, &out);
      ASSERT_TRUE(q.ok());
      ForEachLogical(sizes, [&](const std::vector<int64_t>& i) {
        const float value = x.as<float>()[OffsetOf(x.type, i)];
        ASSERT_EQ(q->as<int8_t>()[OffsetOf(q->type, i)],
                  std::nearbyint(value / static_cast<float>(1 << i[1])) + static_cast<float>(i[1]));
      });
      const auto back = RunNode(Op::kDequantize, attributes, {*q}, &in);
      ASSERT_TRUE(back.ok());
      ForEachLogical(sizes, [&](const std::vector<int64_t>& i) {
        ASSERT_NEAR(back->as<float>()[OffsetOf(back->type, i)], x.as<float>()[OffsetOf(x.type, i)], 2);
      });
    }
  }
}

TEST(Quantize, RefusesWrongParameters) {
  const TestTensor x = Floats({2, 3}, std::vector<float>(6), {0, 1});
  EXPECT_FALSE(RunNode(Op::kQuantize, Attributes().SetFloats("scale", {}), {x}, nullptr).ok());
  EXPECT_FALSE(RunNode(Op::kQuantize, Attributes().SetFloats("scale", {1, 2}).SetInt("axis", 1), {x}, nullptr).ok());
  EXPECT_FALSE(RunNode(Op::kDequantize, Attributes().SetFloats("scale", {1}), {x}, nullptr).ok());
}

}  // namespace
}  // namespace dimorder
