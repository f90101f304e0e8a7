// SPDX-License-Identifier: Apache-2.0
//
// Each op that XNNPACK takes, in several dim orders and under all policies, against the reference; and what it must
// leave alone.
#include <limits>

#include "tests/runtime/xnnpack/xnnpack_graph.h"

namespace dimorder {
namespace {

const DimOrder kImageOrders[] = {kNCHW, kNHWC, {2, 3, 1, 0}, {1, 0, 3, 2}};

// A graph of one op on an image and constants.
struct OneOp {
  Op op;
  std::vector<int64_t> image;
  std::vector<std::vector<int64_t>> constants = {};
  Attributes attributes = {};
};

Graph GraphOf(const OneOp& c, const DimOrder& order) {
  GraphBuilder b("one");
  std::vector<ValueId> ids = {b.Input("x", TensorType(DataType::kF32, c.image, order))};
  for (const auto& sizes : c.constants) {
    const auto seed = static_cast<uint32_t>(ids.size());
    ids.push_back(RandomConstant(b, "c" + std::to_string(seed), TensorType(DataType::kF32, sizes), seed));
  }
  const ValueId y = b.Add(c.op, ids, c.attributes, "y");
  b.Output(b.Add(Op::kCloneDimOrder, {y}, {}, "z", b.type(y) && b.type(y)->rank() == 4 ? &order : nullptr));
  auto graph = b.Finish();
  EXPECT_TRUE(graph.ok()) << graph.status().message();
  return std::move(graph).value();
}

void ExpectTaken(const OneOp& c) {
  for (const DimOrder& order : kImageOrders) {
    SCOPED_TRACE(std::string(OpName(c.op)) + " of " + ToString(TensorType(DataType::kF32, c.image, order)));
    ExpectLikeReference(GraphOf(c, order), 1);
  }
}

void ExpectRefused(const OneOp& c, const std::string& reason) {
  const Graph graph = GraphOf(c, IdentityOrder(c.image.size()));
  const Support support = Xnnpack().Query(graph, graph.nodes[0]);
  EXPECT_FALSE(support.supported) << OpName(c.op);
  EXPECT_EQ(support.reason, reason);
}

Attributes Window(std::vector<int64_t> stride, std::vector<int64_t> padding, std::vector<int64_t> dilation = {1, 1}) {
  return Attributes()
      .SetInts("stride", std::move(stride))
      .SetInts("padding", std::move(padding))
      .SetInts("dilation", std::move(dilation));
}

Attributes Pool(std::vector<int64_t> kernel, std::vector<int64_t> stride, std::vector<int64_t> padding) {
  return Attributes()
      .SetInts("kernel", std::move(kernel))
      .SetInts("stride", std::move(stride))
      .SetInts("padding", std::move(padding));
}

TEST(XnnpackOps, Convolutions) {
  ExpectTaken({Op::kConv2d, {2, 3, 9, 11}, {{8, 3, 3, 3}, {8}}, Window({2, 1}, {1, 0, 2, 1})});
  ExpectTaken({Op::kConv2d, {1, 5, 6, 7}, {{4, 5, 1, 1}}, Window({1, 1}, {0, 0, 0, 0})});
  ExpectTaken({Op::kConv2d, {1, 4, 13, 12}, {{6, 4, 3, 2}, {6}}, Window({1, 2}, {2, 1, 2, 1}, {2, 3})});
  ExpectTaken({Op::kConv2d, {1, 6, 8, 8}, {{9, 2, 3, 3}, {9}}, Window({1, 1}, {1, 1, 1, 1}).SetInt("groups", 3)});
  ExpectTaken({Op::kConv2d, {1, 1, 8, 8}, {{1, 1, 3, 3}, {1}}, Window({1, 1}, {1, 1, 1, 1})});
  ExpectTaken({Op::kConv2d, {1, 3, 4, 1}, {{2, 3, 2, 1}}, Window({3, 2}, {3, 2, 4, 1})});  // padding beyond the kernel
  ExpectTaken({Op::kConv2d, {1, 3, 32, 32}, {{16, 3, 3, 3}}, Window({2, 2}, {0, 0, 1, 1})});
}

TEST(XnnpackOps, DepthwiseConvolutions) {
  const auto depthwise = [](Attributes a, int64_t channels) { return a.SetInt("groups", channels); };
  ExpectTaken({Op::kConv2d, {2, 5, 9, 8}, {{5, 1, 3, 3}, {5}}, depthwise(Window({1, 1}, {1, 1, 1, 1}), 5)});
  ExpectTaken({Op::kConv2d, {1, 3, 9, 8}, {{6, 1, 5, 3}, {6}}, depthwise(Window({2, 2}, {2, 1, 2, 1}), 3)});
  ExpectTaken({Op::kConv2d, {1, 16, 14, 9}, {{16, 1, 3, 3}}, depthwise(Window({1, 1}, {2, 2, 2, 2}, {2, 2}), 16)});
  ExpectTaken({Op::kConv2d, {1, 5, 12, 10}, {{5, 1, 7, 7}, {5}}, depthwise(Window({1, 1}, {3, 3, 3, 3}), 5)});
  ExpectTaken({Op::kConv2d, {1, 4, 12, 10}, {{12, 1, 7, 5}}, depthwise(Window({2, 1}, {3, 2, 3, 2}), 4)});
}

TEST(XnnpackOps, TransposedConvolutions) {
  ExpectTaken({Op::kConvTranspose2d, {2, 3, 5, 6}, {{3, 4, 3, 2}, {4}}, Window({2, 1}, {1, 0, 0, 1})});
  ExpectTaken({Op::kConvTranspose2d,
               {1, 4, 5, 6},
               {{4, 3, 3, 3}},
               Window({2, 3}, {1, 1, 1, 1}).SetInts("output_padding", {1, 2})});
  ExpectTaken(
      {Op::kConvTranspose2d, {1, 4, 5, 6}, {{4, 3, 2, 2}, {6}}, Window({2, 2}, {0, 0, 0, 0}).SetInt("groups", 2)});
}

TEST(XnnpackOps, Pools) {
  for (Op op : {Op::kMaxPool2d, Op::kAvgPool2d}) {
    ExpectTaken({op, {2, 3, 8, 9}, {}, Pool({2, 2}, {2, 2}, {0, 0, 0, 0})});
    ExpectTaken({op, {1, 5, 8, 9}, {}, Pool({3, 3}, {2, 2}, {1, 1, 1, 1})});
    ExpectTaken({op, {1, 5, 8, 9}, {}, Pool({3, 2}, {2, 3}, {1, 0, 0, 1}).SetInt("ceil_mode", 1)});
    ExpectTaken({op, {1, 19, 11, 13}, {}, Pool({5, 3}, {1, 1}, {2, 1, 2, 1})});
    ExpectTaken({op, {1, 2, 9, 9}, {}, Pool({2, 2}, {3, 3}, {0, 0, 0, 0})});
    ExpectTaken({op, {1, 1, 6, 6}, {}, Pool({1, 2}, {1, 2}, {0, 0, 0, 0})});
  }
  ExpectTaken({Op::kMaxPool2d, {1, 4, 9, 9}, {}, Pool({2, 3}, {1, 2}, {0, 0, 0, 0}).SetInts("dilation", {3, 2})});
  ExpectRefused({Op::kMaxPool2d, {1, 4, 9, 9}, {}, Pool({2, 3}, {1, 2}, {0, 1, 0, 0}).SetInts("dilation", {3, 2})},
                "has no padded pool with dilation");
  ExpectRefused({Op::kAvgPool2d, {1, 4, 9, 9}, {}, Pool({3, 3}, {1, 1}, {1, 1, 1, 1}).SetInt("count_include_pad", 1)},
                "does not count the padding");
  ExpectRefused({Op::kMaxPool2d, {1, 4, 9}, {}, Attributes().SetInts("kernel", {3})},
                "slides over height and width only");
}

TEST(XnnpackOps, GlobalPools) {
  ExpectTaken({Op::kGlobalAvgPool, {2, 7, 5, 6}});
  ExpectTaken({Op::kGlobalMaxPool, {2, 7, 5, 6}});
  ExpectTaken({Op::kMean, {2, 7, 5, 6}, {}, Attributes().SetInts("dims", {-1, 2})});
  ExpectTaken({Op::kMean, {2, 7, 5, 6}, {}, Attributes().SetInts("dims", {2, 3}).SetInt("keepdim", 0)});
}

TEST(XnnpackOps, Elementwise) {
  for (Op op : {Op::kRelu, Op::kSigmoid, Op::kHardswish, Op::kLeakyRelu}) ExpectTaken({op, {2, 3, 5, 7}});
  ExpectTaken({Op::kClip, {2, 3, 5, 7}, {}, Attributes().SetFloat("min", -0.25).SetFloat("max", 0.5)});
  ExpectTaken({Op::kClip, {2, 3, 5, 7}, {}, Attributes().SetFloat("max", 0.5)});
  ExpectRefused({Op::kClip, {2, 3, 5, 7}, {}, Attributes().SetFloat("min", 1).SetFloat("max", 1)},
                "clips to a proper range only");
}

// XNNPACK merges clips, and would fail on a range that is empty then.
TEST(XnnpackOps, ClipsThatLeaveOneNumber) {
  GraphBuilder b("clips");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {2, 3, 5, 7}));
  const ValueId low = b.Add(Op::kClip, {b.Add(Op::kRelu, {x})}, Attributes().SetFloat("min", -2).SetFloat("max", -1));
  b.Output(b.Add(Op::kClip, {low}, Attributes().SetFloat("min", 0).SetFloat("max", 3), "y"));
  const auto graph = b.Finish();
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  ExpectLikeReference(*graph, 0);
}

