// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dimorder/graph.h"
#include "runtime/error.h"
#include "runtime/graph/op_table.h"
#include "runtime/graph/quantization.h"

namespace dimorder {
namespace {

std::string Quoted(const std::string& name) { return "'" + name + "'"; }

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), known_(graph.values.size(), false) {}

  void Run() {
    CheckValues();
    for (ValueId id : graph_.inputs) {
      CheckId(id, "a graph input");
      if (graph_.values[Index(id)].is_constant()) Fail("graph input " + Quoted(Name(id)) + " is a constant");
      MakeKnown(id, "as a graph input");
    }
    for (const Node& node : graph_.nodes) {
      In("node " + Quoted(node.name) + " (" + OpName(node.op) + ")", [&] { CheckNode(node); });
    }
    std::set<ValueId> outputs;
    for (ValueId id : graph_.outputs) {
      CheckId(id, "a graph output");
      if (!outputs.insert(id).second) Fail("value " + Quoted(Name(id)) + " is a graph output twice");
      if (!known_[Index(id)]) Fail("graph output " + Quoted(Name(id)) + " is never produced");
    }
  }

 private:
  static size_t Index(ValueId id) { return static_cast<size_t>(id); }
  const std::string& Name(ValueId id) const { return graph_.values[Index(id)].name; }

  void CheckId(ValueId id, const char* what) const {
    if (id < 0 || Index(id) >= graph_.values.size()) Fail(std::string(what) + " is no value of the graph");
  }

  void MakeKnown(ValueId id, const char* how) {
    if (known_[Index(id)]) Fail("value " + Quoted(Name(id)) + " is produced a second time, " + how);
    known_[Index(id)] = true;
  }

  void CheckValues() {
    std::set<std::string_view> names;
    for (size_t i = 0; i < graph_.values.size(); ++i) {
      const Value& value = graph_.values[i];
      if (!names.insert(value.name).second) Fail("two values are named " + Quoted(value.name));
      In("value " + Quoted(value.name), [&] {
        Check(CheckTensorType(value.type));
        if (!value.is_constant()) return;
        known_[i] = true;
        if (static_cast<int64_t>(value.data->size()) != NumBytes(value.type)) {
          Fail("a constant of " + std::to_string(value.data->size()) + " bytes is declared " + ToString(value.type));
        }
      });
    }
  }

  void CheckNode(const Node& node) {
    for (ValueId id : node.inputs) {
      if (id == kNoValue) continue;
      CheckId(id, "an input");
      if (!known_[Index(id)]) Fail("uses value " + Quoted(Name(id)) + " before it is produced");
    }
    CheckId(node.output, "the output");
    const TensorType& declared = graph_.values[Index(node.output)].type;
    const TensorType made = Quantized(node, InferType(graph_, node), declared);
    if (made.dtype != declared.dtype || made.sizes != declared.sizes || made.quantization != declared.quantization) {
      Fail("makes " + ToString(made) + ", but value " + Quoted(Name(node.output)) + " is declared " +
           ToString(declared));
    }
    if (SaysOrder(node) && !SameLayout(made, declared)) {
      Fail("makes dim order " + DimOrderToString(made.dim_order) + ", but value " + Quoted(Name(node.output)) +
           " is declared in " + DimOrderToString(declared.dim_order));
    }
    MakeKnown(node.output, "by this node");
  }

  // What the node makes where its output is declared as quantized: an op that computes quantizes its numbers for it,
  // and quantize itself says what its integers stand for.
  static TensorType Quantized(const Node& node, TensorType made, const TensorType& declared) {
    if (!declared.quantized()) return made;
    if (node.op == Op::kQuantize) return QuantizedType(node.attributes, std::move(made));
    if (!ComputesWithNumbers(node.op) || made.dtype != DataType::kF32) return made;
    made.dtype = declared.dtype;
    made.quantization = declared.quantization;
    return made;
  }

  // Whether the node's own attributes fix the order of its output; any other op makes whatever order is declared.
  static bool SaysOrder(const Node& node) {
    return node.attributes.Has("dim_order") || (node.op == Op::kToCopy && node.attributes.Has("memory_format"));
  }

  const Graph& graph_;
  std::vector<bool> known_;  // a constant, an input, or produced by a node so far
};

}  // namespace

inline namespace v1 {

GraphStatus Verify(const Graph& graph) noexcept {
  return Guarded([&]() -> GraphStatus {
    In("graph " + Quoted(graph.name), [&] { Verifier(graph).Run(); });
    return {};
  });
}

}  // namespace v1
}  // namespace dimorder
