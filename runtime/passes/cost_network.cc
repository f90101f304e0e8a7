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
#include <deque>
#include <iterator>
#include <limits>
#include <set>
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
      : values_(network.values),
        max_table_(max_table),
        factors_(network.factors.begin(), network.factors.end()),
        holders_(values_.size()),
        sizes_(values_.size(), 0),
        chosen_(values_.size(), 0) {
    for (size_t f = 0; f < factors_.size(); ++f) Hold(f);
  }

  CostSolution Run() {
    for (size_t v = 0; v < values_.size(); ++v) Queue(static_cast<int>(v));
    while (!queue_.empty()) {
      const int leaving = queue_.begin()->second;  // the table would be the smallest
      queue_.erase(queue_.begin());
      order_.push_back(leaving);
      Eliminate(leaving);
    }
    CostSolution solution;
    solution.bound = bound_;
    solution.exact = exact_;
    solution.chosen = GoBack();
    return solution;
  }

 private:
  // Enters a factor with the variables that it holds; without any it is a cost of all choices.
  void Hold(size_t f) {
    for (int v : factors_[f].variables) holders_[Index(v)].push_back(f);
    if (factors_[f].variables.empty()) bound_ += factors_[f].costs[0];
  }

  // The variables of the factors that hold one, itself included; ascending.
  std::vector<int> ScopeOf(int variable) const {
    std::vector<int> scope;
    for (size_t f : holders_[Index(variable)]) {
      scope.insert(scope.end(), factors_[f].variables.begin(), factors_[f].variables.end());
    }
    std::ranges::sort(scope);
    scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
    return scope;
  }

  // Enters a variable where its table's size puts it now.
  void Queue(int variable) {
    size_t& size = sizes_[Index(variable)];
    queue_.erase({size, variable});
    size = TableSize(values_, ScopeOf(variable), std::numeric_limits<size_t>::max() / 256);
    queue_.insert({size, variable});
  }

  void Eliminate(int leaving) {
    const std::vector<int> neighbours = ScopeOf(leaving);
    const std::vector<size_t>& bucket = holders_[Index(leaving)];  // from now on it stays as it is
    std::vector<std::pair<std::vector<int>, std::vector<const CostFactor*>>> groups;
    for (size_t f : bucket) {
      const CostFactor& factor = factors_[f];
      for (int v : factor.variables) {
        if (v != leaving) std::erase(holders_[Index(v)], f);
      }
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
    for (const auto& [scope, factors] : groups) {
      factors_.push_back(MinimizeOver(leaving, scope, factors));
      Hold(factors_.size() - 1);
    }
    for (int v : neighbours) {
      if (v != leaving) Queue(v);
    }
  }

  CostFactor MinimizeOver(int leaving, const std::vector<int>& scope, const std::vector<const CostFactor*>& factors) {
    CostFactor least;
    std::ranges::copy_if(scope, std::back_inserter(least.variables), [&](int v) { return v != leaving; });
    while (true) {
      double best = std::numeric_limits<double>::infinity();
      for (int& x = chosen_[Index(leaving)] = 0; x < values_[Index(leaving)]; ++x) {
        double sum = 0;
        for (const CostFactor* factor : factors) sum += Lookup(*factor, values_, chosen_);
        best = std::min(best, sum);
      }
      least.costs.push_back(best);
      size_t i = least.variables.size();
      for (; i > 0; --i) {
        int& x = chosen_[Index(least.variables[i - 1])];
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
        for (size_t f : holders_[Index(variable)]) sum += Lookup(factors_[f], values_, chosen);
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
  std::deque<CostFactor> factors_;            // those of the network, and those made since
  std::vector<std::vector<size_t>> holders_;  // the factors that hold each variable, or did when it left
  std::vector<size_t> sizes_;                 // of the table that each variable would make
  std::set<std::pair<size_t, int>> queue_;    // that, for each variable that has not left
  std::vector<int> order_;
  std::vector<int> chosen_;  // 0 for those that have not left, but while a table is made
  double bound_ = 0;
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
