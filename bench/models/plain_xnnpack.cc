// SPDX-License-Identifier: Apache-2.0
#include "bench/models/plain_xnnpack.h"

#include <limits>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace dimorder::bench {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const TensorType& TypeOf(const Graph& graph, ValueId id) { return graph.values[static_cast<size_t>(id)].type; }

uint32_t U32(int64_t n) { return static_cast<uint32_t>(n); }

// The shape in memory: NHWC for images, else as it is.
std::vector<size_t> Sizes(const TensorType& type) {
  std::vector<size_t> sizes(type.sizes.begin(), type.sizes.end());
  if (sizes.size() == 4) sizes = {sizes[0], sizes[2], sizes[3], sizes[1]};
  return sizes;
}

}  // namespace

PlainXnnpack::PlainXnnpack(const Graph& graph, pthreadpool_t pool) {
  xnn_subgraph_t subgraph = nullptr;
  if (xnn_initialize(nullptr) != xnn_status_success || xnn_create_subgraph(2, 0, &subgraph) != xnn_status_success) {
    error_ = "XNNPACK does not start";
    return;
  }
  subgraph_.reset(subgraph);
  Define(graph);
  xnn_runtime_t runtime = nullptr;
  if (error_.empty() && xnn_create_runtime_v2(subgraph, pool, 0, &runtime) != xnn_status_success) error_ = "no runtime";
  runtime_.reset(runtime);
  if (!error_.empty()) return;
  input_.resize(static_cast<size_t>(NumElements(TypeOf(graph, graph.inputs[0]))) + XNN_EXTRA_BYTES / sizeof(float));
  output_.resize(static_cast<size_t>(NumElements(TypeOf(graph, graph.outputs[0]))));
  const xnn_external_value values[] = {{0, input_.data()}, {1, output_.data()}};
  if (xnn_setup_runtime(runtime, 2, values) != xnn_status_success) error_ = "no setup";
}

