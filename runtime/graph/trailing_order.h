// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_GRAPH_TRAILING_ORDER_H_
#define DIMORDER_RUNTIME_GRAPH_TRAILING_ORDER_H_

#include <cstddef>
#include <vector>

#include "dimorder/layout.h"

namespace dimorder {

// The order of the last `rank` axes, as axes of their own: what an operand of lower rank has when it is broadcast.
inline DimOrder TrailingOrder(const DimOrder& order, size_t rank) {
  std::vector<int> trailing;
  const auto dropped = static_cast<int>(order.size() - rank);
  for (int axis : order) {
    if (axis >= dropped) trailing.push_back(axis - dropped);
  }
  return DimOrder(trailing.data(), trailing.size());
}

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_GRAPH_TRAILING_ORDER_H_
