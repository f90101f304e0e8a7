// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_LINKS_H_
#define DIMORDER_RUNTIME_PASSES_LINKS_H_

#include <vector>

#include "dimorder/graph.h"

namespace dimorder {

// Who makes each value of a graph and who reads it: indices of nodes, a reader once for each input.
struct Links {
  explicit Links(const Graph& graph) : maker(graph.values.size(), -1), readers(graph.values.size()) {
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      maker[static_cast<size_t>(graph.nodes[n].output)] = static_cast<NodeId>(n);
      for (ValueId id : graph.nodes[n].inputs) {
        if (id != kNoValue) readers[static_cast<size_t>(id)].push_back(static_cast<NodeId>(n));
      }
    }
  }

  std::vector<NodeId> maker;  // -1: nobody
  std::vector<std::vector<NodeId>> readers;
};

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_LINKS_H_
