// SPDX-License-Identifier: Apache-2.0
//
// XNNPACK computes on images in NHWC with constant weights; on f32, and within limits (quantized.cc) on integers. What
// has no window to slide runs in any order, as long as all operands lie in the same one: XNNPACK only sees their axes
// as they lie in memory. An op is refused where XNNPACK would compute something else than the op says.
#include "runtime/xnnpack/query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/graph/window.h"
#include "runtime/lowering/activation.h"
#include "runtime/lowering/memory_order.h"
#include "runtime/lowering/padding.h"
#include "runtime/lowering/weights.h"
#include "runtime/xnnpack/quantized.h"

namespace dimorder {
namespace {

constexpr size_t kMaxXnnpackRank = 6;

const Value& At(const Graph& graph, ValueId id) { return graph.values[static_cast<size_t>(id)]; }

std::string RefuseType(const TensorType& type, bool integers) {
  if (type.dtype != DataType::kF32 && !integers) return std::string("takes no ") + DataTypeName(type.dtype);
  if (type.rank() > kMaxXnnpackRank) return "takes ranks up to 6";
  const auto fits = [](int64_t n) { return n >= 1 && n <= std::numeric_limits<int32_t>::max(); };
  if (!std::ranges::all_of(type.sizes, fits)) return "takes sizes from 1 to 2^31-1";
  return {};
}

bool IsConstant(const Query& q) {
  for (size_t i = 0; i < q.node.inputs.size(); ++i) {
    if (q.Has(i) && !q.in(i).is_constant()) return false;
  }
  return true;
}

std::string RefuseTensors(const Query& q) {
  if (q.out().rank() == 0) return "takes no scalars";
  // FoldConstants leaves such a node where the caller wants its output.
  if (IsConstant(q)) return "computes no constants";
  const bool integers = IsQuantized(q);
  for (size_t i = 0; i < q.node.inputs.size(); ++i) {
    if (!q.Has(i)) continue;
    std::string refusal = RefuseType(q.in(i).type, integers);
    if (!refusal.empty()) return refusal;
  }
  return RefuseType(q.out(), integers);
}

bool IsIn(const TensorType& type, const DimOrder& order) {
  return CanonicalOrder(TensorType(type.dtype, type.sizes, order)) == order;
}

// All operands in NHWC, if they are images, or in the logical order: for ops whose operands differ in sizes, so that
// their axes must be told apart even where their bytes lie alike.
Support SameAxes(const Query& q) {
  std::vector<DimOrder> orders;
  const size_t rank = q.out().rank();
  if (rank == kNHWC.size()) orders.push_back(kNHWC);
  orders.push_back(IdentityOrder(rank));
  std::vector<LayoutSignature> layouts;
  for (const DimOrder& order : orders) {
    LayoutSignature layout;
    layout.output = order;
    bool distinct = IsIn(q.out(), order);
    for (size_t i = 0; i < q.node.inputs.size(); ++i) {
      const Value& input = q.in(i);
      layout.inputs.push_back(input.is_constant() ? IdentityOrder(input.type.rank()) : order);
      if (input.is_constant()) continue;
      if (input.type.rank() != rank) return Support::No("operands differ in rank");
      distinct = distinct && IsIn(input.type, order);
    }
    if (distinct) layouts.push_back(std::move(layout));
  }
  return layouts.empty() ? Support::No("axes of size 1 leave no order") : Support::Listed(std::move(layouts));
}

Support Nhwc(const Query& q, const DimOrder& weights = {}) {
  LayoutSignature layout{{kNHWC, weights, {0}}, kNHWC, 0};
  layout.inputs.resize(q.node.inputs.size());
  return Support::Listed({std::move(layout)});
}

bool HasConstantWeights(const Query& q) { return q.in(1).is_constant() && (!q.Has(2) || q.in(2).is_constant()); }

Support QueryConv2d(const Query& q) {
  if (!HasConstantWeights(q)) return Support::No("takes constant weights only");
  return Nhwc(q, IsDepthwise(q.graph, q.node) ? kDepthwiseWeights : kOHWI);
}

Support QueryConvTranspose2d(const Query& q) {
  if (!HasConstantWeights(q)) return Support::No("takes constant weights only");
  const Window window = ConvWindow(q.node.attributes, q.in(1).type.sizes);
  for (size_t axis = 0; axis < 2; ++axis) {
    if (window.output_padding[axis] >= window.stride[axis]) return Support::No("output padding reaches the stride");
  }
  return Nhwc(q, q.node.attributes.Int("groups", 1) == 1 ? kTransposedWeights : kOIHW);
}

// XNNPACK moves window positions in the padding to the nearest edge; that is the op only where the edge is in the
// window, too.
std::string RefusePool(const Query& q, const Window& window, bool padded) {
  if (window.kernel[0] * window.kernel[1] == 1) return "has no pool of 1x1";
  if (window.kernel[0] > std::numeric_limits<int32_t>::max() / window.kernel[1]) return "has no window so large";
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t after = ExactPaddingAfter(window, axis, q.in(0).type.sizes[axis + 2], q.out().sizes[axis + 2]);
    if (window.before[axis] >= window.kernel[axis] || after >= window.kernel[axis]) return "padding reaches the kernel";
    if (window.dilation[axis] > 1 && (padded || after > 0)) return "has no padded pool with dilation";
  }
  return {};
}

Support QueryPool(const Query& q) {
  const Window window = PoolWindow(q.node.attributes);
  const bool padded = std::ranges::max(window.before) > 0 || std::ranges::max(window.after) > 0;
  std::string refusal = RefusePool(q, window, padded);
  if (!refusal.empty()) return Support::No(std::move(refusal));
  if (q.node.op == Op::kAvgPool2d) {
    if (std::ranges::max(window.dilation) > 1) return Support::No("has no average pool with dilation");
    if (padded && q.node.attributes.Int("count_include_pad") != 0) return Support::No("does not count the padding");
  }
  return Nhwc(q);
}

Support QueryGlobalPool(const Query& q) {
  const TensorType& image = q.in(0).type;
  if (image.rank() != 4) return Support::No("takes images of rank 4 only");
  if (q.node.op == Op::kGlobalMaxPool && image.sizes[2] * image.sizes[3] == 1) return Support::No("has no pool of 1x1");
  return Nhwc(q);
}

// A mean over height and width is a global average pool.
Support QueryMean(const Query& q) {
  if (q.in(0).type.rank() != 4) return Support::No("takes images of rank 4 only");
  std::vector<int64_t> axes = q.node.attributes.Ints("dims");
  for (int64_t& axis : axes) axis += axis < 0 ? 4 : 0;
  std::ranges::sort(axes);
  if (axes != std::vector<int64_t>{2, 3}) return Support::No("means over height and width only");
  return Support::Listed({{{kNHWC}, q.out().rank() == 4 ? kNHWC : IdentityOrder(q.out().rank()), 0}});
}

Support QueryBinary(const Query& q) {
  for (size_t i = 0; i < 2; ++i) {
    if (!q.in(i).is_constant() && q.in(i).type.sizes != q.out().sizes) return SameAxes(q);
  }
  return Support::Same();
}

// With all clips before it: XNNPACK merges them, and fails on a range that is empty then.
Support QueryClip(const Query& q) {
  ActivationRange range = *RangeOf(q.node);
  for (ValueId input = q.node.inputs[0];;) {
    const auto maker = std::ranges::find(q.graph.nodes, input, &Node::output);
    const auto before = maker == q.graph.nodes.end() ? std::nullopt : RangeOf(*maker);
    if (!before) break;
    range = {std::max(range.min, before->min), std::min(range.max, before->max)};
    input = maker->inputs[0];
  }
  return IsProperRange(range, q.out()) ? Support::Same() : Support::No("clips to a proper range only");
}

Support QueryLeakyRelu(const Query& q) {
  const auto slope = static_cast<float>(q.node.attributes.Float("alpha", 0.01));
  return std::isnormal(slope) ? Support::Same() : Support::No("takes normal slopes only");
}

// The axis must lie innermost.
Support QuerySoftmax(const Query& q) {
  const size_t rank = q.out().rank();
  int64_t dim = q.node.attributes.Int("dim", -1);
  if (dim < 0) dim += static_cast<int64_t>(rank);
  std::vector<int> axes;
  for (int axis : IdentityOrder(rank)) {
    if (axis != dim) axes.push_back(axis);
  }
  axes.push_back(static_cast<int>(dim));
  const DimOrder order(axes.data(), axes.size());
  if (!IsIn(q.out(), order)) return Support::No("axes of size 1 leave no order");
  return Support::Listed({{{order}, order, 0}});
}

// A scalar counts for a single column.
bool IsOnePerColumn(const TensorType& bias, int64_t columns) {
  return NumElements(bias) == columns && (bias.rank() == 0 || bias.sizes.back() == columns);
}

// x times a constant matrix, whose rows XNNPACK wants to be the outputs.
Support QueryGemm(const Query& q) {
  const Attributes& attributes = q.node.attributes;
  if (!HasConstantWeights(q)) return Support::No("takes constant weights only");
  if (attributes.Int("trans_a") != 0) return Support::No("transposes no inputs");
  if (attributes.Float("alpha", 1) != 1 || (q.Has(2) && attributes.Float("beta", 1) != 1)) {
    return Support::No("scales nothing");
  }
  if (q.Has(2) && !IsOnePerColumn(q.in(2).type, q.out().sizes[1])) {
    return Support::No("adds one number per column only");
  }
  const DimOrder transposed = {1, 0};
  LayoutSignature layout{{{0, 1}, attributes.Int("trans_b") != 0 ? DimOrder{0, 1} : transposed}, {0, 1}, 0};
  if (q.node.inputs.size() > 2) layout.inputs.push_back(IdentityOrder(q.Has(2) ? q.in(2).type.rank() : 0));
  return Support::Listed({std::move(layout)});
}

Support QueryMatmul(const Query& q) {
  const TensorType& x = q.in(0).type;
  if (!q.in(1).is_constant() || q.in(1).type.rank() != 2) return Support::No("takes constant matrices only");
  const DimOrder logical = IdentityOrder(x.rank());
  if (x.rank() < 2 || !IsIn(x, logical) || !IsIn(q.out(), logical)) return Support::No("axes of size 1 leave no order");
  return Support::Listed({{{logical, {1, 0}}, logical, 0}});
}

Support QueryPad(const Query& q) {
  const auto pads = q.node.attributes.Ints("pads");
  if (q.node.attributes.String("mode", "constant") != "constant") return Support::No("pads with a constant only");
  if (std::ranges::min(pads) < 0) return Support::No("crops nothing");
  return SameAxes(q);
}

bool IsRatioOfSizes(double scale, int64_t in, int64_t out) {
  return std::fabs(scale * static_cast<double>(in) - static_cast<double>(out)) <= 1e-6 * static_cast<double>(out);
}

Support QueryResize(const Query& q) {
  const Attributes& attributes = q.node.attributes;
  const auto& in = q.in(0).type.sizes;
  const auto& out = q.out().sizes;
  if (in.size() != 4 || in[0] != out[0] || in[1] != out[1]) return Support::No("resizes height and width only");
  if (attributes.String("mode", "nearest") != "linear") return Support::No("resizes bilinearly only");
  if (attributes.Int("exclude_outside") != 0) return Support::No("does not leave out what is outside");
  const std::string how = attributes.String("coordinates", "half_pixel");
  const bool single = out[2] == 1 || out[3] == 1;
  if (how != "half_pixel" && how != "align_corners" && how != "asymmetric" && (how != "pytorch_half_pixel" || single)) {
    return Support::No("has no coordinates like '" + how + "'");
  }
  const auto scales = attributes.Floats("scales");
  for (size_t axis = 2; axis < 4 && !scales.empty() && how != "align_corners"; ++axis) {
    if (!IsRatioOfSizes(scales[axis], in[axis], out[axis])) return Support::No("scales by the sizes only");
  }
  return Nhwc(q);
}

bool Slides(Op op) {
  return op == Op::kConv2d || op == Op::kConvTranspose2d || op == Op::kMaxPool2d || op == Op::kAvgPool2d;
}

Support QueryOp(const Query& q) {
  if (Slides(q.node.op) && q.in(0).type.rank() != 4) return Support::No("slides over height and width only");
  switch (q.node.op) {
    case Op::kConv2d:
      return QueryConv2d(q);
    case Op::kConvTranspose2d:
      return QueryConvTranspose2d(q);
    case Op::kMaxPool2d:
    case Op::kAvgPool2d:
      return QueryPool(q);
    case Op::kGlobalMaxPool:
    case Op::kGlobalAvgPool:
      return QueryGlobalPool(q);
    case Op::kMean:
      return QueryMean(q);
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
      return QueryBinary(q);
    case Op::kRelu:
    case Op::kClip:
      return QueryClip(q);
    case Op::kLeakyRelu:
      return QueryLeakyRelu(q);
    case Op::kSigmoid:
    case Op::kHardswish:
    case Op::kQuantize:
    case Op::kDequantize:
      return Support::Same();
    case Op::kSoftmax:
      return QuerySoftmax(q);
    case Op::kGemm:
      return QueryGemm(q);
    case Op::kMatmul:
      return QueryMatmul(q);
    case Op::kPad:
      return QueryPad(q);
    case Op::kResize:
      return QueryResize(q);
    default:
      return Support::No("has no such op");
  }
}

bool LiesAs(const TensorType& type, const DimOrder& order) {
  return SameLayout(type, TensorType(type.dtype, type.sizes, order));
}

bool LiesAs(const Graph& graph, const Node& node, const LayoutSignature& layout) {
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] != kNoValue && !LiesAs(At(graph, node.inputs[i]).type, layout.inputs[i])) return false;
  }
  return LiesAs(At(graph, node.output).type, layout.output);
}

