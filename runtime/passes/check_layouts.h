// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_CHECK_LAYOUTS_H_
#define DIMORDER_RUNTIME_PASSES_CHECK_LAYOUTS_H_

#include <span>

#include "runtime/passes/claim.h"

namespace dimorder {

// The guard at compile time: each claimed node's values lie in orders that its delegate takes. Throws an Error that
// names node and value and has both orders.
void CheckLayouts(const Graph& graph, std::span<const Claim> claims);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_CHECK_LAYOUTS_H_