void PlainXnnpack::Define(const Graph& graph) {
  ids_.assign(graph.values.size(), XNN_INVALID_VALUE_ID);
  const auto external = [&](ValueId value, uint32_t id, uint32_t flags) {
    const auto sizes = Sizes(TypeOf(graph, value));
    xnn_define_tensor_value(subgraph_.get(), xnn_datatype_fp32, sizes.size(), sizes.data(), nullptr, id, flags,
                            &ids_[static_cast<size_t>(value)]);
  };
  external(graph.inputs[0], 0, XNN_VALUE_FLAG_EXTERNAL_INPUT);
  external(graph.outputs[0], 1, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
  for (const Node& node : graph.nodes) {
    if (error_.empty()) DefineNode(graph, node);
  }
}

void PlainXnnpack::DefineNode(const Graph& graph, const Node& node) {
  const auto id = [&](size_t k) { return ids_[static_cast<size_t>(node.inputs[k])]; };
  xnn_subgraph_t s = subgraph_.get();
  xnn_status status = xnn_status_unsupported_parameter;
  if (node.op == Op::kConv2d) {
    status = DefineConv(graph, node);
  } else if (node.op == Op::kGemm) {
    status = DefineGemm(graph, node);
  } else if (node.op == Op::kClip || node.op == Op::kRelu) {
    const double min = node.op == Op::kRelu ? 0 : node.attributes.Float("min", -static_cast<double>(kInfinity));
    const double max = node.attributes.Float("max", static_cast<double>(kInfinity));
    status =
        xnn_define_clamp(s, static_cast<float>(min), static_cast<float>(max), id(0), Result(graph, node.output), 0);
  } else if (node.op == Op::kAdd) {
    status = xnn_define_add2(s, -kInfinity, kInfinity, id(0), id(1), Result(graph, node.output), 0);
  } else if (node.op == Op::kGlobalAvgPool) {
    status = xnn_define_global_average_pooling_2d(s, -kInfinity, kInfinity, id(0), Result(graph, node.output), 0);
  } else if (node.op == Op::kViewCopy) {  // of one pixel per image: the order of the axes does not matter
    const auto sizes = Sizes(TypeOf(graph, node.output));
    status = xnn_define_static_reshape(s, sizes.size(), sizes.data(), id(0), Result(graph, node.output), 0);
  } else if (node.op == Op::kMaxPool2d) {
    const auto& a = node.attributes;
    const auto p = a.Ints("padding", {0, 0, 0, 0});
    const auto k = a.Ints("kernel");
    const auto stride = a.Ints("stride", {1, 1});
    status =
        xnn_define_max_pooling_2d(s, U32(p[0]), U32(p[3]), U32(p[2]), U32(p[1]), U32(k[0]), U32(k[1]), U32(stride[0]),
                                  U32(stride[1]), 1, 1, -kInfinity, kInfinity, id(0), Result(graph, node.output), 0);
  }
  if (status != xnn_status_success) error_ = "no node '" + node.name + "' (" + OpName(node.op) + ") in plain XNNPACK";
}

xnn_status PlainXnnpack::DefineConv(const Graph& graph, const Node& node) {
  const auto& w = TypeOf(graph, node.inputs[1]).sizes;
  const auto& a = node.attributes;
  const auto p = a.Ints("padding", {0, 0, 0, 0});
  const auto stride = a.Ints("stride", {1, 1});
  const auto dilation = a.Ints("dilation", {1, 1});
  const int64_t groups = a.Int("groups", 1);
  const auto n = [&](size_t i) { return static_cast<size_t>(w[i]); };
  const uint32_t input = ids_[static_cast<size_t>(node.inputs[0])];
  const bool has_bias = node.inputs.size() > 2 && node.inputs[2] != kNoValue;
  const uint32_t bias = has_bias ? Constant(graph, node.inputs[2], {n(0)}, {0}) : XNN_INVALID_VALUE_ID;
  if (groups > 1 && w[1] == 1) {
    const uint32_t filter = Constant(graph, node.inputs[1], {1, n(2), n(3), n(0)}, {1, 2, 3, 0});
    return xnn_define_depthwise_convolution_2d(
        subgraph_.get(), U32(p[0]), U32(p[3]), U32(p[2]), U32(p[1]), U32(w[2]), U32(w[3]), U32(stride[0]),
        U32(stride[1]), U32(dilation[0]), U32(dilation[1]), U32(w[0] / groups), static_cast<size_t>(groups), -kInfinity,
        kInfinity, input, filter, bias, Result(graph, node.output), 0);
  }
  const uint32_t filter = Constant(graph, node.inputs[1], {n(0), n(2), n(3), n(1)}, {0, 2, 3, 1});
  return xnn_define_convolution_2d(subgraph_.get(), U32(p[0]), U32(p[3]), U32(p[2]), U32(p[1]), U32(w[2]), U32(w[3]),
                                   U32(stride[0]), U32(stride[1]), U32(dilation[0]), U32(dilation[1]), U32(groups),
                                   n(1), n(0) / static_cast<size_t>(groups), -kInfinity, kInfinity, input, filter, bias,
                                   Result(graph, node.output), 0);
}

xnn_status PlainXnnpack::DefineGemm(const Graph& graph, const Node& node) {
  const auto& b = TypeOf(graph, node.inputs[1]).sizes;
  const auto n = [&](size_t i) { return static_cast<size_t>(b[i]); };
  const bool transposed = node.attributes.Int("trans_b") != 0;
  const uint32_t filter = transposed ? Constant(graph, node.inputs[1], {n(0), n(1)}, {0, 1})
                                     : Constant(graph, node.inputs[1], {n(1), n(0)}, {1, 0});
  const uint32_t bias = Constant(graph, node.inputs[2], {transposed ? n(0) : n(1)}, {0});
  return xnn_define_fully_connected(subgraph_.get(), -kInfinity, kInfinity, ids_[static_cast<size_t>(node.inputs[0])],
                                    filter, bias, Result(graph, node.output), 0);
}

uint32_t PlainXnnpack::Tensor(const std::vector<size_t>& sizes, const float* data) {
  uint32_t id = XNN_INVALID_VALUE_ID;
  xnn_define_tensor_value(subgraph_.get(), xnn_datatype_fp32, sizes.size(), sizes.data(), data, XNN_INVALID_VALUE_ID, 0,
                          &id);
  return id;
}

uint32_t PlainXnnpack::Result(const Graph& graph, ValueId value) {
  uint32_t& id = ids_[static_cast<size_t>(value)];
  if (id == XNN_INVALID_VALUE_ID) id = Tensor(Sizes(TypeOf(graph, value)), nullptr);
  return id;
}

// A constant in its logical order, moved index by index so that `axes` are outermost first.
uint32_t PlainXnnpack::Constant(const Graph& graph, ValueId value, const std::vector<size_t>& sizes,
                                const std::vector<int>& axes) {
  const Value& constant = graph.values[static_cast<size_t>(value)];
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
      const auto axis = static_cast<size_t>(axes[k]);
      at += rest % static_cast<size_t>(logical[axis]) * strides[axis];
      rest /= static_cast<size_t>(logical[axis]);
    }
    constants_.back()[i] = from[at];
  }
  return Tensor(sizes, constants_.back().get());
}

}  // namespace dimorder::bench
