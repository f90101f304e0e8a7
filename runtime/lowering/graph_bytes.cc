// SPDX-License-Identifier: Apache-2.0
#include "runtime/lowering/graph_bytes.h"

#include <memory>
#include <string>

namespace dimorder {
namespace {

void WriteAttributes(ByteWriter& to, const Attributes& attributes) {
  to.Number<uint64_t>(attributes.all().size());
  for (const auto& [name, attribute] : attributes.all()) {
    to.Text(name);
    to.Number(static_cast<uint8_t>(attribute.index()));
    if (const auto* i = std::get_if<int64_t>(&attribute)) to.Number(*i);
    if (const auto* f = std::get_if<double>(&attribute)) to.Number(*f);
    if (const auto* s = std::get_if<std::string>(&attribute)) to.Text(*s);
    if (const auto* is = std::get_if<std::vector<int64_t>>(&attribute)) to.Numbers(*is);
    if (const auto* fs = std::get_if<std::vector<double>>(&attribute)) to.Numbers(*fs);
  }
}

Attribute ReadAttribute(ByteReader& from) {
  static_assert(std::variant_size_v<Attribute> == 5);
  switch (const auto kind = from.Number<uint8_t>()) {
    case 0:
      return from.Number<int64_t>();
    case 1:
      return from.Number<double>();
    case 2:
      return from.Text();
    case 3:
      return from.Numbers<int64_t>();
    case 4:
      return from.Numbers<double>();
    default:
      Fail("attribute kind " + std::to_string(kind) + " is none");
  }
}

void WriteValue(ByteWriter& to, const Value& value) {
  to.Text(value.name);
  to.Type(value.type);
  to.Number(static_cast<uint8_t>(value.is_constant()));
  if (value.is_constant()) to.Bytes(*value.data);
}

Value ReadValue(ByteReader& from) {
  Value value;
  value.name = from.Text();
  value.type = from.Type();
  if (from.Number<uint8_t>() != 0) {
    const auto bytes = from.Bytes();
    value.data = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
  }
  return value;
}

void WriteNode(ByteWriter& to, const Node& node) {
  to.Text(node.name);
  to.Text(OpName(node.op));
  WriteAttributes(to, node.attributes);
  to.Numbers(node.inputs);
  to.Number(node.output);
}

Node ReadNode(ByteReader& from) {
  Node node;
  node.name = from.Text();
  const std::string op = from.Text();
  const auto known = ParseOp(op);
  if (!known) Fail("op '" + op + "' is unknown");
  node.op = *known;
  for (size_t n = from.Count(1); n > 0; --n) {
    const std::string name = from.Text();
    node.attributes.Set(name, ReadAttribute(from));
  }
  node.inputs = from.Numbers<ValueId>();
  node.output = from.Number<ValueId>();
  return node;
}

}  // namespace

void WriteGraph(ByteWriter& to, const Graph& graph) {
  to.Text(graph.name);
  to.Number<uint64_t>(graph.values.size());
  for (const Value& value : graph.values) WriteValue(to, value);
  to.Number<uint64_t>(graph.nodes.size());
  for (const Node& node : graph.nodes) WriteNode(to, node);
  to.Numbers(graph.inputs);
  to.Numbers(graph.outputs);
}

Graph ReadGraph(ByteReader& from) {
  Graph graph;
  graph.name = from.Text();
  for (size_t n = from.Count(1); n > 0; --n) graph.values.push_back(ReadValue(from));
  for (size_t n = from.Count(1); n > 0; --n) graph.nodes.push_back(ReadNode(from));
  graph.inputs = from.Numbers<ValueId>();
  graph.outputs = from.Numbers<ValueId>();
  Check(Verify(graph));
  return graph;
}

}  // namespace dimorder
