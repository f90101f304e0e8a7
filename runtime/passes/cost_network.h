// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_COST_NETWORK_H_
#define DIMORDER_RUNTIME_PASSES_COST_NETWORK_H_

#include <cstddef>
#include <vector>

namespace dimorder {

// A cost for every combination of values of a few variables. The last variable runs fastest in `costs`.
struct CostFactor {
  std::vector<int> variables;  // ascending
  std::vector<double> costs;
};

// Variables with a few values each, and costs that add up; infinity forbids a combination.
struct CostNetwork {
  std::vector<int> values;  // how many each variable has
  std::vector<CostFactor> factors;
};

struct CostSolution {
  std::vector<int> chosen;  // per variable
  double cost = 0;
  double bound = 0;  // nothing costs less
  bool exact = false;
};

// The cheapest choice, exactly, where no table of the elimination has more than `max_table` entries; it never has for
// networks whose values multiply to no more. Beyond that the cheapest found, with a proven bound.
CostSolution Minimize(const CostNetwork& network, size_t max_table);

// Of one choice.
double CostOf(const CostNetwork& network, const std::vector<int>& chosen);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_COST_NETWORK_H_
