// SPDX-License-Identifier: Apache-2.0
//
// What delegates share: orders, activations, padding, weights, and graphs as bytes.
#include <gtest/gtest.h>

#include <limits>

#include "runtime/lowering/activation.h"
#include "runtime/lowering/graph_bytes.h"
#include "runtime/lowering/memory_order.h"
#include "runtime/lowering/padding.h"
#include "runtime/lowering/weights.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

TensorType Image(std::vector<int64_t> sizes, const DimOrder& order) {
  return TensorType(DataType::kF32, std::move(sizes), order);
}

// Tensors of the same sizes have the same canonical order exactly when they are laid out alike: all orders of all
// shapes of rank 4 with sizes 1 to 2.
TEST(MemoryOrder, CanonicalOrdersAgreeWhereLayoutsDo) {
  const auto orders = AllOrders(4);
  for (int shape = 0; shape < 16; ++shape) {
    const std::vector<int64_t> sizes = {1 + shape % 2, 1 + shape / 2 % 2, 1 + shape / 4 % 2, 1 + shape / 8};
    for (const DimOrder& a : orders) {
      EXPECT_TRUE(SameLayout(Image(sizes, a), Image(sizes, CanonicalOrder(Image(sizes, a)))));
      for (const DimOrder& b : orders) {
        EXPECT_EQ(CanonicalOrder(Image(sizes, a)) == CanonicalOrder(Image(sizes, b)),
                  SameLayout(Image(sizes, a), Image(sizes, b)));
      }
    }
  }
}

TEST(MemoryOrder, ComposesSizesAndAxes) {
  const int64_t image[] = {2, 3, 4, 5};
  EXPECT_EQ(MemorySizes(image, kNHWC), (std::vector<size_t>{2, 4, 5, 3}));
  const int64_t channels[] = {3, 1, 1};
  EXPECT_EQ(MemorySizes(channels, kNHWC), (std::vector<size_t>{1, 1, 1, 3}));
  EXPECT_EQ(MemoryAxis(kNHWC, 1), 3u);
  EXPECT_EQ(MemoryAxis(kNHWC, 3), 2u);
}

// conv -> relu -> clip, whose relu is read once, or twice.
Graph Activations(bool twice) {
  GraphBuilder b("activations");
  const ValueId x = b.Input("x", Image({1, 2, 3, 3}, kNCHW));
  const std::vector<float> weights(4, 1.0f);
  const ValueId w = b.Constant("w", TensorType(DataType::kF32, {2, 2, 1, 1}), weights.data());
  const ValueId relu = b.Add(Op::kRelu, {b.Add(Op::kConv2d, {x, w})});
  b.Output(b.Add(Op::kClip, {relu}, Attributes().SetFloat("min", -1).SetFloat("max", 6)));
  if (twice) b.Output(b.Add(Op::kTanh, {relu}));
  return b.Finish().value();
}

TEST(Activation, BecomesAPartOfItsOnlyProducer) {
  const auto is_conv = [](Op op) { return op == Op::kConv2d; };
  const Graph once = Activations(false);
  const auto fused = FuseActivations(once, is_conv);
  ASSERT_EQ(fused.size(), 1u);
  EXPECT_EQ(fused[0].range.min, 0);
  EXPECT_EQ(fused[0].range.max, 6);
  EXPECT_EQ(fused[0].output, once.outputs[0]);

  const auto kept = FuseActivations(Activations(true), is_conv);
  ASSERT_EQ(kept.size(), 3u);  // conv with relu, clip, tanh
  EXPECT_EQ(kept[0].range.max, std::numeric_limits<float>::infinity());
  EXPECT_EQ(kept[1].range.min, -1);

  EXPECT_EQ(FuseActivations(once, [](Op) { return false; }).size(), 3u);
}

TEST(Padding, MakesTheLastStepFit) {
  Window window(2);
  window.kernel = {3, 3};
  window.stride = {2, 2};
  window.before = {1, 0};
  EXPECT_EQ(ExactPaddingAfter(window, 0, 8, 4), 0);   // floor: the padding of 1 is not reached
  EXPECT_EQ(ExactPaddingAfter(window, 1, 8, 4), 1);   // ceil: hangs over by one
  EXPECT_EQ(ExactPaddingAfter(window, 1, 8, 3), -1);  // floor: the last element is not seen
}

TEST(Weights, OfGroupedTransposedConvolutions) {
  constexpr int64_t kGroups = 2, kIn = 2, kOut = 3, kHeight = 2, kWidth = 1;
  Value constant;
  constant.type = TensorType(DataType::kF32, {kGroups * kIn, kOut, kHeight, kWidth});
  const TestTensor numbers(constant.type);
  std::vector<std::byte> bytes(numbers.bytes.size());
  for (size_t i = 0; i < bytes.size() / 4; ++i) reinterpret_cast<float*>(bytes.data())[i] = static_cast<float>(i);
  constant.data = std::make_shared<const std::vector<std::byte>>(bytes);
  const Weights weights = LayOutGroupedTransposed(constant, kGroups);
  EXPECT_EQ(weights.sizes, (std::vector<size_t>{kGroups * kOut, kHeight, kWidth, kIn}));
  const auto* made = reinterpret_cast<const float*>(weights.data.get());
  ForEachLogical({kGroups, kOut, kHeight, kWidth, kIn}, [&](const std::vector<int64_t>& at) {
    const int64_t from = (((at[0] * kIn + at[4]) * kOut + at[1]) * kHeight + at[2]) * kWidth + at[3];
    EXPECT_EQ(*made++, static_cast<float>(from));
  });
}

TEST(GraphBytes, ComeBackAsTheyWere) {
  const Graph graph = Activations(true);
  ByteWriter to;
  WriteGraph(to, graph);
  const auto bytes = to.Take();
  ByteReader from(bytes);
  const Graph read = ReadGraph(from);
  EXPECT_TRUE(from.empty());
  EXPECT_EQ(ToText(read), ToText(graph));
  EXPECT_EQ(*read.values[1].data, *graph.values[1].data);
}

}  // namespace
}  // namespace dimorder
