// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>

#include "dimorder/graph.h"
#include "runtime/error.h"

namespace dimorder {
inline namespace v1 {
namespace {

const Value& At(const Graph& graph, ValueId id) { return graph.values[static_cast<size_t>(id)]; }

template <class T>
std::string ListText(const std::vector<T>& list) {
  std::string text = "[";
  for (size_t i = 0; i < list.size(); ++i) text += (i ? ", " : "") + std::to_string(list[i]);
  return text + "]";
}

struct AttributeText {
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return "\"" + value + "\""; }
  template <class T>
  std::string operator()(const std::vector<T>& value) const {
    return ListText(value);
  }
};

std::string ValueLine(const char* what, const Value& value) {
  return std::string(what) + " %" + value.name + ": " + ToString(value.type) + "\n";
}

std::string NodeLine(const Graph& graph, const Node& node) {
  const Value& output = At(graph, node.output);
  std::string text = "  %" + output.name + ": " + ToString(output.type) + " = " + OpName(node.op) + "(";
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    text += i ? ", " : "";
    text += node.inputs[i] == kNoValue ? "none" : "%" + At(graph, node.inputs[i]).name;
  }
  text += ")";
  for (const auto& [name, value] : node.attributes.all()) text += " " + name + "=" + std::visit(AttributeText(), value);
  return text + "\n";
}

// Names may hold anything; in a quoted string of the dot language only these two need care.
std::string DotString(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "\"";
}

std::string DotTerminal(const Value& value, const std::string& prefix) {
  return "  " + DotString(prefix + value.name) +
         " [shape=ellipse, label=" + DotString(value.name + " " + ToString(value.type)) + "];\n";
}

}  // namespace

std::string ToText(const Graph& graph) {
  std::string text = "graph " + graph.name + " {\n";
  for (ValueId id : graph.inputs) text += ValueLine("  input", At(graph, id));
  for (const Value& value : graph.values) {
    if (value.is_constant()) text += ValueLine("  constant", value);
  }
  for (const Node& node : graph.nodes) text += NodeLine(graph, node);
  for (ValueId id : graph.outputs) text += ValueLine("  output", At(graph, id));
  return text + "}\n";
}

std::string ToDot(const Graph& graph) {
  std::string text = "digraph " + DotString(graph.name) + " {\n  node [shape=box];\n";
  std::vector<std::string> source(graph.values.size());  // the vertex that makes each value
  for (ValueId id : graph.inputs) {
    text += DotTerminal(At(graph, id), "in ");
    source[static_cast<size_t>(id)] = "in " + At(graph, id).name;
  }
  const auto edge = [&](ValueId id, const std::string& to) {
    if (id == kNoValue || source[static_cast<size_t>(id)].empty()) return;  // constants would only clutter
    text += "  " + DotString(source[static_cast<size_t>(id)]) + " -> " + DotString(to) +
            " [label=" + DotString(DimOrderToString(At(graph, id).type.dim_order)) + "];\n";
  };
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    const std::string vertex = "node " + std::to_string(i);
    text += "  " + DotString(vertex) + " [label=" + DotString(node.name + " " + OpName(node.op)) +
            (IsCopyOp(node.op) ? ", style=filled, fillcolor=orange" : "") + "];\n";
    for (ValueId id : node.inputs) edge(id, vertex);
    source[static_cast<size_t>(node.output)] = vertex;
  }
  for (ValueId id : graph.outputs) {
    text += DotTerminal(At(graph, id), "out ");
    edge(id, "out " + At(graph, id).name);
  }
  return text + "}\n";
}

}  // namespace v1
}  // namespace dimorder
