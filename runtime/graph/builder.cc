// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>
#include <utility>

#include "dimorder/graph.h"
#include "runtime/error.h"
#include "runtime/graph/op_table.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Runs `body` unless an error is kept already; keeps the one that it throws.
template <class Body>
ValueId Step(GraphStatus& status, Body&& body) noexcept {
  if (!status.ok()) return kNoValue;
  ValueId id = kNoValue;
  status = Guarded([&]() -> GraphStatus {
    id = body();
    return {};
  });
  return id;
}

}  // namespace

ValueId GraphBuilder::AddValue(std::string_view name, const TensorType& type, ConstantData data) {
  const auto id = static_cast<ValueId>(graph_.values.size());
  graph_.values.push_back({name.empty() ? "v" + std::to_string(id) : std::string(name), type, std::move(data)});
  return id;
}

ValueId GraphBuilder::Input(std::string_view name, const TensorType& type) noexcept {
  return Step(status_, [&] {
    In("input '" + std::string(name) + "'", [&] { Check(CheckTensorType(type)); });
    graph_.inputs.push_back(AddValue(name, type, nullptr));
    return graph_.inputs.back();
  });
}

ValueId GraphBuilder::Constant(std::string_view name, const TensorType& type, const void* data) noexcept {
  return Step(status_, [&] {
    In("constant '" + std::string(name) + "'", [&] {
      Check(CheckTensorType(type));
      if (!data && NumBytes(type) > 0) Fail("has no data");
    });
    auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<size_t>(NumBytes(type)));
    if (!bytes->empty()) std::memcpy(bytes->data(), data, bytes->size());
    return AddValue(name, type, std::move(bytes));
  });
}

ValueId GraphBuilder::Add(Op op, const std::vector<ValueId>& inputs, const Attributes& attributes,
                          std::string_view name, const DimOrder* order) noexcept {
  return Step(status_, [&] {
    Node node;
    node.name = name.empty() ? OpName(op) + ("_" + std::to_string(graph_.nodes.size())) : std::string(name);
    node.op = op;
    node.attributes = attributes;
    node.inputs = inputs;
    const TensorType type = In("node '" + node.name + "' (" + OpName(op) + ")", [&] {
      TensorType made = InferType(graph_, node);
      if (order) made.dim_order = *order;
      Check(CheckTensorType(made));
      return made;
    });
    node.output = AddValue(node.name, type, nullptr);
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back().output;
  });
}

void GraphBuilder::Output(ValueId value) noexcept {
  Step(status_, [&] {
    graph_.outputs.push_back(value);
    return value;
  });
}

GraphResult<Graph> GraphBuilder::Finish() noexcept {
  if (status_.ok()) status_ = Verify(graph_);
  if (!status_.ok()) return status_;
  return std::move(graph_);
}

}  // namespace v1
}  // namespace dimorder
