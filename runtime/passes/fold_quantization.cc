// SPDX-License-Identifier: Apache-2.0
//
// Exporters write a quantized model as one of floats that are quantized and dequantized again:
//
//   conv2d(dequantize(x), dequantize(w)) -> relu -> quantize     becomes     conv2d(x, w) -> relu
//
// on integers. Both sides mean the same: an op on quantized tensors computes with the numbers that their integers stand
// for and quantizes the result. Quantizing may go before relu and clip, since all three are monotonic and the ends of
// the range are quantized, too: not one result changes by that. A copy moves the integers themselves where those on
// both of its sides are of one data type and stand for the same numbers. Where nobody would run an op on integers, the
// floats are left as they are: the delegate that refuses it quantized may well take it in between.
#include "runtime/passes/fold_quantization.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/graph/names.h"
#include "runtime/passes/annotate_quantization.h"
#include "runtime/passes/cancel_copies.h"
#include "runtime/passes/links.h"

namespace dimorder {
namespace {

size_t Index(int32_t id) { return static_cast<size_t>(id); }

bool Quantizes(const Node& node) { return node.op == Op::kQuantize || node.op == Op::kDequantize; }

class Folder {
 public:
  Folder(Graph& graph, std::span<const Delegate* const> delegates)
      : graph_(graph), delegates_(delegates), links_(graph), names_(graph), fate_(graph.nodes.size(), Fate::kKept) {}

  FoldedQuantization Run() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (fate_[n] == Fate::kKept && !Quantizes(graph_.nodes[n])) Fold(n);
    }
    DropGone();
    return std::move(folded_);
  }

 private:
  // A node and what is behind it: activations one after the other, and the quantize node that reads the last one.
  using Chain = std::vector<NodeId>;
  enum class Fate : uint8_t { kKept, kFolded, kGone };

  const TensorType& Type(ValueId id) const { return graph_.values[Index(id)].type; }
  bool IsOutput(ValueId id) const { return std::ranges::count(graph_.outputs, id) > 0; }

  std::optional<Chain> FindChain(size_t n) const {
    Chain chain = {static_cast<NodeId>(n)};
    while (true) {
      const ValueId made = graph_.nodes[Index(chain.back())].output;
      if (links_.readers[Index(made)].size() != 1 || IsOutput(made)) return std::nullopt;
      chain.push_back(links_.readers[Index(made)][0]);
      const Node& reader = graph_.nodes[Index(chain.back())];
      if (reader.op == Op::kQuantize && Type(reader.output).quantized()) return chain;
      if (reader.op != Op::kRelu && reader.op != Op::kClip) return std::nullopt;
    }
  }

  // The inputs before they are dequantized; constants may be floats. None if an input is a float otherwise, or all are.
  std::optional<std::vector<ValueId>> IntegerInputs(const Node& node) const {
    std::vector<ValueId> inputs = node.inputs;
    bool any = false;
    for (ValueId& id : inputs) {
      if (id == kNoValue) continue;
      const NodeId maker = links_.maker[Index(id)];
      const Node* dequantize = maker < 0 ? nullptr : &graph_.nodes[Index(maker)];
      if (dequantize && dequantize->op == Op::kDequantize && Type(dequantize->inputs[0]).quantized()) {
        id = dequantize->inputs[0];
        any = true;
      } else if (!graph_.values[Index(id)].is_constant()) {
        return std::nullopt;
      }
    }
    return any ? std::optional(std::move(inputs)) : std::nullopt;
  }

  // The nodes of a chain, but for the last, as they are on integers. All of them make the integers of its end.
  std::vector<Node> OnIntegers(const Chain& chain, std::vector<ValueId> inputs) {
    const ValueId end = graph_.nodes[Index(chain.back())].output;
    std::vector<Node> nodes;
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      Node node = graph_.nodes[Index(chain[i])];
      node.inputs = std::move(inputs);
      if (i + 2 == chain.size()) {
        node.output = end;
      } else {
        Value between = graph_.values[Index(node.output)];
        between.name = names_.Unique(between.name + ":quantized");
        between.type.dtype = Type(end).dtype;
        between.type.quantization = Type(end).quantization;
        node.output = static_cast<ValueId>(graph_.values.size());
        graph_.values.push_back(std::move(between));
      }
      inputs = {node.output};
      nodes.push_back(std::move(node));
    }
    return nodes;
  }

  // Why the node cannot be one on integers; empty if it can.
  std::string Refusal(const Node& node) const {
    const auto made = InferOutput(graph_, node);
    if (!made.ok()) return made.status().message();
    if (IsCopyOp(node.op)) {
      const TensorType& wanted = Type(node.output);
      const bool same = made->dtype == wanted.dtype && made->quantization == wanted.quantization;
      return same ? "" : "the integers would change";
    }
    std::string refusal;
    for (const Delegate* delegate : delegates_) {
      const Support support = delegate->Query(graph_, node);
      if (support.supported) return {};
      refusal += (refusal.empty() ? "" : "; ") + std::string(delegate->name()) + ": " + support.reason;
    }
    return refusal.empty() ? "nobody is asked" : refusal;
  }

  void Fold(size_t n) {
    auto inputs = IntegerInputs(graph_.nodes[n]);
    const auto chain = inputs ? FindChain(n) : std::nullopt;
    if (!chain) return;
    const size_t values = graph_.values.size();
    std::vector<Node> nodes = OnIntegers(*chain, std::move(*inputs));
    for (const Node& node : nodes) {
      const std::string refusal = Refusal(node);
      if (refusal.empty()) continue;
      if (!delegates_.empty()) folded_.refused.push_back(node.name + ": " + refusal);
      graph_.values.resize(values);
      return;
    }
    folded_.nodes += static_cast<int>(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      graph_.nodes[Index((*chain)[i])] = std::move(nodes[i]);
      fate_[Index((*chain)[i])] = Fate::kFolded;
    }
    fate_[Index(chain->back())] = Fate::kGone;
  }

  void DropGone() {
    std::vector<Node> kept;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (fate_[n] != Fate::kGone) kept.push_back(std::move(graph_.nodes[n]));
    }
    graph_.nodes = std::move(kept);
    DropUnreadNodes(graph_);
  }

  Graph& graph_;
  std::span<const Delegate* const> delegates_;
  Links links_;  // of the graph as it was
  Names names_;
  std::vector<Fate> fate_;  // of each node
  FoldedQuantization folded_;
};

}  // namespace

FoldedQuantization FoldQuantization(Graph& graph, std::span<const Delegate* const> delegates) {
  AnnotateQuantization(graph);
  return Folder(graph, delegates).Run();
}

}  // namespace dimorder
