// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/annotate_quantization.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/graph/quantization.h"
#include "runtime/passes/links.h"

namespace dimorder {
namespace {

size_t Index(int32_t id) { return static_cast<size_t>(id); }

std::vector<NodeId> NodesAround(const Links& links, size_t v) {
  std::vector<NodeId> around = links.readers[v];
  if (links.maker[v] >= 0) around.push_back(links.maker[v]);
  return around;
}

// What all nodes around the value say that its integers stand for.
std::optional<Quantization> AgreedQuantization(const Graph& graph, const Links& links, size_t v) {
  const TensorType& type = graph.values[v].type;
  if (!IsQuantizedType(type.dtype)) return std::nullopt;
  std::optional<Quantization> agreed;
  for (NodeId n : NodesAround(links, v)) {
    const Node& node = graph.nodes[Index(n)];
    if (node.op != Op::kQuantize && node.op != Op::kDequantize) return std::nullopt;
    Quantization said = QuantizedType(node.attributes, TensorType(type.dtype, type.sizes)).quantization;
    if (agreed && *agreed != said) return std::nullopt;
    agreed = std::move(said);
  }
  return agreed;
}

void MakeSigned(Graph& graph, const Links& links, size_t v) {
  Value& value = graph.values[v];
  value.type.dtype = DataType::kI8;
  for (int32_t& zero_point : value.type.quantization.zero_points) zero_point -= 128;
  const auto& zero_points = value.type.quantization.zero_points;
  for (NodeId n : NodesAround(links, v)) {
    Node& node = graph.nodes[Index(n)];
    node.attributes.SetInts("zero_point", {zero_points.begin(), zero_points.end()});
    if (node.op == Op::kQuantize) node.attributes.SetInt("dtype", static_cast<int64_t>(DataType::kI8));
  }
  if (!value.is_constant()) return;
  auto bytes = std::make_shared<std::vector<std::byte>>(*value.data);
  for (std::byte& byte : *bytes) byte ^= std::byte{0x80};  // 128 less
  value.data = std::move(bytes);
}

}  // namespace

void AnnotateQuantization(Graph& graph) {
  const Links links(graph);
  std::vector<size_t> unsigned_values;
  bool has_signed_constants = false;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    Value& value = graph.values[v];
    if (value.type.quantized()) continue;
    auto agreed = AgreedQuantization(graph, links, v);
    if (!agreed) continue;
    value.type.quantization = std::move(*agreed);
    has_signed_constants = has_signed_constants || (value.is_constant() && value.type.dtype == DataType::kI8);
    if (value.type.dtype == DataType::kU8) unsigned_values.push_back(v);
  }
  if (!has_signed_constants) return;
  for (size_t v : unsigned_values) {
    const auto id = static_cast<ValueId>(v);
    if (std::ranges::count(graph.inputs, id) + std::ranges::count(graph.outputs, id) == 0) MakeSigned(graph, links, v);
  }
}

}  // namespace dimorder
