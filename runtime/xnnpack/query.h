// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_XNNPACK_QUERY_H_
#define DIMORDER_RUNTIME_XNNPACK_QUERY_H_

#include "dimorder/delegate.h"

namespace dimorder {

// What XNNPACK can run of a verified graph, and in which layouts: see query.cc.
Support QueryXnnpack(const Graph& graph, const Node& node);

// Throws Error unless every node is one that QueryXnnpack takes, in one of the layouts that it lists. For graphs that
// come out of a blob.
void CheckXnnpackGraph(const Graph& graph);

// A convolution with one group per input channel, for which XNNPACK has an operator and weights of their own.
bool IsDepthwise(const Graph& graph, const Node& conv);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_XNNPACK_QUERY_H_
