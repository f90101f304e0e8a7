// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_XNNPACK_QUERY_H_
#define DIMORDER_RUNTIME_XNNPACK_QUERY_H_

#include "dimorder/delegate.h"

namespace dimorder {

// The question about one node.
struct Query {
  const Graph& graph;
  const Node& node;

  bool Has(size_t i) const { return i < node.inputs.size() && node.inputs[i] != kNoValue; }
  const Value& in(size_t i) const { return graph.values[static_cast<size_t>(node.inputs[i])]; }
  const TensorType& out() const { return graph.values[static_cast<size_t>(node.output)].type; }
};

// What XNNPACK can run of a verified graph, and in which layouts: see query.cc.
Support QueryXnnpack(const Graph& graph, const Node& node);

// Throws Error unless every node is one that QueryXnnpack takes, in one of the layouts that it lists. For graphs that
// come out of a blob.
void CheckXnnpackGraph(const Graph& graph);

// A convolution with one group per input channel, for which XNNPACK has an operator and weights of their own.
bool IsDepthwise(const Graph& graph, const Node& conv);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_XNNPACK_QUERY_H_