TEST(XnnpackOps, ConstantOperandsAreBroadcast) {
  for (Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv}) {
    for (const std::vector<int64_t>& sizes :
         {std::vector<int64_t>{2, 3, 4, 5}, {3, 1, 1}, {1, 3, 1, 1}, {5}, {4, 1}, {2, 1, 1, 5}, {1, 1, 1, 1}, {}}) {
      ExpectTaken({op, {2, 3, 4, 5}, {sizes}});
    }
    ExpectTaken({op, {2, 1, 4, 1}, {{2, 3, 4, 5}}});
    ExpectTaken({op, {1, 3, 1, 1}, {{1, 3, 4, 1}}});
  }
}

TEST(XnnpackOps, OperandsAreBroadcast) {
  const std::vector<std::vector<int64_t>> others = {{2, 3, 4, 5}, {1, 3, 1, 1}, {2, 1, 4, 5}, {1, 1, 1, 5}};
  for (const DimOrder& a : kImageOrders) {
    for (const DimOrder& c : kImageOrders) {
      for (const auto& sizes : others) {
        GraphBuilder b("two");
        const ValueId x = b.Input("x", TensorType(DataType::kF32, {2, 3, 4, 5}, a));
        const ValueId y = b.Input("y", TensorType(DataType::kF32, sizes, c));
        b.Output(b.Add(Op::kSub, {y, x}));
        ExpectLikeReference(b.Finish().value(), 1);
      }
    }
  }
}

