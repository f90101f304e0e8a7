// SPDX-License-Identifier: Apache-2.0
//
// Bucket elimination (Dechter): variables leave one by one. The factors that hold the leaving variable are added up to
// one table over all their variables, and its minimum over the leaving one is a new factor. The last number left is the
// least cost, and going back through the tables finds who has it. Work and memory are exponential in the size of the
// largest table only, which for graphs of layers is small (their tree width is), however many variables there are.
// Where a table would be too large its factors are minimised in groups that are not (mini-buckets): a sum of minima is
// at most the minimum of the sum, so the number left is a bound still, and the way back a good choice but not proven.
#include "runtime/passes/cost_network.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace dimorder {
namespace {

size_t Index(int i) { return static_cast<size_t>(i); }

std::vector<int> Union(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

// The entries of a table over `variables`, at most `cap` + 1.
size_t TableSize(const std::vector<int>& values, const std::vector<int>& variables, size_t cap) {
  size_t size = 1;
  for (int v : variables) {
    size *= static_cast<size_t>(values[Index(v)]);
    if (size > cap) return cap + 1;
  }
  return size;
}

double Lookup(const CostFactor& factor, const std::vector<int>& values, const std::vector<int>& chosen) {
  size_t at = 0;
  for (int v : factor.variables) at = at * static_cast<size_t>(values[Index(v)]) + Index(chosen[Index(v)]);
  return factor.costs[at];
}

class Eliminator {
 public:
  Eliminator(const CostNetwork& network, size_t max_table)
      : values_(network.values), max_table_(max_table), active_(network.factors), buckets_(values_.size()) {}

  CostSolution Run() {
    std::vector<bool> gone(values_.size(), false);
    for (size_t step = 0; step < values_.size(); ++step) {
      const int leaving = Cheapest(gone);
      gone[Index(leaving)] = true;
      order_.push_back(leaving);
      Eliminate(leaving);
    }
    CostSolution solution;
    for (const CostFactor& factor : active_) solution.bound += factor.costs[0];
    solution.exact = exact_;
    solution.chosen = GoBack();
    return solution;
  }

 private:
  // The variable whose table would be the smallest.
  int Cheapest(const std::vector<bool>& gone) const {
    std::vector<std::vector<int>> scopes(values_.size());
    for (const CostFactor& factor : active_) {
      for (int v : factor.variables) scopes[Index(v)] = Union(scopes[Index(v)], factor.variables);
    }
    int best = -1;
    size_t best_size = 0;
    for (size_t v = 0; v < values_.size(); ++v) {
      if (gone[v]) continue;
      const size_t size = TableSize(values_, scopes[v], std::numeric_limits<size_t>::max() / 256);
      if (best < 0 || size < best_size) {
        best = static_cast<int>(v);
        best_size = size;
      }
    }
    return best;
  }

  void Eliminate(int leaving) {
    std::vector<CostFactor>& bucket = buckets_[Index(leaving)];
    std::vector<CostFactor> kept;
    for (CostFactor& factor : active_) {
      const bool holds = std::ranges::binary_search(factor.variables, leaving);
      (holds ? bucket : kept).push_back(std::move(factor));
    }
    active_ = std::move(kept);

    std::vector<std::pair<std::vector<int>, std::vector<const CostFactor*>>> groups;
    for (const CostFactor& factor : bucket) {
      const auto fits = std::ranges::find_if(groups, [&](const auto& group) {
        return TableSize(values_, Union(group.first, factor.variables), max_table_) <= max_table_;
      });
      if (fits == groups.end()) {
        groups.push_back({factor.variables, {&factor}});
      } else {
        fits->first = Union(fits->first, factor.variables);
        fits->second.push_back(&factor);
      }
    }
    exact_ = exact_ && groups.size() <= 1;
    for (const auto& [scope, factors] : groups) active_.push_back(MinimizeOver(leaving, scope, factors));
  }

  CostFactor MinimizeOver(int leaving, const std::vector<int>& scope, const std::vector<const CostFactor*>& factors) {
    CostFactor least;
    std::ranges::copy_if(scope, std::back_inserter(least.variables), [&](int v) { return v != leaving; });
    std::vector<int> chosen(values_.size(), 0);
    while (true) {
      double best = std::numeric_limits<double>::infinity();
      for (int& x = chosen[Index(leaving)] = 0; x < values_[Index(leaving)]; ++x) {
        double sum = 0;
        for (const CostFactor* factor : factors) sum += Lookup(*factor, values_, chosen);
        best = std::min(best, sum);
      }
      least.costs.push_back(best);
      size_t i = least.variables.size();
      for (; i > 0; --i) {
        int& x = chosen[Index(least.variables[i - 1])];
        if (++x < values_[Index(least.variables[i - 1])]) break;
        x = 0;
      }
      if (i == 0) return least;
    }
  }

  std::vector<int> GoBack() const {
    std::vector<int> chosen(values_.size(), 0);
    for (size_t step = order_.size(); step-- > 0;) {
      const int variable = order_[step];
      double best = std::numeric_limits<double>::infinity();
      int best_x = 0;
      for (int x = 0; x < values_[Index(variable)]; ++x) {
        chosen[Index(variable)] = x;
        double sum = 0;
        for (const CostFactor& factor : buckets_[Index(variable)]) sum += Lookup(factor, values_, chosen);
        if (sum < best) {
          best = sum;
          best_x = x;
        }
      }
      chosen[Index(variable)] = best_x;
    }
    return chosen;
  }

  const std::vector<int>& values_;
  const size_t max_table_;
  std::vector<CostFactor> active_;
  std::vector<std::vector<CostFactor>> buckets_;  // the factors that held each variable when it left
  std::vector<int> order_;
  bool exact_ = true;
};

}  // namespace

double CostOf(const CostNetwork& network, const std::vector<int>& chosen) {
  double cost = 0;
  for (const CostFactor& factor : network.factors) cost += Lookup(factor, network.values, chosen);
  return cost;
}

CostSolution Minimize(const CostNetwork& network, size_t max_table) {
  CostSolution solution = Eliminator(network, max_table).Run();
  solution.cost = CostOf(network, solution.chosen);
  return solution;
}

}  // namespace dimorder
