// SPDX-License-Identifier: Apache-2.0
#ifndef TESTS_RUNTIME_RUN_GRAPH_H_
#define TESTS_RUNTIME_RUN_GRAPH_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "dimorder/program.h"

namespace dimorder {

// A tensor with bytes of its own.
struct TestTensor {
  TensorType type;
  std::vector<std::byte> bytes;

  TestTensor() = default;
  explicit TestTensor(const TensorType& t) : type(t), bytes(static_cast<size_t>(NumBytes(t))) {}

  template <class T>
  T* as() {
    return reinterpret_cast<T*>(bytes.data());
  }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(bytes.data());
  }
};

// Where the element of a logical index lies, in elements.
inline int64_t OffsetOf(const TensorType& type, const std::vector<int64_t>& index) {
  std::vector<int64_t> strides(type.rank());
  EXPECT_TRUE(DimOrderToStrides(type.sizes, type.dim_order, 1, strides.data()).ok());
  return std::inner_product(index.begin(), index.end(), strides.begin(), int64_t{0});
}

// Calls fn(index) for each logical index, last axis fastest.
template <class Fn>
void ForEachLogical(const std::vector<int64_t>& sizes, Fn&& fn) {
  if (std::ranges::count(sizes, 0) > 0) return;
  std::vector<int64_t> index(sizes.size(), 0);
  while (true) {
    fn(index);
    size_t axis = sizes.size();
    while (axis > 0 && ++index[axis - 1] == sizes[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

// The same logical tensor in another order.
inline TestTensor InOrder(const TestTensor& from, const DimOrder& order) {
  TestTensor to(TensorType(from.type.dtype, from.type.sizes, order));
  const auto bytes = static_cast<size_t>(DataTypeBytes(from.type.dtype));
  ForEachLogical(from.type.sizes, [&](const std::vector<int64_t>& index) {
    std::memcpy(to.bytes.data() + static_cast<size_t>(OffsetOf(to.type, index)) * bytes,
                from.bytes.data() + static_cast<size_t>(OffsetOf(from.type, index)) * bytes, bytes);
  });
  return to;
}

// All dim orders of a rank.
inline std::vector<DimOrder> AllOrders(size_t rank) {
  std::vector<int> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  std::vector<DimOrder> all;
  do {
    all.emplace_back(axes.data(), axes.size());
  } while (std::next_permutation(axes.begin(), axes.end()));
  return all;
}

// Runs a program on tensors that are declared as they are; `outputs` say their types.
inline GraphStatus RunProgram(const Program& program, const std::vector<TestTensor>& inputs,
                              std::vector<TestTensor>& outputs) {
  auto context = program.NewContext();
  if (!context.ok()) return context.status();
  std::vector<InputBuffer> in;
  std::vector<OutputBuffer> out;
  for (const TestTensor& t : inputs) in.push_back({t.type, t.bytes.data()});
  for (TestTensor& t : outputs) out.push_back({t.type, t.bytes.data()});
  return context->Run(in, out);
}

// Outputs of a graph in the orders that it declares.
inline std::vector<TestTensor> OutputsOf(const Graph& graph) {
  std::vector<TestTensor> outputs;
  for (ValueId id : graph.outputs) outputs.emplace_back(graph.values[static_cast<size_t>(id)].type);
  return outputs;
}

// One node on the given inputs, its output in `order` (nullptr: the op's own).
inline GraphResult<TestTensor> RunNode(Op op, const Attributes& attributes, const std::vector<TestTensor>& inputs,
                                       const DimOrder* order) {
  GraphBuilder b("one");
  std::vector<ValueId> ids;
  for (size_t i = 0; i < inputs.size(); ++i) ids.push_back(b.Input("x" + std::to_string(i), inputs[i].type));
  b.Output(b.Add(op, ids, attributes, "y", order));
  auto graph = b.Finish();
  if (!graph.ok()) return graph.status();
  auto program = Program::Create(*graph);
  if (!program.ok()) return program.status();
  auto outputs = OutputsOf(*graph);
  const GraphStatus status = RunProgram(*program, inputs, outputs);
  if (!status.ok()) return status;
  return std::move(outputs[0]);
}

}  // namespace dimorder

#endif  // TESTS_RUNTIME_RUN_GRAPH_H_
