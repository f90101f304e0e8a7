// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_LOWERING_GRAPH_BYTES_H_
#define DIMORDER_RUNTIME_LOWERING_GRAPH_BYTES_H_

#include "dimorder/graph.h"
#include "runtime/lowering/bytes.h"

namespace dimorder {

// A graph with its constants as bytes, and back: what a delegate without a format of its own puts into its blobs.
void WriteGraph(ByteWriter& to, const Graph& graph);
// A graph that Verify accepts; throws Error on anything else.
Graph ReadGraph(ByteReader& from);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_LOWERING_GRAPH_BYTES_H_
