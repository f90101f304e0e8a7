// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_GRAPH_H_
#define DIMORDER_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dimorder/tensor_type.h"

// A graph of tensor operations whose tensors carry a dim_order. Ops are defined on logical axes (activations are NCHW,
// weights OIHW, as in PyTorch and ONNX) and give the same values whatever the orders of their inputs and outputs are:
// orders only say where the bytes are.
//
//   dimorder::GraphBuilder b("example");
//   auto x = b.Input("x", {DataType::kF32, {1, 3, 224, 224}, dimorder::kNHWC});
//   auto y = b.Add(Op::kPermuteCopy, {x}, Attributes().SetInts("dims", {0, 2, 3, 1}), "to_last");
//   b.Output(b.Add(Op::kRelu, {y}));
//   dimorder::GraphResult<dimorder::Graph> graph = b.Finish();   // verified; the error names node and value
namespace dimorder {
inline namespace v1 {

enum class Op : int32_t {
#define DIMORDER_OP(op, name) op,
#include "dimorder/ops.inc"
#undef DIMORDER_OP
};

// "conv2d", "permute_copy", ...
DIMORDER_EXPORT const char* OpName(Op op) noexcept;
DIMORDER_EXPORT std::optional<Op> ParseOp(std::string_view name) noexcept;
// "conv2d(x, weight, bias?; stride?: ints, padding?: ints, ...)": the inputs and attributes that an op takes.
DIMORDER_EXPORT std::string OpSchema(Op op);

using Attribute = std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>>;

// Named attributes of a node, in the order of their names. A getter returns its default when there is none of that
// name; Verify has then made sure that the one that is there has the right type.
class Attributes {
 public:
  DIMORDER_EXPORT Attributes& Set(std::string_view name, Attribute value);
  Attributes& SetInt(std::string_view name, int64_t value) { return Set(name, value); }
  Attributes& SetFloat(std::string_view name, double value) { return Set(name, value); }
  Attributes& SetString(std::string_view name, std::string value) { return Set(name, std::move(value)); }
  Attributes& SetInts(std::string_view name, std::vector<int64_t> value) { return Set(name, std::move(value)); }
  Attributes& SetFloats(std::string_view name, std::vector<double> value) { return Set(name, std::move(value)); }

  DIMORDER_EXPORT const Attribute* Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  template <class T>
  T Get(std::string_view name, T otherwise = T()) const {
    const Attribute* attribute = Find(name);
    const T* value = attribute ? std::get_if<T>(attribute) : nullptr;
    return value ? *value : otherwise;
  }
  int64_t Int(std::string_view name, int64_t otherwise = 0) const { return Get<int64_t>(name, otherwise); }
  double Float(std::string_view name, double otherwise = 0) const { return Get<double>(name, otherwise); }
  std::string String(std::string_view name, std::string otherwise = {}) const {
    return Get<std::string>(name, std::move(otherwise));
  }
  std::vector<int64_t> Ints(std::string_view name, std::vector<int64_t> otherwise = {}) const {
    return Get<std::vector<int64_t>>(name, std::move(otherwise));
  }
  std::vector<double> Floats(std::string_view name, std::vector<double> otherwise = {}) const {
    return Get<std::vector<double>>(name, std::move(otherwise));
  }

  const std::vector<std::pair<std::string, Attribute>>& all() const { return all_; }

 private:
  std::vector<std::pair<std::string, Attribute>> all_;
};

using ValueId = int32_t;  // index into Graph::values
using NodeId = int32_t;   // index into Graph::nodes
inline constexpr ValueId kNoValue = -1;

// The bytes of a constant, laid out as its type says. Shared: copies of a graph have them in common.
using ConstantData = std::shared_ptr<const std::vector<std::byte>>;

struct Value {
  std::string name;
  TensorType type;
  ConstantData data;  // of a constant; null otherwise

  bool is_constant() const { return data != nullptr; }
};

struct Node {
  std::string name;
  Op op = Op::kRelu;
  Attributes attributes;
  std::vector<ValueId> inputs;  // kNoValue stands for an optional one that is left out
  ValueId output = kNoValue;
};

// A passive record; Verify says whether it is a graph. Nodes stand in an order in which they can run.
struct Graph {
  std::string name;
  std::vector<Value> values;
  std::vector<Node> nodes;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
};

// Checks all of it: types, names that are unique, constants of the right size, each value produced once and before it
// is used, inputs and attributes as the op's schema has them, output types as the op makes them. The error names node
// and value.
DIMORDER_EXPORT GraphStatus Verify(const Graph& graph) noexcept;

// The type that the node's op makes of its inputs, in the order of the logical axes, or, for the copy ops that say one,
// in theirs; whatever node.output is.
DIMORDER_EXPORT GraphResult<TensorType> InferOutput(const Graph& graph, const Node& node) noexcept;

// One line per value that nobody produces and one per node.
DIMORDER_EXPORT std::string ToText(const Graph& graph);
// For Graphviz: dim orders on the edges, nodes that only move bytes in colour.
DIMORDER_EXPORT std::string ToDot(const Graph& graph);

// Whether the op only moves elements, and never computes with them.
DIMORDER_EXPORT bool IsCopyOp(Op op) noexcept;

// Makes a graph from its inputs to its outputs. The first error is kept, later calls do nothing, Finish returns it.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name) { graph_.name = std::move(name); }

  DIMORDER_EXPORT ValueId Input(std::string_view name, const TensorType& type) noexcept;
  // `data` is copied; it holds NumBytes(type) bytes, and may be null where these are none.
  DIMORDER_EXPORT ValueId Constant(std::string_view name, const TensorType& type, const void* data) noexcept;
  // The output's type is inferred; with `order` it lies in that order. Names are made up where they are empty.
  DIMORDER_EXPORT ValueId Add(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes = {},
                              std::string_view name = {}, const DimOrder* order = nullptr) noexcept;
  // Makes `value` a graph output: its caller finds it under its name and in its order.
  DIMORDER_EXPORT void Output(ValueId value) noexcept;
  // Its type so far; nullptr after an error.
  const TensorType* type(ValueId value) const {
    return status_.ok() && value >= 0 && value < static_cast<ValueId>(graph_.values.size())
               ? &graph_.values[static_cast<size_t>(value)].type
               : nullptr;
  }

  const GraphStatus& status() const { return status_; }
  DIMORDER_EXPORT GraphResult<Graph> Finish() noexcept;

 private:
  ValueId AddValue(std::string_view name, const TensorType& type, ConstantData data);

  Graph graph_;
  GraphStatus status_;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_GRAPH_H_
