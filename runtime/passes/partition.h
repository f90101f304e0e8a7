// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_PARTITION_H_
#define DIMORDER_RUNTIME_PASSES_PARTITION_H_

#include <span>
#include <vector>

#include "runtime/passes/claim.h"

namespace dimorder {

// A part of the graph that one delegate runs in one go.
struct Partition {
  int delegate = kNobody;
  std::vector<NodeId> nodes;     // in an order in which they can run
  std::vector<ValueId> inputs;   // made elsewhere, read inside; constants are not among them
  std::vector<ValueId> outputs;  // made inside, read elsewhere or by the caller
};

// Splits the claimed nodes into partitions that are convex (no path leaves one and comes back, so that each can run in
// one go) and maximal (no two of one delegate that are joined by a value could be one), and reorders graph and claims
// so that the nodes of each stand together. In the order in which they run.
std::vector<Partition> PartitionGraph(Graph& graph, std::vector<Claim>& claims);

// A partition as a graph of its own, with the constants that its nodes read. Values keep their names.
Graph ExtractPart(const Graph& graph, const Partition& partition);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_PARTITION_H_