TEST(XnnpackOps, SoftmaxesOverAnyAxis) {
  for (int64_t dim : {0, 1, 2, 3}) {
    ExpectTaken({Op::kSoftmax, {2, 3, 4, 5}, {}, Attributes().SetInt("dim", dim)});
  }
}

TEST(XnnpackOps, PadsWithAConstant) {
  ExpectTaken(
      {Op::kPad, {2, 3, 4, 5}, {}, Attributes().SetInts("pads", {0, 1, 2, 0, 0, 0, 1, 3}).SetFloat("value", 7)});
  ExpectTaken({Op::kPad, {1, 1, 4, 5}, {}, Attributes().SetInts("pads", {0, 1, 0, 0, 0, 1, 0, 0})});
  ExpectRefused({Op::kPad, {1, 1, 4, 5}, {}, Attributes().SetInts("pads", {0, 0, -1, 0, 0, 0, 0, 0})}, "crops nothing");
}

TEST(XnnpackOps, ResizesBilinearly) {
  for (const char* how : {"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"}) {
    for (const std::vector<int64_t>& size : {std::vector<int64_t>{2, 3, 8, 10}, {2, 3, 7, 4}, {2, 3, 2, 2}}) {
      ExpectTaken({Op::kResize,
                   {2, 3, 4, 5},
                   {},
                   Attributes().SetInts("size", size).SetString("mode", "linear").SetString("coordinates", how)});
    }
  }
  ExpectRefused({Op::kResize, {2, 3, 4, 5}, {}, Attributes().SetInts("size", {2, 3, 8, 10})},
                "resizes bilinearly only");
}

TEST(XnnpackOps, MatrixProducts) {
  for (int64_t trans_b : {0, 1}) {
    for (const std::vector<int64_t>& bias : {std::vector<int64_t>{4}, {1, 4}}) {
      GraphBuilder b("gemm");
      const ValueId x = b.Input("x", TensorType(DataType::kF32, {3, 5}, {1, 0}));
      const auto sizes = trans_b ? std::vector<int64_t>{4, 5} : std::vector<int64_t>{5, 4};
      const ValueId w = RandomConstant(b, "w", TensorType(DataType::kF32, sizes), 1);
      const ValueId c = RandomConstant(b, "c", TensorType(DataType::kF32, bias), 2);
      const ValueId y = b.Add(Op::kGemm, {x, w, c}, Attributes().SetInt("trans_b", trans_b));
      b.Output(b.Add(Op::kRelu, {y}));
      ExpectLikeReference(b.Finish().value(), 2);
    }
  }
  GraphBuilder b("matmul");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {2, 3, 5}, {1, 2, 0}));
  b.Output(b.Add(Op::kMatmul, {x, RandomConstant(b, "w", TensorType(DataType::kF32, {5, 4}), 1)}));
  ExpectLikeReference(b.Finish().value(), 1);
}

// A scalar is a bias of the one column, and of no more.
TEST(XnnpackOps, MatrixProductsWithAScalarBias) {
  ExpectLikeReference(GraphOf({Op::kGemm, {4, 8}, {{8, 1}, {}}}, IdentityOrder(2)), 1);
  ExpectRefused({Op::kGemm, {4, 8}, {{8, 2}, {}}}, "adds one number per column only");
}

TEST(XnnpackOps, CopiesAreNotItsOwn) {
  ExpectRefused({Op::kPermuteCopy, {2, 3, 4, 5}, {}, Attributes().SetInts("dims", {0, 2, 3, 1})}, "is for computing");
  ExpectRefused({Op::kTanh, {2, 3, 4, 5}}, "has no such op");
}

}  // namespace
}  // namespace dimorder