void CheckNode(const Graph& graph, const Node& node) {
  const Support support = QueryXnnpack(graph, node);
  if (!support.supported) FailUnsupported("XNNPACK " + support.reason);
  if (support.rule == LayoutRule::kListed) {
    const auto fits = [&](const LayoutSignature& layout) { return LiesAs(graph, node, layout); };
    if (std::ranges::none_of(support.layouts, fits)) Fail("its tensors lie in none of the orders that it takes");
    return;
  }
  const TensorType& output = At(graph, node.output).type;
  for (ValueId id : node.inputs) {
    if (id == kNoValue || At(graph, id).is_constant() || SameLayout(At(graph, id).type, output)) continue;
    Fail("input '" + At(graph, id).name + "' lies in dim order " + DimOrderToString(At(graph, id).type.dim_order) +
         ", the output in " + DimOrderToString(output.dim_order));
  }
}

}  // namespace

bool IsDepthwise(const Graph& graph, const Node& conv) {
  return At(graph, conv.inputs[1]).type.sizes[1] == 1 && conv.attributes.Int("groups", 1) > 1;
}

Support QueryXnnpack(const Graph& graph, const Node& node) {
  const Query query{graph, node};
  // Only ops that compute: copies are dimorder's own.
  if (IsCopyOp(node.op)) return Support::No("is for computing");
  std::string refusal = RefuseTensors(query);
  if (!refusal.empty()) return Support::No(std::move(refusal));
  Support support = QueryOp(query);
  if (support.supported && IsQuantized(query)) refusal = RefuseQuantized(query);
  return refusal.empty() ? support : Support::No(std::move(refusal));
}

void CheckXnnpackGraph(const Graph& graph) {
  std::vector<bool> made(graph.values.size(), false);
  std::vector<bool> read(graph.values.size(), false);
  for (ValueId id : graph.outputs) read[static_cast<size_t>(id)] = true;
  for (const Node& node : graph.nodes) {
    for (ValueId id : node.inputs) {
      if (id != kNoValue) read[static_cast<size_t>(id)] = true;
    }
  }
  for (const Node& node : graph.nodes) {
    if (!read[static_cast<size_t>(node.output)]) Fail("nobody reads what node '" + node.name + "' makes");
    In("node '" + node.name + "' (" + OpName(node.op) + ")", [&] { CheckNode(graph, node); });
    made[static_cast<size_t>(node.output)] = true;
  }
  for (ValueId id : graph.outputs) {
    if (!made[static_cast<size_t>(id)]) Fail("output '" + At(graph, id).name + "' is made by no node, or given twice");
    made[static_cast<size_t>(id)] = false;
  }
}

}  // namespace dimorder
