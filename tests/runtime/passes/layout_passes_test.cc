// SPDX-License-Identifier: Apache-2.0
//
// Claims, constants, inserted copies and the compile-time guard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "runtime/error.h"
#include "runtime/passes/check_layouts.h"
#include "runtime/passes/fold.h"
#include "runtime/passes/insert_copies.h"
#include "runtime/passes/layout_policy.h"
#include "tests/runtime/nhwc_delegate.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;

const TensorType kImage(DataType::kF32, {1, 4, 6, 5});

std::vector<float> Ramp(size_t n) {
  std::vector<float> numbers(n);
  for (size_t i = 0; i < n; ++i) numbers[i] = static_cast<float>(i % 13) / 8 - 0.5f;
  return numbers;
}

// Two convolutions that share a weight, with a third reader of the first one's output.
Graph TwoConvolutions() {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId w = b.Constant("w", TensorType(DataType::kF32, {4, 4, 1, 1}), Ramp(16).data());
  const ValueId y = b.Add(Op::kConv2d, {x, w}, {}, "first");
  b.Output(b.Add(Op::kConv2d, {y, w}, {}, "second"));
  b.Output(b.Add(Op::kSoftmax, {y}, Attributes().SetInt("dim", 1), "third"));
  return b.Finish().value();
}

struct LaidOut {
  Graph graph;
  std::vector<Claim> claims;
  int constants;
};

LaidOut LayOut(Graph graph, LayoutPolicy policy) {
  const NhwcDelegate nhwc;
  const Delegate* delegates[] = {&nhwc};
  auto claims = ClaimNodes(graph, delegates);
  const LayoutProblem problem = MakeLayoutProblem(graph, claims);
  const LayoutAnswer answer = AssignLayouts(graph, problem, policy);
  const int constants = LayOutConstants(graph, problem, answer);
  InsertCopies(graph, problem, answer, claims);
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).message();
  return {std::move(graph), std::move(claims), constants};
}

TEST(LayoutPasses, AConstantIsLaidOutOnceForAllItsReaders) {
  const LaidOut laid = LayOut(TwoConvolutions(), LayoutPolicy::kOptimal);
  EXPECT_EQ(laid.constants, 0);  // of 1x1 kernels OHWI is OIHW
  GraphBuilder b("g");
  const ValueId x = b.Input("x", kImage);
  const ValueId w = b.Constant("w", TensorType(DataType::kF32, {4, 4, 3, 3}), Ramp(144).data());
  const Attributes pad = Attributes().SetInts("padding", {1, 1, 1, 1});
  b.Output(b.Add(Op::kConv2d, {b.Add(Op::kConv2d, {x, w}, pad), w}, pad));
  EXPECT_EQ(LayOut(b.Finish().value(), LayoutPolicy::kOptimal).constants, 1);
}

TEST(LayoutPasses, EveryPolicyPassesTheGuard) {
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    const LaidOut laid = LayOut(TwoConvolutions(), static_cast<LayoutPolicy>(policy));
    EXPECT_NO_THROW(CheckLayouts(laid.graph, laid.claims));
  }
}

TEST(LayoutPasses, TheGuardNamesNodeValueAndBothOrders) {
  LaidOut laid = LayOut(TwoConvolutions(), LayoutPolicy::kOptimal);
  for (size_t n = 0; n < laid.graph.nodes.size(); ++n) {
    Node& node = laid.graph.nodes[n];
    if (node.name == "first") node.inputs[0] = laid.graph.inputs[0];
  }
  try {
    CheckLayouts(laid.graph, laid.claims);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.status().message(),
                HasSubstr("node 'first' (conv2d): value 'x' lies in dim order (0,1,2,3), taken "
                          "is (0,2,3,1)"));
  }
}

// x and the second output. The softmax takes what the first convolution makes and makes what the caller wants; only
// policy boundary hands it the logical order.
TEST(LayoutPasses, CopiesAreSharedAndOnlyWhereNeeded) {
  const auto copies = [](const LaidOut& laid) {
    return std::ranges::count(laid.graph.nodes, Op::kCloneDimOrder, &Node::op);
  };
  EXPECT_EQ(copies(LayOut(TwoConvolutions(), LayoutPolicy::kOptimal)), 2);
  EXPECT_EQ(copies(LayOut(TwoConvolutions(), LayoutPolicy::kBoundary)), 3);
}

class Liar final : public Delegate {
 public:
  explicit Liar(Support support) : support_(std::move(support)) {}
  const char* name() const noexcept override { return "liar"; }
  Support Query(const Graph&, const Node&) const override { return support_; }

 private:
  Support support_;
};

TEST(Claims, AnswersThatBreakTheContractAreErrors) {
  const Graph graph = TwoConvolutions();
  for (const Support& support :
       {Support::Listed({}), Support::Listed({{{kNHWC}, kNHWC, 0}}), Support::Listed({{{kNHWC, {0, 1}}, kNHWC, 0}}),
        Support::Listed({{{kNHWC, kOHWI}, {0, 0, 1, 2}, 0}}), Support::Listed({{{kNHWC, kOHWI}, kNHWC, -1}})}) {
    const Liar liar(support);
    const auto program = Program::Create(graph, {.delegates = {&liar}});
    ASSERT_FALSE(program.ok());
    EXPECT_THAT(program.status().message(), HasSubstr("delegate liar, node 'first'"));
  }
}

