// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/cancel_copies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "dimorder/delegate.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using ::testing::ElementsAre;

const TensorType kImage(DataType::kF32, {2, 3, 4, 5});

Attributes Dims(std::vector<int64_t> dims) { return Attributes().SetInts("dims", std::move(dims)); }

std::vector<std::string> Cancel(Graph& graph) {
  std::vector<Claim> claims(graph.nodes.size());
  auto cancelled = CancelCopies(graph, claims);
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).message();
  return cancelled;
}

TEST(CancelCopies, APermuteAndItsInverseVanish) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId p = b.Add(Op::kPermuteCopy, {x}, Dims({0, 2, 3, 1}), "p");
  const ValueId q = b.Add(Op::kPermuteCopy, {p}, Dims({0, 3, 1, 2}), "q");
  b.Output(b.Add(Op::kTanh, {q}, {}, "y"));
  Graph graph = b.Finish().value();
  EXPECT_THAT(Cancel(graph), ElementsAre("p: merged into q", "q: its input is laid out like that already"));
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].inputs[0], x);
}

TEST(CancelCopies, TwoPermutesBecomeOne) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId p = b.Add(Op::kTransposeCopy, {x}, Attributes().SetInt("dim0", 0).SetInt("dim1", 2), "p");
  b.Output(b.Add(Op::kPermuteCopy, {p}, Dims({3, 0, 1, 2}), "q"));
  Graph graph = b.Finish().value();
  EXPECT_THAT(Cancel(graph), ElementsAre("p: merged into q"));
  EXPECT_EQ(graph.nodes[0].attributes.Ints("dims"), (std::vector<int64_t>{3, 2, 1, 0}));
}

TEST(CancelCopies, CopiesThatAreReadInBetweenStay) {
  GraphBuilder b("g");
  const ValueId p = b.Add(Op::kPermuteCopy, {b.Input("x", kImage)}, Dims({0, 2, 3, 1}), "p");
  b.Output(b.Add(Op::kTanh, {p}));
  b.Output(b.Add(Op::kPermuteCopy, {p}, Dims({0, 3, 1, 2}), "q"));
  Graph graph = b.Finish().value();
  EXPECT_TRUE(Cancel(graph).empty());
}

TEST(CancelCopies, EqualAndUnusedCopiesGo) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId p = b.Add(Op::kFlip, {x}, Dims({1}), "p");
  const ValueId q = b.Add(Op::kFlip, {x}, Dims({1}), "q");
  b.Add(Op::kFlip, {x}, Dims({0}), "unused");
  b.Output(b.Add(Op::kAdd, {p, q}));
  Graph graph = b.Finish().value();
  EXPECT_THAT(Cancel(graph), ElementsAre("q: the same as p", "unused: nobody reads it"));
}

TEST(CancelCopies, ClaimedCopiesStay) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  b.Output(b.Add(Op::kTanh, {b.Add(Op::kCloneDimOrder, {x})}));
  Graph graph = b.Finish().value();
  std::vector<Claim> claims(graph.nodes.size());
  claims[0].delegate = 0;
  EXPECT_TRUE(CancelCopies(graph, claims).empty());
}

TEST(NormalizeCopies, LeavesOrdersToTheAssignment) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId nhwc = b.Add(Op::kToDimOrderCopy, {x}, Attributes().SetInts("dim_order", {0, 2, 3, 1}));
  const ValueId cast = b.Add(Op::kToCopy, {nhwc}, Attributes().SetInt("dtype", static_cast<int64_t>(DataType::kF16)));
  b.Output(cast);
  Graph graph = b.Finish().value();
  NormalizeCopies(graph);
  EXPECT_EQ(graph.nodes[0].op, Op::kCloneDimOrder);
  EXPECT_TRUE(graph.nodes[0].attributes.all().empty());
  EXPECT_EQ(graph.nodes[1].op, Op::kToDimOrderCopy);
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).message();
}

TEST(DropUnreadNodes, GoWithThoseThatOnlyTheyRead) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId y = b.Add(Op::kRelu, {x});
  b.Add(Op::kTanh, {b.Add(Op::kExp, {y})});
  b.Output(y);
  Graph graph = b.Finish().value();
  DropUnreadNodes(graph);
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].op, Op::kRelu);
  EXPECT_TRUE(Verify(graph).ok());
}

TEST(RevertDimOrderOps, NamesMemoryFormats) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId last = b.Add(Op::kToDimOrderCopy, {x}, Attributes().SetInts("dim_order", {0, 2, 3, 1}));
  b.Output(b.Add(Op::kCloneDimOrder, {last}, Attributes().SetInts("dim_order", {0, 1, 2, 3})));
  Graph graph = b.Finish().value();
  ASSERT_TRUE(RevertDimOrderOps(graph).ok());
  EXPECT_EQ(graph.nodes[0].op, Op::kToCopy);
  EXPECT_EQ(graph.nodes[0].attributes.String("memory_format"), "channels_last");
  EXPECT_EQ(graph.nodes[1].attributes.String("memory_format"), "contiguous");
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).message();
}

// An order that is none of the three, but not on these sizes.
TEST(RevertDimOrderOps, LooksAtBytesNotAtTuples) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {3, 1, 3, 3}));
  b.Output(b.Add(Op::kToDimOrderCopy, {x}, Attributes().SetInts("dim_order", {0, 2, 1, 3})));
  Graph graph = b.Finish().value();
  ASSERT_TRUE(RevertDimOrderOps(graph).ok());
  EXPECT_EQ(graph.nodes[0].attributes.String("memory_format"), "contiguous");
}

TEST(RevertDimOrderOps, RefusesOrdersWithoutAFormat) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  b.Output(b.Add(Op::kToDimOrderCopy, {x}, Attributes().SetInts("dim_order", {3, 2, 1, 0}), "odd"));
  Graph graph = b.Finish().value();
  const std::string before = ToText(graph);
  const GraphStatus status = RevertDimOrderOps(graph);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_EQ(status.message(), "node 'odd': no memory format has dim order (3,2,1,0)");
  EXPECT_EQ(ToText(graph), before);
  graph.nodes[0].inputs[0] = 99;
  EXPECT_EQ(RevertDimOrderOps(graph).message(), Verify(graph).message());
}

}  // namespace
}  // namespace dimorder
