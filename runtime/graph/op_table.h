// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_GRAPH_OP_TABLE_H_
#define DIMORDER_RUNTIME_GRAPH_OP_TABLE_H_

#include <span>
#include <string_view>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder {

// The kinds of Attribute, by variant index.
enum class AttributeKind : size_t { kInt = 0, kFloat = 1, kString = 2, kInts = 3, kFloats = 4 };

struct AttributeSchema {
  std::string_view name;
  AttributeKind kind;
  bool required = false;
};

// The types of a node's inputs, nullptr for one that is left out, and its attributes.
struct InferInput {
  std::span<const TensorType* const> inputs;
  const Attributes& attributes;

  const TensorType& operator[](size_t i) const { return *inputs[i]; }
  bool Has(size_t i) const { return i < inputs.size() && inputs[i] != nullptr; }
};
using InferFn = TensorType (*)(const InferInput&);

// An op of any number of inputs repeats its last name.
inline constexpr int kAnyNumber = -1;

struct OpSchemaEntry {
  Op op;
  std::string_view inputs;  // "x, weight, bias"
  int min_inputs;
  int max_inputs;
  bool copy;  // moves elements and does not compute with them
  std::vector<AttributeSchema> attributes;
  InferFn infer;
};

const OpSchemaEntry& GetOpSchema(Op op);
bool IsOp(Op op);

// The type that the op makes; throws Error when inputs or attributes are not as the schema has them.
TensorType InferType(const Graph& graph, const Node& node);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_GRAPH_OP_TABLE_H_
