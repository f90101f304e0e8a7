// SPDX-License-Identifier: Apache-2.0
//
// The layout problem as a cost network: one variable per node (its choice), the choices' own costs, and for each value
// the copies that its producer's and consumers' choices call for. A value with many consumers would make a large
// table; there each order gets a variable of its own instead, "a copy in this order exists", which costs the copy and
// without which no consumer may want that order unless it is the one that the value is made in.
#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "runtime/passes/cost_network.h"
#include "runtime/passes/layout_policy.h"

namespace dimorder {
namespace {

// The largest table that a value makes without variables of its own.
constexpr size_t kMaxValueTable = 1024;

size_t Index(int i) { return static_cast<size_t>(i); }

class NetworkMaker {
 public:
  explicit NetworkMaker(const LayoutProblem& problem) : problem_(problem) {
    for (const auto& choices : problem.choices) network_.values.push_back(static_cast<int>(choices.size()));
  }

  CostNetwork Run() {
    for (size_t n = 0; n < problem_.choices.size(); ++n) {
      CostFactor own{{static_cast<int>(n)}, {}};
      for (const LayoutChoice& choice : problem_.choices[n]) own.costs.push_back(choice.cost);
      network_.factors.push_back(std::move(own));
    }
    for (size_t v = 0; v < problem_.orders.size(); ++v) AddValue(v);
    return std::move(network_);
  }

 private:
  void AddValue(size_t v) {
    if (problem_.orders[v].empty()) return;  // a constant
    std::vector<int> nodes;
    if (problem_.given[v] == kFree) nodes.push_back(problem_.producer[v]);
    for (const auto& [n, k] : problem_.consumers[v]) nodes.push_back(n);
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    size_t size = 1;
    for (int n : nodes) size = std::min(size * problem_.choices[Index(n)].size(), kMaxValueTable + 1);
    if (size <= kMaxValueTable) {
      AddTable(nodes, [&](const std::map<int, int>& chosen) { return CopiesOf(v, chosen); });
    } else {
      AddWithCopyVariables(v);
    }
  }

  int Made(size_t v, const std::map<int, int>& chosen) const {
    if (problem_.given[v] != kFree) return problem_.given[v];
    const int p = problem_.producer[v];
    return problem_.choices[Index(p)][Index(chosen.at(p))].output;
  }

  int Wanted(const std::pair<int, int>& consumer, const std::map<int, int>& chosen) const {
    const auto& [n, k] = consumer;
    return problem_.choices[Index(n)][Index(chosen.at(n))].inputs[Index(k)];
  }

  double CopiesOf(size_t v, const std::map<int, int>& chosen) const {
    const int made = Made(v, chosen);
    std::vector<bool> there(problem_.orders[v].size(), false);
    there[Index(made)] = true;
    double cost = 0;
    const auto want = [&](int order) {
      if (order == kFree || there[Index(order)]) return;
      there[Index(order)] = true;
      cost += problem_.copy[v][Index(made)][Index(order)];
    };
    for (const auto& consumer : problem_.consumers[v]) want(Wanted(consumer, chosen));
    want(problem_.wanted[v]);
    return cost;
  }

  void AddWithCopyVariables(size_t v) {
    const auto producer = problem_.given[v] == kFree ? std::vector<int>{problem_.producer[v]} : std::vector<int>{};
    for (size_t order = 0; order < problem_.orders[v].size(); ++order) {
      const auto o = static_cast<int>(order);
      const auto exists = static_cast<int>(network_.values.size());
      network_.values.push_back(2);
      std::vector<int> variables = producer;
      variables.push_back(exists);
      AddTable(variables, [&](const std::map<int, int>& chosen) {
        if (chosen.at(exists) == 1) return problem_.copy[v][Index(Made(v, chosen))][order];
        return Forbidden(problem_.wanted[v] == o && Made(v, chosen) != o);
      });
      for (const auto& consumer : problem_.consumers[v]) {
        std::vector<int> all = variables;
        if (std::ranges::find(all, consumer.first) == all.end()) all.push_back(consumer.first);
        AddTable(all, [&](const std::map<int, int>& chosen) {
          return Forbidden(chosen.at(exists) == 0 && Wanted(consumer, chosen) == o && Made(v, chosen) != o);
        });
      }
    }
  }

  static double Forbidden(bool forbidden) { return forbidden ? std::numeric_limits<double>::infinity() : 0.0; }

  // A factor over `variables` with the cost of each combination.
  template <class Cost>
  void AddTable(std::vector<int> variables, Cost&& cost) {
    std::ranges::sort(variables);
    CostFactor factor{std::move(variables), {}};
    std::map<int, int> chosen;
    for (int variable : factor.variables) chosen[variable] = 0;
    while (true) {
      factor.costs.push_back(cost(chosen));
      auto last = chosen.rbegin();
      while (last != chosen.rend() && ++last->second == network_.values[Index(last->first)]) (last++)->second = 0;
      if (last == chosen.rend()) break;
    }
    network_.factors.push_back(std::move(factor));
  }

  const LayoutProblem& problem_;
  CostNetwork network_;
};

// One node at a time takes its best choice, until no node has a better one: what repairs a choice that is not proven.
void Polish(const LayoutProblem& problem, LayoutAnswer& answer) {
  answer.cost = CostOf(problem, answer);
  for (bool better = true; better;) {
    better = false;
    for (size_t n = 0; n < answer.choices.size(); ++n) {
      for (size_t i = 0; i < problem.choices[n].size(); ++i) {
        const int before = answer.choices[n];
        answer.choices[n] = static_cast<int>(i);
        const double cost = CostOf(problem, answer);
        if (cost < answer.cost) {
          answer.cost = cost;
          better = true;
        } else {
          answer.choices[n] = before;
        }
      }
    }
  }
}

}  // namespace

LayoutAnswer OptimalLayouts(const LayoutProblem& problem, size_t max_table) {
  const CostSolution solution = Minimize(NetworkMaker(problem).Run(), max_table);
  LayoutAnswer answer;
  answer.choices.assign(solution.chosen.begin(),
                        solution.chosen.begin() + static_cast<ptrdiff_t>(problem.choices.size()));
  answer.exact = solution.exact;
  answer.bound = solution.bound;
  answer.cost = CostOf(problem, answer);
  if (!answer.exact) Polish(problem, answer);
  return answer;
}

}  // namespace dimorder