// Lists all orders of its input, of its output, or of both alike; the last ones are the cheapest.
class AllOrdersDelegate final : public Delegate {
 public:
  AllOrdersDelegate(bool inputs, bool outputs) : inputs_(inputs), outputs_(outputs) {}
  const char* name() const noexcept override { return "all"; }
  Support Query(const Graph& graph, const Node& node) const override {
    const size_t rank = graph.values[static_cast<size_t>(node.output)].type.rank();
    std::vector<LayoutSignature> layouts;
    for (const DimOrder& order : AllOrders(rank)) {
      const DimOrder logical = IdentityOrder(rank);
      const auto rest = static_cast<double>(1000 - layouts.size());
      layouts.push_back({{inputs_ ? order : logical}, outputs_ ? order : logical, rest});
    }
    return Support::Listed(std::move(layouts));
  }

 private:
  bool inputs_;
  bool outputs_;
};

// A value has up to 24 orders; what lists more of them gets one of those.
TEST(LayoutPasses, MoreOrdersThanAreKeptAreLeftOut) {
  GraphBuilder b("g");
  const TensorType type(DataType::kF32, {2, 3, 4, 5, 6});
  b.Output(b.Add(Op::kTanh, {b.Add(Op::kTanh, {b.Input("x", type)})}, {}, "y"));
  const Graph graph = b.Finish().value();
  for (const auto& [inputs, outputs] : {std::pair(true, false), {false, true}, {true, true}}) {
    const AllOrdersDelegate all(inputs, outputs);
    for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
      const auto program = Program::Create(graph, {.layout = static_cast<LayoutPolicy>(policy), .delegates = {&all}});
      EXPECT_TRUE(program.ok()) << program.status().message();
    }
  }
}

// Takes relu in one order only.
class OneOrderDelegate final : public Delegate {
 public:
  const char* name() const noexcept override { return "one"; }
  Support Query(const Graph&, const Node& node) const override {
    if (node.op != Op::kRelu) return Support::No("takes relu");
    return Support::Listed({{{{1, 2, 3, 4, 0}}, {0, 1, 2, 3, 4}, 0}});
  }
};

// Whoever makes the value lists more orders than are kept: what its reader needs is among those all the same.
TEST(LayoutPasses, OrdersThatNodesPreferAreKept) {
  GraphBuilder b("g");
  const TensorType type(DataType::kF32, {2, 3, 4, 5, 6});
  b.Output(b.Add(Op::kRelu, {b.Add(Op::kTanh, {b.Input("x", type)})}, {}, "y"));
  const Graph graph = b.Finish().value();
  const OneOrderDelegate one;
  const AllOrdersDelegate all(/*inputs=*/false, /*outputs=*/true);
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    const auto program =
        Program::Create(graph, {.layout = static_cast<LayoutPolicy>(policy), .delegates = {&one, &all}});
    EXPECT_TRUE(program.ok()) << program.status().message();
  }
}

TEST(Fold, BatchNormsBecomePartOfTheirConvolutions) {
  const auto make = [](bool second_reader) {
    GraphBuilder b("g");
    const ValueId x = b.Input("x", kImage);
    const ValueId w = b.Constant("w", TensorType(DataType::kF32, {3, 4, 2, 2}, kOHWI), Ramp(48).data());
    const ValueId bias = b.Constant("b", TensorType(DataType::kF32, {3}), Ramp(3).data());
    const ValueId y = b.Add(Op::kConv2d, {x, w, bias});
    std::vector<ValueId> inputs = {y};
    for (const char* name : {"scale", "shift", "mean", "variance"}) {
      const float numbers[] = {0.5f, 2, 3};
      inputs.push_back(b.Constant(name, TensorType(DataType::kF32, {3}), numbers));
    }
    b.Output(b.Add(Op::kBatchNorm, inputs, {}, "norm"));
    if (second_reader) b.Output(y);
    return b.Finish().value();
  };
  Graph graph = make(false);
  EXPECT_EQ(FoldBatchNorms(graph), 1);
  ASSERT_TRUE(Verify(graph).ok()) << Verify(graph).message();
  Graph shared = make(true);
  EXPECT_EQ(FoldBatchNorms(shared), 0);

  TestTensor x(kImage);
  const auto numbers = Ramp(120);
  std::copy(numbers.begin(), numbers.end(), x.as<float>());
  auto folded = OutputsOf(graph);
  auto plain = OutputsOf(shared);
  ASSERT_TRUE(RunProgram(Program::Create(graph).value(), {x}, folded).ok());
  ASSERT_TRUE(RunProgram(Program::Create(shared).value(), {x}, plain).ok());
  for (int64_t i = 0; i < NumElements(folded[0].type); ++i) {
    ASSERT_NEAR(folded[0].as<float>()[i], plain[0].as<float>()[i], 1e-5);
  }
}

TEST(Fold, NodesOfConstantsRunOnce) {
  GraphBuilder b("g");
  const ValueId c = b.Constant("c", TensorType(DataType::kF32, {2, 3}), Ramp(6).data());
  const ValueId t = b.Add(Op::kTCopy, {c});
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {3, 2}));
  b.Output(b.Add(Op::kMul, {x, b.Add(Op::kExp, {t})}));
  Graph graph = b.Finish().value();
  EXPECT_EQ(FoldConstants(graph), 2);
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph).message();
  EXPECT_EQ(graph.nodes.size(), 1u);
}

}  // namespace
}  // namespace dimorder
