// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/cancel_copies.h"

#include <algorithm>
#include <utility>

#include "runtime/copy/lower.h"

namespace dimorder {
namespace {

size_t Index(int32_t id) { return static_cast<size_t>(id); }

class Canceller {
 public:
  Canceller(Graph& graph, std::vector<Claim>& claims, const std::vector<ValueId>& handed_over)
      : graph_(graph), claims_(claims), handed_over_(handed_over) {}

  std::vector<std::string> Run() {
    for (bool changed = true; changed;) {
      Count();
      changed = false;
      for (size_t n = 0; n < graph_.nodes.size() && !changed; ++n) {
        if (!IsCopyOp(graph_.nodes[n].op) || claims_[n].delegate != kNobody) continue;
        changed = Drop(n) || SameAsInput(n) || SameAsAnother(n) || PassedOn(n);
      }
    }
    return std::move(cancelled_);
  }

 private:
  void Count() {
    uses_.assign(graph_.values.size(), 0);
    maker_.assign(graph_.values.size(), -1);
    is_output_.assign(graph_.values.size(), false);
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      maker_[Index(graph_.nodes[n].output)] = static_cast<int>(n);
      for (ValueId id : graph_.nodes[n].inputs) {
        if (id != kNoValue) ++uses_[Index(id)];
      }
    }
    for (ValueId id : graph_.outputs) is_output_[Index(id)] = true;
  }

  void Remove(size_t n, const std::string& why) {
    cancelled_.push_back(graph_.nodes[n].name + ": " + why);
    graph_.nodes.erase(graph_.nodes.begin() + static_cast<ptrdiff_t>(n));
    claims_.erase(claims_.begin() + static_cast<ptrdiff_t>(n));
  }

  void ReplaceUses(ValueId of, ValueId by) {
    for (Node& node : graph_.nodes) std::ranges::replace(node.inputs, of, by);
  }

  const TensorType& Type(ValueId id) const { return graph_.values[Index(id)].type; }

  bool Drop(size_t n) {
    const ValueId output = graph_.nodes[n].output;
    if (uses_[Index(output)] != 0 || is_output_[Index(output)]) return false;
    Remove(n, "nobody reads it");
    return true;
  }

  bool SameAsInput(size_t n) {
    const Node& node = graph_.nodes[n];
    if (node.inputs.size() != 1 || is_output_[Index(node.output)]) return false;
    const TensorType& in = Type(node.inputs[0]);
    const TensorType& out = Type(node.output);
    const auto axes = PermutedAxes(node, in.rank());
    if (!axes || !std::ranges::is_sorted(*axes) || in.dtype != out.dtype || !SameLayout(in, out)) return false;
    ReplaceUses(node.output, node.inputs[0]);
    Remove(n, "its input is laid out like that already");
    return true;
  }

  bool SameAsAnother(size_t n) {
    const Node& node = graph_.nodes[n];
    if (is_output_[Index(node.output)] || node.op == Op::kEmptyDimOrder) return false;
    for (size_t m = 0; m < n; ++m) {
      const Node& other = graph_.nodes[m];
      if (other.op != node.op || other.inputs != node.inputs || other.attributes.all() != node.attributes.all() ||
          Type(other.output).dtype != Type(node.output).dtype || !SameLayout(Type(other.output), Type(node.output))) {
        continue;
      }
      ReplaceUses(node.output, other.output);
      Remove(n, "the same as " + other.name);
      return true;
    }
    return false;
  }

