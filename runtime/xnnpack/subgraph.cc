// SPDX-License-Identifier: Apache-2.0
#include "runtime/xnnpack/subgraph.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/error.h"
#include "runtime/graph/trailing_order.h"
#include "runtime/lowering/memory_order.h"
#include "runtime/xnnpack/quantized.h"
#include "runtime/xnnpack/query.h"

namespace dimorder {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

bool CanFuse(Op op) {
  switch (op) {
    case Op::kConv2d:
    case Op::kConvTranspose2d:
    case Op::kMaxPool2d:
    case Op::kAvgPool2d:
    case Op::kGlobalMaxPool:
    case Op::kGlobalAvgPool:
    case Op::kMean:
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kRelu:
    case Op::kClip:
    case Op::kGemm:
    case Op::kMatmul:
      return true;
    default:
      return false;
  }
}

Weights LayOutConvWeights(const Value& constant, bool depthwise) {
  const auto& sizes = constant.type.sizes;
  if (!depthwise) return LayOutWeights(constant, kOHWI, MemorySizes(sizes, kOHWI));
  return LayOutWeights(
      constant, kDepthwiseWeights,
      {1, static_cast<size_t>(sizes[2]), static_cast<size_t>(sizes[3]), static_cast<size_t>(sizes[0])});
}

Weights LayOutTransposedWeights(const Value& constant, int64_t groups) {
  return groups == 1 ? LayOutWeights(constant, kTransposedWeights, MemorySizes(constant.type.sizes, kTransposedWeights))
                     : LayOutGroupedTransposed(constant, groups);
}

// An operand that is broadcast to the output.
Weights LayOutOperand(const Value& constant, const TensorType& output) {
  const DimOrder order = CanonicalOrder(output);
  return LayOutWeights(constant, TrailingOrder(order, constant.type.rank()), MemorySizes(constant.type.sizes, order));
}

Weights LayOutVector(const Value& constant) {
  return LayOutWeights(constant, IdentityOrder(constant.type.rank()),
                       {static_cast<size_t>(NumElements(constant.type))});
}

Weights LayOutProductWeights(const Graph& graph, const Node& node) {
  const Value& constant = graph.values[Index(node.inputs[1])];
  const DimOrder order = node.attributes.Int("trans_b") != 0 ? DimOrder{0, 1} : DimOrder{1, 0};
  std::vector<size_t> sizes = MemorySizes(constant.type.sizes, order);
  if (IsProductByConvolution({graph, node})) sizes.insert(sizes.begin() + 1, {1, 1});
  return LayOutWeights(constant, order, std::move(sizes));
}

// The bias of a node on integers: i32 in units of its sums.
StaticOperand LayOutSums(const Query& query) {
  const auto channels = static_cast<size_t>(NumElements(query.in(2).type));
  StaticOperand bias{TensorType(DataType::kI32, {static_cast<int64_t>(channels)}), {{channels}, nullptr}};
  bias.weights.data = std::make_unique<std::byte[]>(channels * sizeof(int32_t) + kWeightsTail);
  const bool one_scale = query.in(1).type.quantization.scales.size() == 1;
  for (size_t c = 0; c < channels; ++c) {
    const auto sum = static_cast<int32_t>(BiasSum(query, c));
    std::memcpy(bias.weights.data.get() + c * sizeof(sum), &sum, sizeof(sum));
    if (c == 0 || !one_scale) {
      bias.type.quantization.scales.push_back(static_cast<float>(SumScale(query, c)));
      bias.type.quantization.zero_points.push_back(0);
    }
  }
  return bias;
}

Weights LayOutInput(const Graph& graph, const Node& node, size_t k) {
  const Value& constant = graph.values[Index(node.inputs[k])];
  switch (node.op) {
    case Op::kConv2d:
      return k == 1 ? LayOutConvWeights(constant, IsDepthwise(graph, node)) : LayOutVector(constant);
    case Op::kConvTranspose2d:
      return k == 1 ? LayOutTransposedWeights(constant, node.attributes.Int("groups", 1)) : LayOutVector(constant);
    case Op::kGemm:
    case Op::kMatmul:
      return k == 1 ? LayOutProductWeights(graph, node) : LayOutVector(constant);
    default:
      return LayOutOperand(constant, graph.values[Index(node.output)].type);
  }
}

StaticOperand MakeStaticOperand(const Graph& graph, const Node& node, size_t k) {
  if (k == 2 && IsQuantized({graph, node})) return LayOutSums({graph, node});
  StaticOperand operand{graph.values[Index(node.inputs[k])].type, LayOutInput(graph, node, k)};
  const bool last = node.op == Op::kConv2d && IsDepthwise(graph, node);
  operand.type.quantization.axis = last ? 3 : 0;  // of output channels, where there are several scales
  return operand;
}

xnn_datatype DatatypeOf(const TensorType& type) {
  const bool channels = type.quantization.scales.size() > 1;
  switch (type.dtype) {
    case DataType::kI8:
      return channels ? xnn_datatype_qcint8 : xnn_datatype_qint8;
    case DataType::kU8:
      return xnn_datatype_quint8;
    case DataType::kI32:
      return channels ? xnn_datatype_qcint32 : xnn_datatype_qint32;
    default:
      return xnn_datatype_fp32;
  }
}

}  // namespace

