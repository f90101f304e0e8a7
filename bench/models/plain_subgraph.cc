// SPDX-License-Identifier: Apache-2.0
#include "bench/models/plain_subgraph.h"

#include <algorithm>
#include <limits>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace dimorder::bench {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

uint32_t U32(int64_t n) { return static_cast<uint32_t>(n); }

struct Window {
  explicit Window(const Attributes& a)
      : padding(a.Ints("padding", {0, 0, 0, 0})),
        stride(a.Ints("stride", {1, 1})),
        dilation(a.Ints("dilation", {1, 1})) {}

  std::vector<int64_t> padding;
  std::vector<int64_t> stride;
  std::vector<int64_t> dilation;
};

}  // namespace

PlainSubgraph::PlainSubgraph(PlainValues& values, const std::vector<const Node*>& nodes,
                             const std::vector<ValueId>& outputs, pthreadpool_t pool)
    : values_(values), graph_(values.graph()) {
  std::vector<ValueId> inputs;
  for (const Node* node : nodes) {
    for (ValueId input : node->inputs) {
      const auto makes = [&](const Node* n) { return n->output == values.root(input); };
      if (input == kNoValue || graph_.values[static_cast<size_t>(input)].is_constant()) continue;
      if (std::ranges::any_of(nodes, makes) || std::ranges::find(inputs, input) != inputs.end()) continue;
      inputs.push_back(input);
    }
  }
  xnn_subgraph_t subgraph = nullptr;
  if (xnn_create_subgraph(U32(static_cast<int64_t>(inputs.size() + outputs.size())), 0, &subgraph) !=
      xnn_status_success) {
    error_ = "no subgraph";
    return;
  }
  subgraph_.reset(subgraph);
  for (ValueId input : inputs) External(input, XNN_VALUE_FLAG_EXTERNAL_INPUT);
  for (ValueId output : outputs) External(output, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
  for (const Node* node : nodes) Define(*node);
  xnn_runtime_t runtime = nullptr;
  if (error_.empty() && xnn_create_runtime_v2(subgraph, pool, 0, &runtime) != xnn_status_success) error_ = "no runtime";
  runtime_.reset(runtime);
  if (error_.empty() && xnn_setup_runtime(runtime, externals_.size(), externals_.data()) != xnn_status_success) {
    error_ = "no setup";
  }
}

bool PlainSubgraph::Takes(Op op) {
  switch (op) {
    case Op::kConv2d:
    case Op::kGemm:
    case Op::kClip:
    case Op::kRelu:
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kGlobalAvgPool:
    case Op::kMaxPool2d:
    case Op::kSoftmax:
      return true;
    default:
      return false;
  }
}

uint32_t PlainSubgraph::External(ValueId value, uint32_t flags) {
  const auto sizes = values_.Sizes(value);
  const auto id = static_cast<uint32_t>(externals_.size());
  xnn_define_tensor_value(subgraph_.get(), xnn_datatype_fp32, sizes.size(), sizes.data(), nullptr, id, flags,
                          &ids_[value]);
  externals_.push_back({id, values_.Buffer(value).data()});
  return id;
}

void PlainSubgraph::Define(const Node& node) {
  if (!error_.empty() || DefineOp(node) == xnn_status_success) return;
  error_ = "no node '" + node.name + "' (" + OpName(node.op) + ") in plain XNNPACK";
}

xnn_status PlainSubgraph::DefineOp(const Node& node) {
  xnn_subgraph_t s = subgraph_.get();
  switch (node.op) {
    case Op::kConv2d:
      return DefineConv(node);
    case Op::kGemm:
      return DefineGemm(node);
    case Op::kMaxPool2d:
      return DefineMaxPool(node);
    case Op::kRelu:
      return xnn_define_clamp(s, 0, kInfinity, Input(node, 0), Result(node), 0);
    case Op::kClip: {
      const double infinity = std::numeric_limits<double>::infinity();
      return xnn_define_clamp(s, static_cast<float>(node.attributes.Float("min", -infinity)),
                              static_cast<float>(node.attributes.Float("max", infinity)), Input(node, 0), Result(node),
                              0);
    }
    case Op::kGlobalAvgPool:
      return xnn_define_global_average_pooling_2d(s, -kInfinity, kInfinity, Input(node, 0), Result(node), 0);
    case Op::kSoftmax: {
      const auto rank = static_cast<int64_t>(values_.Sizes(node.output).size());
      const int64_t dim = node.attributes.Int("dim", -1);
      const auto axis = static_cast<size_t>(dim < 0 ? dim + rank : dim);
      if (values_.Axes(node.output).back() != axis) return xnn_status_unsupported_parameter;
      return xnn_define_softmax(s, Input(node, 0), Result(node), 0);
    }
    default:
      return DefineBinary(node);
  }
}

xnn_status PlainSubgraph::DefineBinary(const Node& node) {
  const auto define = node.op == Op::kAdd   ? xnn_define_add2
                      : node.op == Op::kSub ? xnn_define_subtract
                      : node.op == Op::kMul ? xnn_define_multiply2
                                            : xnn_define_divide;
  return define(subgraph_.get(), -kInfinity, kInfinity, Input(node, 0), Input(node, 1), Result(node), 0);
}

xnn_status PlainSubgraph::DefineMaxPool(const Node& node) {
  const Window w(node.attributes);
  const auto& p = w.padding;
  const auto k = node.attributes.Ints("kernel");
  return xnn_define_max_pooling_2d(subgraph_.get(), U32(p[0]), U32(p[3]), U32(p[2]), U32(p[1]), U32(k[0]), U32(k[1]),
                                   U32(w.stride[0]), U32(w.stride[1]), U32(w.dilation[0]), U32(w.dilation[1]),
                                   -kInfinity, kInfinity, Input(node, 0), Result(node), 0);
}

xnn_status PlainSubgraph::DefineConv(const Node& node) {
  const auto& sizes = graph_.values[static_cast<size_t>(node.inputs[1])].type.sizes;
  const Window w(node.attributes);
  const auto& p = w.padding;
  const int64_t groups = node.attributes.Int("groups", 1);
  const auto n = [&](size_t i) { return static_cast<size_t>(sizes[i]); };
  const bool has_bias = node.inputs.size() > 2 && node.inputs[2] != kNoValue;
  const uint32_t bias = has_bias ? Constant(node.inputs[2], {n(0)}, {0}) : XNN_INVALID_VALUE_ID;
  if (groups > 1 && sizes[1] == 1) {
    const uint32_t filter = Constant(node.inputs[1], {1, n(2), n(3), n(0)}, {1, 2, 3, 0});
    return xnn_define_depthwise_convolution_2d(
        subgraph_.get(), U32(p[0]), U32(p[3]), U32(p[2]), U32(p[1]), U32(sizes[2]), U32(sizes[3]), U32(w.stride[0]),
        U32(w.stride[1]), U32(w.dilation[0]), U32(w.dilation[1]), U32(sizes[0] / groups), static_cast<size_t>(groups),
        -kInfinity, kInfinity, Input(node, 0), filter, bias, Result(node), 0);
  }
  const uint32_t filter = Constant(node.inputs[1], {n(0), n(2), n(3), n(1)}, {0, 2, 3, 1});
  return xnn_define_convolution_2d(subgraph_.get(), U32(p[0]), U32(p[3]), U32(p[2]), U32(p[1]), U32(sizes[2]),
                                   U32(sizes[3]), U32(w.stride[0]), U32(w.stride[1]), U32(w.dilation[0]),
                                   U32(w.dilation[1]), U32(groups), n(1), n(0) / static_cast<size_t>(groups),
                                   -kInfinity, kInfinity, Input(node, 0), filter, bias, Result(node), 0);
}

xnn_status PlainSubgraph::DefineGemm(const Node& node) {
  const auto& b = graph_.values[static_cast<size_t>(node.inputs[1])].type.sizes;
  const auto n = [&](size_t i) { return static_cast<size_t>(b[i]); };
  const bool transposed = node.attributes.Int("trans_b") != 0;
  const uint32_t filter =
      transposed ? Constant(node.inputs[1], {n(0), n(1)}, {0, 1}) : Constant(node.inputs[1], {n(1), n(0)}, {1, 0});
  const uint32_t bias = Constant(node.inputs[2], {transposed ? n(0) : n(1)}, {0});
  return xnn_define_fully_connected(subgraph_.get(), -kInfinity, kInfinity, Input(node, 0), filter, bias, Result(node),
                                    0);
}

uint32_t PlainSubgraph::Tensor(const std::vector<size_t>& sizes, const float* data) {
  uint32_t id = XNN_INVALID_VALUE_ID;
  xnn_define_tensor_value(subgraph_.get(), xnn_datatype_fp32, sizes.size(), sizes.data(), data, XNN_INVALID_VALUE_ID, 0,
                          &id);
  return id;
}

// A constant operand has the output's rank, or is one number. A view of what is made here is a reshape of XNNPACK's.
uint32_t PlainSubgraph::Input(const Node& node, size_t k) {
  const ValueId value = node.inputs[k];
  const TensorType& type = graph_.values[static_cast<size_t>(value)].type;
  const auto known = ids_.find(value);
  if (known != ids_.end()) return known->second;
  if (graph_.values[static_cast<size_t>(value)].is_constant()) {
    if (NumElements(type) == 1) return Constant(value, {1}, {});
    const auto axes = values_.Axes(node.output);
    if (type.rank() != axes.size()) return XNN_INVALID_VALUE_ID;
    std::vector<size_t> sizes;
    for (size_t axis : axes) sizes.push_back(static_cast<size_t>(type.sizes[axis]));
    return Constant(value, sizes, axes);
  }
  const auto sizes = values_.Sizes(value);
  const uint32_t id = Tensor(sizes, nullptr);
  xnn_define_static_reshape(subgraph_.get(), sizes.size(), sizes.data(), ids_[values_.root(value)], id, 0);
  return ids_[value] = id;
}

uint32_t PlainSubgraph::Result(const Node& node) {
  const auto [place, is_new] = ids_.try_emplace(node.output, XNN_INVALID_VALUE_ID);
  if (is_new) place->second = Tensor(values_.Sizes(node.output), nullptr);
  return place->second;
}

// A constant in its logical order, moved index by index so that `axes` are outermost first.
uint32_t PlainSubgraph::Constant(ValueId value, const std::vector<size_t>& sizes, const std::vector<size_t>& axes) {
  const Value& constant = graph_.values[static_cast<size_t>(value)];
  const auto* from = reinterpret_cast<const float*>(constant.data->data());
  const auto& logical = constant.type.sizes;
  std::vector<size_t> strides(logical.size(), 1);
  for (size_t i = logical.size(); i-- > 1;) strides[i - 1] = strides[i] * static_cast<size_t>(logical[i]);
  const auto count = static_cast<size_t>(NumElements(constant.type));
  constants_.push_back(std::make_unique<float[]>(count + XNN_EXTRA_BYTES / sizeof(float)));
  for (size_t i = 0; i < count; ++i) {
    size_t rest = i;
    size_t at = 0;
    for (size_t k = axes.size(); k-- > 0;) {
      at += rest % static_cast<size_t>(logical[axes[k]]) * strides[axes[k]];
      rest /= static_cast<size_t>(logical[axes[k]]);
    }
    constants_.back()[i] = from[at];
  }
  return Tensor(sizes, constants_.back().get());
}

}  // namespace dimorder::bench
