// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_LOWERING_GRAPH_BYTES_H_
#define DIMORDER_RUNTIME_LOWERING_GRAPH_BYTES_H_

#include <cstddef>
#include <span>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder {

// A graph with its constants as bytes, and back: what a delegate without a format of its own puts into its blobs.
std::vector<std::byte> GraphToBytes(const Graph& graph);
// A graph that Verify accepts; throws Error on anything else.
Graph GraphFromBytes(std::span<const std::byte> bytes);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_LOWERING_GRAPH_BYTES_H_
