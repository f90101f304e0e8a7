// SPDX-License-Identifier: Apache-2.0
#include "runtime/run/report.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/error.h"

namespace dimorder {
namespace {

std::string MakerOf(const Graph& graph, ValueId id) {
  const auto node = std::ranges::find(graph.nodes, id, &Node::output);
  if (node != graph.nodes.end()) return node->name;
  return std::ranges::count(graph.inputs, id) != 0 ? "input" : "constant";
}

std::string ReadersOf(const Graph& graph, ValueId id) {
  std::string readers;
  const auto add = [&](const std::string& reader) { readers += (readers.empty() ? "" : ", ") + reader; };
  for (const Node& node : graph.nodes) {
    if (std::ranges::count(node.inputs, id)) add(node.name);
  }
  if (std::ranges::count(graph.outputs, id)) add("output");
  return readers;
}

std::string Quoted(const std::string& name) { return "'" + name + "'"; }

std::string ReasonOf(const Graph& graph, const Node& node, const CopyReport& copy) {
  if (node.op != Op::kCloneDimOrder) return std::string(OpName(node.op)) + " is part of the graph";
  const bool from_caller = copy.from == "input";
  const DimOrder& made = graph.values[static_cast<size_t>(node.inputs[0])].type.dim_order;
  const bool constant = copy.from == "constant";
  return (from_caller ? "the caller gives "
          : constant  ? "the constant is "
                      : Quoted(copy.from) + " makes ") +
         DimOrderToString(made) + ", " + (copy.to == "output" ? "the caller wants " : Quoted(copy.to) + " takes ") +
         DimOrderToString(copy.order);
}

}  // namespace

void ReportCopies(const ProgramData& program, CompileReport& report) {
  const Graph& graph = program.graph;
  report.arena_bytes = program.memory.arena_bytes;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const Node& node = graph.nodes[static_cast<size_t>(program.steps[i].first_node)];
    const Kernel* kernel = program.runnables[i].kernel.get();
    if (!kernel || !IsCopyOp(node.op) || node.inputs.empty() || kernel->BytesMoved() == 0) continue;
    const Value& value = graph.values[static_cast<size_t>(node.inputs[0])];
    CopyReport copy;
    copy.node = node.name;
    copy.value = value.name;
    copy.type = value.type;
    copy.order = graph.values[static_cast<size_t>(node.output)].type.dim_order;
    copy.from = MakerOf(graph, node.inputs[0]);
    copy.to = ReadersOf(graph, node.output);
    copy.bytes = kernel->BytesMoved();
    copy.estimated_ns = kernel->EstimatedCost();
    copy.reason = ReasonOf(graph, node, copy);
    report.copied_bytes += copy.bytes;
    const bool at_boundary = node.op == Op::kCloneDimOrder && (copy.from == "input" || copy.to == "output");
    if (at_boundary) report.boundary_bytes += copy.bytes;
    report.copies.push_back(std::move(copy));
  }
}

void CheckBudget(const CompileOptions& options, const CompileReport& report) {
  const auto copies = static_cast<int64_t>(report.copies.size());
  const bool many = options.max_copies >= 0 && copies > options.max_copies;
  const bool large = options.max_copied_bytes >= 0 && report.copied_bytes > options.max_copied_bytes;
  if (!many && !large) return;
  std::string text =
      std::to_string(copies) + " copies of " + std::to_string(report.copied_bytes) +
      " bytes are left, more than the budget of " +
      (many ? std::to_string(options.max_copies) + " copies" : std::to_string(options.max_copied_bytes) + " bytes");
  for (const CopyReport& copy : report.copies) text += "; " + copy.node + ": " + copy.reason;
  Fail(std::move(text));
}

}  // namespace dimorder