void CheckXnnpack(xnn_status status, const char* asked) {
  if (status == xnn_status_success) return;
  const StatusCode code = status == xnn_status_out_of_memory ? StatusCode::kOutOfMemory
                          : status == xnn_status_unsupported_parameter || status == xnn_status_unsupported_hardware
                              ? StatusCode::kUnsupported
                              : StatusCode::kInvalidArgument;
  constexpr const char* kNames[] = {"success",       "uninitialized",         "invalid parameter",
                                    "invalid state", "unsupported parameter", "unsupported hardware",
                                    "out of memory"};
  const auto i = static_cast<size_t>(status);
  throw Error(code, std::string("XNNPACK cannot ") + asked + ": " +
                        (i < std::size(kNames) ? kNames[i] : "status " + std::to_string(i)));
}

uint32_t DefineValue(xnn_subgraph_t subgraph, const TensorType& type, const std::vector<size_t>& sizes,
                     const void* data, uint32_t external, uint32_t flags) {
  const xnn_datatype datatype = DatatypeOf(type);
  const auto& [scales, zero_points, axis] = type.quantization;
  uint32_t id = XNN_INVALID_VALUE_ID;
  xnn_status status = xnn_status_success;
  if (scales.empty()) {
    status = xnn_define_tensor_value(subgraph, datatype, sizes.size(), sizes.data(), data, external, flags, &id);
  } else if (scales.size() == 1) {
    status = xnn_define_quantized_tensor_value(subgraph, datatype, zero_points[0], scales[0], sizes.size(),
                                               sizes.data(), data, external, flags, &id);
  } else {
    status = xnn_define_channelwise_quantized_tensor_value(subgraph, datatype, scales.data(), sizes.size(), Index(axis),
                                                           sizes.data(), data, external, flags, &id);
  }
  CheckXnnpack(status, "define a value");
  return id;
}

LoweredGraph::LoweredGraph(Graph graph) : graph_(std::move(graph)) {
  nodes_ = FuseActivations(graph_, CanFuse);
  for (const FusedNode& fused : nodes_) {
    const Node& node = graph_.nodes[Index(fused.node)];
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (node.inputs[k] == kNoValue || !graph_.values[Index(node.inputs[k])].is_constant()) continue;
      constants_.emplace(std::pair(fused.node, k), MakeStaticOperand(graph_, node, k));
    }
  }
  for (ValueId output : graph_.outputs) {
    const bool read =
        std::ranges::any_of(graph_.nodes, [&](const Node& n) { return std::ranges::count(n.inputs, output); });
    read_output_bytes_.push_back(read ? static_cast<size_t>(NumBytes(graph_.values[Index(output)].type)) : 0);
  }
  const auto no_bytes = std::make_shared<const std::vector<std::byte>>();
  for (Value& value : graph_.values) {
    if (value.is_constant()) value.data = no_bytes;
  }
}

// Defines the values and nodes of one subgraph.
class SubgraphDefiner {
 public:
  explicit SubgraphDefiner(const LoweredGraph& lowered)
      : lowered_(lowered), graph_(lowered.graph_), ids_(graph_.values.size(), XNN_INVALID_VALUE_ID) {}

  Subgraph Run() {
    xnn_subgraph_t subgraph = nullptr;
    const auto external = static_cast<uint32_t>(graph_.inputs.size() + graph_.outputs.size());
    CheckXnnpack(xnn_create_subgraph(external, 0, &subgraph), "create a subgraph");
    subgraph_.reset(subgraph);
    uint32_t id = 0;
    for (ValueId input : graph_.inputs) DefineValue(input, id++, XNN_VALUE_FLAG_EXTERNAL_INPUT);
    for (ValueId output : graph_.outputs) DefineValue(output, id++, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
    for (const FusedNode& fused : lowered_.nodes_) Add(fused);
    return std::move(subgraph_);
  }

 private:
  uint32_t DefineValue(ValueId value, uint32_t external, uint32_t flags) {
    const TensorType& type = graph_.values[Index(value)].type;
    ids_[Index(value)] = dimorder::DefineValue(subgraph_.get(), type, MemorySizes(type.sizes, CanonicalOrder(type)),
                                               nullptr, external, flags);
    return ids_[Index(value)];
  }

  uint32_t InputId(const FusedNode& fused, size_t k) {
    const ValueId value = graph_.nodes[Index(fused.node)].inputs[k];
    if (value == kNoValue) return XNN_INVALID_VALUE_ID;
    const auto constant = lowered_.constants_.find({fused.node, k});
    if (constant == lowered_.constants_.end()) return ids_[Index(value)];
    const auto& [type, weights] = constant->second;
    return dimorder::DefineValue(subgraph_.get(), type, weights.sizes, weights.data.get());
  }

  void Add(const FusedNode& fused) {
    const Node& node = graph_.nodes[Index(fused.node)];
    constexpr uint32_t kNone = XNN_INVALID_VALUE_ID;
    const ActivationRange range = RoundedRange(fused.range, graph_.values[Index(fused.output)].type);
    DefineNode define{subgraph_.get(), graph_, node, range, {kNone, kNone, kNone}, ids_[Index(fused.output)]};
    for (size_t k = 0; k < node.inputs.size(); ++k) define.inputs[k] = InputId(fused, k);
    if (define.output == kNone) define.output = DefineValue(fused.output, kNone, 0);
    In("node '" + node.name + "' (" + OpName(node.op) + ")", [&] { dimorder::Define(define); });
  }

  const LoweredGraph& lowered_;
  const Graph& graph_;
  Subgraph subgraph_;
  std::vector<uint32_t> ids_;  // of each value
};

Subgraph LoweredGraph::Define() const { return SubgraphDefiner(*this).Run(); }

}  // namespace dimorder