  // permute(permute(x)), where x is read by nobody else in the order between.
  bool PassedOn(size_t n) {
    Node& node = graph_.nodes[n];
    if (node.inputs.size() != 1) return false;
    const ValueId between = node.inputs[0];
    const int m = maker_[Index(between)];
    if (m < 0 || claims_[Index(m)].delegate != kNobody || uses_[Index(between)] != 1 || is_output_[Index(between)] ||
        std::ranges::count(handed_over_, between) > 0) {
      return false;
    }
    const Node& first = graph_.nodes[Index(m)];
    if (first.inputs.size() != 1) return false;
    const size_t rank = Type(between).rank();
    const auto inner = PermutedAxes(first, rank);
    const auto outer = PermutedAxes(node, rank);
    if (!inner || !outer || Type(first.inputs[0]).dtype != Type(node.output).dtype) return false;
    std::vector<int64_t> axes;
    for (int64_t axis : *outer) axes.push_back((*inner)[static_cast<size_t>(axis)]);
    const bool is_clone = std::ranges::is_sorted(axes);
    node.op = is_clone ? Op::kCloneDimOrder : Op::kPermuteCopy;
    node.attributes = is_clone ? Attributes() : Attributes().SetInts("dims", axes);
    node.inputs = {first.inputs[0]};
    Remove(Index(m), "merged into " + node.name);
    return true;
  }

  Graph& graph_;
  std::vector<Claim>& claims_;
  const std::vector<ValueId>& handed_over_;
  std::vector<int> uses_;   // per value: inputs of nodes that it is
  std::vector<int> maker_;  // per value: its node
  std::vector<bool> is_output_;
  std::vector<std::string> cancelled_;
};

}  // namespace

void NormalizeCopies(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (node.op != Op::kToDimOrderCopy && node.op != Op::kToCopy && node.op != Op::kCloneDimOrder) continue;
    const DataType from = graph.values[Index(node.inputs[0])].type.dtype;
    const DataType to = graph.values[Index(node.output)].type.dtype;
    node.op = from == to ? Op::kCloneDimOrder : Op::kToDimOrderCopy;
    node.attributes = from == to ? Attributes() : Attributes().SetInt("dtype", static_cast<int64_t>(to));
  }
}

std::vector<std::string> CancelCopies(Graph& graph, std::vector<Claim>& claims,
                                      const std::vector<ValueId>& handed_over) {
  return Canceller(graph, claims, handed_over).Run();
}

void DropUnreadNodes(Graph& graph) {
  std::vector<bool> read(graph.values.size(), false);
  for (ValueId id : graph.outputs) read[Index(id)] = true;
  std::vector<Node> kept;
  for (size_t n = graph.nodes.size(); n-- > 0;) {  // readers first
    Node& node = graph.nodes[n];
    if (!read[Index(node.output)]) continue;
    for (ValueId id : node.inputs) {
      if (id != kNoValue) read[Index(id)] = true;
    }
    kept.push_back(std::move(node));
  }
  std::ranges::reverse(kept);
  graph.nodes = std::move(kept);
}

void DropUnusedValues(Graph& graph) {
  constexpr ValueId kUsed = 0;
  std::vector<ValueId> renumbered(graph.values.size(), kNoValue);
  const auto use = [&](ValueId id) {
    if (id != kNoValue) renumbered[Index(id)] = kUsed;
  };
  for (const Node& node : graph.nodes) {
    std::ranges::for_each(node.inputs, use);
    use(node.output);
  }
  std::ranges::for_each(graph.inputs, use);
  std::ranges::for_each(graph.outputs, use);
  std::vector<Value> values;
  for (size_t v = 0; v < graph.values.size(); ++v) {
    if (renumbered[v] == kNoValue) continue;
    renumbered[v] = static_cast<ValueId>(values.size());
    values.push_back(std::move(graph.values[v]));
  }
  graph.values = std::move(values);
  const auto renumber = [&](ValueId& id) {
    if (id != kNoValue) id = renumbered[Index(id)];
  };
  for (Node& node : graph.nodes) {
    std::ranges::for_each(node.inputs, renumber);
    renumber(node.output);
  }
  std::ranges::for_each(graph.inputs, renumber);
  std::ranges::for_each(graph.outputs, renumber);
}

}  // namespace dimorder
