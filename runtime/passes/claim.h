// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_CLAIM_H_
#define DIMORDER_RUNTIME_PASSES_CLAIM_H_

#include <span>
#include <string>
#include <vector>

#include "dimorder/delegate.h"

namespace dimorder {

inline constexpr int kNobody = -1;

// Who runs a node and in which layouts.
struct Claim {
  int delegate = kNobody;  // index into the delegates; kNobody: the runtime's own kernels
  LayoutRule rule = LayoutRule::kAny;
  std::vector<LayoutSignature> layouts;
  std::string refusals;  // what the delegates that were asked in vain said
};

// One claim per node: the first delegate that takes it. Throws when a delegate's answer breaks its contract.
std::vector<Claim> ClaimNodes(const Graph& graph, std::span<const Delegate* const> delegates);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_CLAIM_H_
