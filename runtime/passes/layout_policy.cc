// SPDX-License-Identifier: Apache-2.0
//
// Four policies that look at one node at a time, as they are found in the wild:
//   annotate  each delegate works in its own order and hands its values over in it; all else is in the logical order;
//   global    everything that can be is channels-last;
//   boundary  as annotate, but values leave delegates in the logical order;
//   greedy    a walk from inputs to outputs: a node that has preferences gets its first one, any other follows its
//             inputs, and where these disagree all become channels-last, or of other ranks, contiguous.
#include "runtime/passes/layout_policy.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "runtime/passes/layout_rules.h"

namespace dimorder {
namespace {

size_t Index(int i) { return static_cast<size_t>(i); }

class Chooser {
 public:
  Chooser(const Graph& graph, const LayoutProblem& problem) : graph_(graph), problem_(problem) {
    answer_.choices.assign(problem.choices.size(), 0);
  }

  LayoutAnswer Annotate() {
    for (size_t n = 0; n < answer_.choices.size(); ++n) {
      if (problem_.delegate[n] == kNobody) {
        Choose(n, [&](const LayoutChoice& c) { return IsIdentity(Output(n, c)) ? 0 : 1; });
      } else {
        ChooseChannelsLastAmongEquals(n);
      }
    }
    return answer_;
  }

  LayoutAnswer Global() {
    for (size_t n = 0; n < answer_.choices.size(); ++n) {
      Choose(n, [&](const LayoutChoice& c) { return IsChannelsLast(Output(n, c)) ? 0 : 1; });
    }
    return answer_;
  }

  LayoutAnswer Boundary() {
    Annotate();
    answer_.hubs.assign(problem_.orders.size(), kFree);
    for (size_t v = 0; v < answer_.hubs.size(); ++v) {
      const int producer = problem_.producer[v];
      if (producer < 0 || problem_.delegate[Index(producer)] == kNobody) continue;  // made in it, or the caller's
      const auto& orders = problem_.orders[v];
      const auto logical = std::ranges::find_if(orders, IsIdentity);
      if (logical != orders.end()) answer_.hubs[v] = static_cast<int>(logical - orders.begin());
    }
    return answer_;
  }

  LayoutAnswer Greedy() {
    for (size_t n = 0; n < answer_.choices.size(); ++n) {  // in the order of the graph: inputs are decided
      if (IsListed(n)) continue;                           // the first
      const auto follows = [&](const LayoutChoice& c) { return Follows(n, c) ? 0 : 1; };
      const int best = Choose(n, follows);
      if (best == 0) continue;
      const bool image = graph_.values[Index(graph_.nodes[n].output)].type.rank() == 4;
      Choose(n, [&](const LayoutChoice& c) {
        return (image ? IsChannelsLast(Output(n, c)) : IsIdentity(Output(n, c))) ? 0 : 1;
      });
    }
    return answer_;
  }

 private:
  const DimOrder& Output(size_t n, const LayoutChoice& choice) const {
    return problem_.orders[Index(graph_.nodes[n].output)][Index(choice.output)];
  }

  bool IsListed(size_t n) const { return problem_.listed[n]; }

  // The delegate's first choice, or, when it has no list, channels-last.
  void ChooseChannelsLastAmongEquals(size_t n) {
    if (IsListed(n)) return;
    Choose(n, [&](const LayoutChoice& c) { return IsChannelsLast(Output(n, c)) ? 0 : 1; });
  }

  // Whether the choice takes all inputs as they are made; and, where it takes any, makes the order of the first.
  bool Follows(size_t n, const LayoutChoice& choice) const {
    const Node& node = graph_.nodes[n];
    bool any = true;
    for (size_t k = 0; k < choice.inputs.size(); ++k) {
      if (choice.inputs[k] == kFree) continue;
      any = false;
      if (MadeOrder(problem_, answer_.choices, Index(node.inputs[k])) != choice.inputs[k]) return false;
    }
    if (!any || node.inputs.empty()) return true;
    const int made = node.inputs[0] == kNoValue ? kFree : MadeOrder(problem_, answer_.choices, Index(node.inputs[0]));
    return made == kFree || problem_.orders[Index(node.inputs[0])][Index(made)] == Output(n, choice);
  }

  // The first choice with the least penalty, the cheaper one among those that are alike; returns the penalty.
  template <class Penalty>
  int Choose(size_t n, Penalty&& penalty) {
    int least = std::numeric_limits<int>::max();
    double least_cost = 0;
    for (size_t i = 0; i < problem_.choices[n].size(); ++i) {
      const LayoutChoice& choice = problem_.choices[n][i];
      const int p = penalty(choice);
      if (p > least || (p == least && choice.cost >= least_cost)) continue;
      least = p;
      least_cost = choice.cost;
      answer_.choices[n] = static_cast<int>(i);
    }
    return least;
  }

  const Graph& graph_;
  const LayoutProblem& problem_;
  LayoutAnswer answer_;
};

LayoutAnswer SimpleAnswer(const Graph& graph, const LayoutProblem& problem, LayoutPolicy policy) {
  Chooser chooser(graph, problem);
  LayoutAnswer answer = policy == LayoutPolicy::kAnnotate   ? chooser.Annotate()
                        : policy == LayoutPolicy::kGlobal   ? chooser.Global()
                        : policy == LayoutPolicy::kBoundary ? chooser.Boundary()
                                                            : chooser.Greedy();
  answer.cost = CostOf(problem, answer);
  return answer;
}

}  // namespace

LayoutAnswer AssignLayouts(const Graph& graph, const LayoutProblem& problem, LayoutPolicy policy) {
  if (policy != LayoutPolicy::kOptimal) return SimpleAnswer(graph, problem, policy);
  LayoutAnswer best = OptimalLayouts(problem, kMaxLayoutTable);
  for (LayoutPolicy other :
       {LayoutPolicy::kAnnotate, LayoutPolicy::kGlobal, LayoutPolicy::kBoundary, LayoutPolicy::kGreedy}) {
    LayoutAnswer answer = SimpleAnswer(graph, problem, other);
    if (answer.cost >= best.cost) continue;
    answer.bound = std::min(best.bound, answer.cost);
    answer.exact = best.exact;
    best = std::move(answer);
  }
  return best;
}

}  // namespace dimorder
