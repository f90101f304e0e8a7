// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_XNNPACK_SUBGRAPH_H_
#define DIMORDER_RUNTIME_XNNPACK_SUBGRAPH_H_

#include <xnnpack.h>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/lowering/activation.h"
#include "runtime/lowering/weights.h"

namespace dimorder {

struct SubgraphDeleter {
  void operator()(xnn_subgraph_t subgraph) const { xnn_delete_subgraph(subgraph); }
};
using Subgraph = std::unique_ptr<xnn_subgraph, SubgraphDeleter>;

// A constant as an operand of a node.
struct StaticOperand {
  TensorType type;  // its data type and quantization
  Weights weights;
};

// A graph in XNNPACK's terms, ready to be defined as subgraphs: activations fused, constants laid out.
class LoweredGraph {
 public:
  // Of a graph that CheckXnnpackGraph accepts. Throws Error.
  explicit LoweredGraph(Graph graph);

  // Inputs have the ids 0, 1, ..., outputs follow. It points into the lowered graph's constants.
  Subgraph Define() const;

  size_t num_inputs() const { return graph_.inputs.size(); }
  size_t num_outputs() const { return graph_.outputs.size(); }
  // The size of an output that nodes of the graph read, too; else 0.
  size_t ReadOutputBytes(size_t i) const { return read_output_bytes_[i]; }

 private:
  friend class SubgraphDefiner;

  Graph graph_;  // its constants have no bytes
  std::vector<FusedNode> nodes_;
  std::vector<size_t> read_output_bytes_;
  std::map<std::pair<NodeId, size_t>, StaticOperand> constants_;  // by node and input
};

// A node with its operands defined.
struct DefineNode {
  xnn_subgraph_t subgraph;
  const Graph& graph;
  const Node& node;
  ActivationRange range;
  uint32_t inputs[3];  // XNN_INVALID_VALUE_ID for one that is left out
  uint32_t output;

  const TensorType& in(size_t i) const { return graph.values[static_cast<size_t>(node.inputs[i])].type; }
  const TensorType& out() const { return graph.values[static_cast<size_t>(node.output)].type; }
};

// Defines a value of the type's data type and quantization, whose axis is one of `sizes`. Type and data must outlive
// what is made of the subgraph.
uint32_t DefineValue(xnn_subgraph_t subgraph, const TensorType& type, const std::vector<size_t>& sizes,
                     const void* data = nullptr, uint32_t external = XNN_INVALID_VALUE_ID, uint32_t flags = 0);

// define.cc: calls XNNPACK's function for the op. Throws Error with what it answers.
void Define(const DefineNode& node);

// Throws Error when XNNPACK did not succeed in what it was asked for.
void CheckXnnpack(xnn_status status, const char* asked);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_XNNPACK_SUBGRAPH_H_
