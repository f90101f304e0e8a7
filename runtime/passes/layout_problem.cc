// SPDX-License-Identifier: Apache-2.0
//
// The orders that come into question are found by a flood: the ones that callers and delegates name are the sources,
// and each node whose orders hang together carries them from its inputs to its output and back. Orders that lay a
// value's sizes out alike are one.
#include "runtime/passes/layout_problem.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "dimorder/dimorder.h"
#include "runtime/error.h"
#include "runtime/passes/layout_rules.h"
#include "runtime/run/kernel.h"

namespace dimorder {
namespace {

// The most orders of one value; all of rank 4. Those found later are left out.
constexpr size_t kMaxOrders = 24;
// The most ways to combine the orders of a move's inputs and output.
constexpr size_t kMaxMoveChoices = 64;

size_t Index(int32_t id) { return static_cast<size_t>(id); }

class Maker {
 public:
  Maker(const Graph& graph, std::span<const Claim> claims) : graph_(graph), claims_(claims) {
    const size_t n = graph.values.size();
    problem_.orders.resize(n);
    problem_.given.assign(n, kFree);
    problem_.wanted.assign(n, kFree);
    problem_.producer.assign(n, -1);
    problem_.consumers.resize(n);
  }

  LayoutProblem Run() {
    Link();
    Seed();
    Flood();
    for (size_t v = 0; v < problem_.orders.size(); ++v) {
      if (problem_.orders[v].empty()) AddOrder(v, IdentityOrder(Type(v).rank()));
    }
    Flood();
    for (ValueId id : graph_.inputs) problem_.given[Index(id)] = FindOrder(Index(id), Type(Index(id)).dim_order);
    for (ValueId id : graph_.outputs) problem_.wanted[Index(id)] = FindOrder(Index(id), Type(Index(id)).dim_order);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) MakeChoices(i);
    for (size_t v = 0; v < problem_.orders.size(); ++v) MakeCopyCosts(v);
    return std::move(problem_);
  }

 private:
  const TensorType& Type(size_t v) const { return graph_.values[v].type; }
  bool IsConstant(ValueId id) const { return id != kNoValue && graph_.values[Index(id)].is_constant(); }
  NodeRule Rule(size_t node) const { return RuleOf(graph_, graph_.nodes[node], claims_[node]); }

  int FindOrder(size_t v, const DimOrder& order) const {
    const TensorType& type = Type(v);
    for (size_t i = 0; i < problem_.orders[v].size(); ++i) {
      if (SameLayout(TensorType(type.dtype, type.sizes, problem_.orders[v][i]),
                     TensorType(type.dtype, type.sizes, order))) {
        return static_cast<int>(i);
      }
    }
    return kFree;
  }

  void AddOrder(size_t v, const DimOrder& order) {
    if (graph_.values[v].is_constant() || problem_.orders[v].size() >= kMaxOrders || FindOrder(v, order) != kFree) {
      return;
    }
    problem_.orders[v].push_back(order);
    news_.emplace_back(v, problem_.orders[v].size() - 1);
  }

  void Link() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      problem_.producer[Index(node.output)] = static_cast<int>(i);
      problem_.delegate.push_back(claims_[i].delegate);
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        if (node.inputs[k] == kNoValue || IsConstant(node.inputs[k])) continue;
        problem_.consumers[Index(node.inputs[k])].emplace_back(static_cast<int>(i), static_cast<int>(k));
      }
    }
  }

  void AddListed(const Node& node, const LayoutSignature& layout) {
    AddOrder(Index(node.output), layout.output);
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (node.inputs[k] != kNoValue) AddOrder(Index(node.inputs[k]), layout.inputs[k]);
    }
  }

  // The orders that somebody names; and the logical order where a reshape needs a way out, and where a value leaves its
  // delegate, which policy boundary hands over in it. What nodes can do besides what they prefer comes last: only so
  // many orders of a value are kept.
  void Seed() {
    for (ValueId id : graph_.inputs) AddOrder(Index(id), Type(Index(id)).dim_order);
    for (ValueId id : graph_.outputs) AddOrder(Index(id), Type(Index(id)).dim_order);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      const NodeRule rule = Rule(i);
      if (!claims_[i].layouts.empty()) AddListed(node, claims_[i].layouts.front());
      for (ValueId id : node.inputs) {
        if (id == kNoValue) continue;
        const int producer = problem_.producer[Index(id)];
        const bool crosses = producer >= 0 && problem_.delegate[Index(producer)] != problem_.delegate[i];
        if (crosses || rule == NodeRule::kRename) AddOrder(Index(id), IdentityOrder(Type(Index(id)).rank()));
      }
      if (rule == NodeRule::kRename) AddOrder(Index(node.output), IdentityOrder(Type(Index(node.output)).rank()));
    }
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      for (const LayoutSignature& layout : claims_[i].layouts) AddListed(graph_.nodes[i], layout);
    }
  }

  void Flood() {
    while (!news_.empty()) {
      const auto [v, o] = news_.front();
      news_.pop_front();
      const DimOrder order = problem_.orders[v][o];
      for (const auto& [n, k] : problem_.consumers[v]) {
        const Node& node = graph_.nodes[Index(n)];
        if (const auto out = OutputOrder(graph_, node, Rule(Index(n)), Index(k), order)) {
          AddOrder(Index(node.output), *out);
        }
      }
      if (problem_.producer[v] < 0) continue;
      const size_t p = Index(problem_.producer[v]);
      for (size_t k = 0; k < graph_.nodes[p].inputs.size(); ++k) {
        const ValueId id = graph_.nodes[p].inputs[k];
        if (id == kNoValue || IsConstant(id)) continue;
        if (const auto in = InputOrder(graph_, graph_.nodes[p], Rule(p), k, order)) AddOrder(Index(id), *in);
      }
    }
  }

  // A choice whose output has order `o`, and whose inputs have those that go with it. False if an input cannot.
  bool MakeChoice(size_t i, NodeRule rule, int o, LayoutChoice& choice) const {
    const Node& node = graph_.nodes[i];
    const DimOrder& order = problem_.orders[Index(node.output)][Index(o)];
    choice.output = o;
    choice.inputs.assign(node.inputs.size(), kFree);
    choice.constants.resize(node.inputs.size());
    if (rule == NodeRule::kAny) return true;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      if (node.inputs[k] == kNoValue) continue;
      const auto in = InputOrder(graph_, node, rule, k, order);
      if (IsConstant(node.inputs[k])) {
        if (in) choice.constants[k] = *in;
        continue;
      }
      choice.inputs[k] = in ? FindOrder(Index(node.inputs[k]), *in) : kFree;
      if (choice.inputs[k] == kFree) return false;
    }
    return true;
  }

  // None if one of its orders was left out (kMaxOrders).
  std::optional<LayoutChoice> Listed(size_t i, const LayoutSignature& layout) const {
    const Node& node = graph_.nodes[i];
    LayoutChoice choice;
    choice.output = FindOrder(Index(node.output), layout.output);
    if (choice.output == kFree) return std::nullopt;
    choice.cost = layout.cost;
    choice.constants = layout.inputs;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      const bool free = node.inputs[k] == kNoValue || IsConstant(node.inputs[k]);
      choice.inputs.push_back(free ? kFree : FindOrder(Index(node.inputs[k]), layout.inputs[k]));
      if (!free && choice.inputs[k] == kFree) return std::nullopt;
    }
    return choice;
  }

  void MakeChoices(size_t i) {
    const NodeRule rule = Rule(i);
    std::vector<LayoutChoice> choices;
    if (rule == NodeRule::kMove) {
      choices = MoveChoices(i);
    } else if (rule == NodeRule::kListed) {
      for (const LayoutSignature& layout : claims_[i].layouts) {
        if (auto choice = Listed(i, layout)) choices.push_back(std::move(*choice));
      }
    } else {
      for (size_t o = 0; o < problem_.orders[Index(graph_.nodes[i].output)].size(); ++o) {
        LayoutChoice choice;
        if (MakeChoice(i, rule, static_cast<int>(o), choice)) choices.push_back(std::move(choice));
      }
    }
    if (choices.empty()) Fail("node '" + graph_.nodes[i].name + "' cannot run in any layout");
    problem_.listed.push_back(rule == NodeRule::kListed);
    problem_.choices.push_back(std::move(choices));
  }

  // All combinations of orders, or, where they are too many, one order each for all.
  std::vector<LayoutChoice> MoveChoices(size_t i) const {
    const Node& node = graph_.nodes[i];
    std::vector<size_t> counts = {problem_.orders[Index(node.output)].size()};
    for (ValueId id : node.inputs) counts.push_back(IsConstant(id) ? 1 : problem_.orders[Index(id)].size());
    size_t product = 1;
    for (size_t count : counts) product = std::min(product * count, kMaxMoveChoices + 1);
    std::vector<LayoutChoice> choices;
    for (size_t o = 0; product > kMaxMoveChoices && o < counts[0]; ++o) {
      LayoutChoice choice;
      if (MakeChoice(i, NodeRule::kMove, static_cast<int>(o), choice)) choices.push_back(std::move(choice));
    }
    if (choices.empty()) product = std::min(product, kMaxMoveChoices);
    for (size_t at = 0; choices.size() < product && product <= kMaxMoveChoices; ++at) {
      LayoutChoice choice;
      size_t rest = at;
      choice.output = static_cast<int>(rest % counts[0]);
      rest /= counts[0];
      choice.constants.resize(node.inputs.size());
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        choice.inputs.push_back(IsConstant(node.inputs[k]) ? kFree : static_cast<int>(rest % counts[k + 1]));
        rest /= counts[k + 1];
      }
      choices.push_back(std::move(choice));
    }
    for (LayoutChoice& choice : choices) choice.cost = MoveCost(node, choice);
    return choices;
  }

  double MoveCost(const Node& node, const LayoutChoice& choice) const {
    std::vector<TensorType> types;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      types.push_back(Type(Index(node.inputs[k])));
      if (choice.inputs[k] != kFree)
        types[k].dim_order = problem_.orders[Index(node.inputs[k])][Index(choice.inputs[k])];
    }
    std::vector<const TensorType*> inputs;
    for (const TensorType& type : types) inputs.push_back(&type);
    TensorType output = Type(Index(node.output));
    output.dim_order = problem_.orders[Index(node.output)][Index(choice.output)];
    return MakeCopyKernel(node, std::move(inputs), output, Options())->EstimatedCost();
  }

  void MakeCopyCosts(size_t v) {
    const auto& orders = problem_.orders[v];
    std::vector<std::vector<double>> costs(orders.size(), std::vector<double>(orders.size(), 0));
    for (size_t from = 0; from < orders.size(); ++from) {
      for (size_t to = 0; to < orders.size(); ++to) {
        if (from == to) continue;
        const auto plan =
            Plan::Create(Move::ToDimOrder(Type(v).sizes, orders[from], orders[to], DataTypeBytes(Type(v).dtype)));
        Check(plan.status());
        costs[from][to] = plan->EstimatedCost();
      }
    }
    problem_.copy.push_back(std::move(costs));
  }

  const Graph& graph_;
  std::span<const Claim> claims_;
  LayoutProblem problem_;
  std::deque<std::pair<size_t, size_t>> news_;  // orders whose neighbours have not heard of them
};

}  // namespace

LayoutProblem MakeLayoutProblem(const Graph& graph, std::span<const Claim> claims) {
  return Maker(graph, claims).Run();
}

int MadeOrder(const LayoutProblem& problem, std::span<const int> choices, size_t value) {
  if (problem.given[value] != kFree) return problem.given[value];
  const int node = problem.producer[value];
  if (node < 0) return kFree;  // a constant
  return problem.choices[Index(node)][Index(choices[Index(node)])].output;
}

int HubFor(const LayoutProblem& problem, const LayoutAnswer& answer, size_t value, int consumer) {
  if (answer.hubs.empty() || answer.hubs[value] == kFree) return kFree;
  const int producer = problem.producer[value];
  const int from = producer < 0 ? kNobody : problem.delegate[Index(producer)];
  const int to = consumer < 0 ? kNobody : problem.delegate[Index(consumer)];
  const int hub = answer.hubs[value];
  return from != to && hub != MadeOrder(problem, answer.choices, value) ? hub : kFree;
}

std::vector<NeededCopy> NeededCopies(const LayoutProblem& problem, const LayoutAnswer& answer) {
  std::vector<NeededCopy> copies;
  for (size_t v = 0; v < problem.orders.size(); ++v) {
    const int made = MadeOrder(problem, answer.choices, v);
    if (made == kFree) continue;
    std::vector<NeededCopy> from_made;
    std::vector<NeededCopy> from_hubs;
    const auto add = [&](int from, int to, bool from_hub) {
      std::vector<NeededCopy>& list = from_hub ? from_hubs : from_made;
      const bool there = std::ranges::any_of(list, [&](const NeededCopy& c) { return c.to == to; });
      if (to != kFree && to != from && !there) list.push_back({v, from, to, from_hub});
    };
    const auto serve = [&](int consumer, int order) {
      const int hub = HubFor(problem, answer, v, consumer);
      if (hub == kFree) return add(made, order, false);
      add(made, hub, false);
      add(hub, order, true);
    };
    for (const auto& [n, k] : problem.consumers[v]) {
      serve(n, problem.choices[Index(n)][Index(answer.choices[Index(n)])].inputs[Index(k)]);
    }
    if (problem.wanted[v] != kFree) serve(-1, problem.wanted[v]);
    copies.insert(copies.end(), from_made.begin(), from_made.end());
    copies.insert(copies.end(), from_hubs.begin(), from_hubs.end());
  }
  return copies;
}

double CostOf(const LayoutProblem& problem, const LayoutAnswer& answer) {
  double cost = 0;
  for (const NeededCopy& copy : NeededCopies(problem, answer)) {
    cost += problem.copy[copy.value][Index(copy.from)][Index(copy.to)];
  }
  for (size_t n = 0; n < answer.choices.size(); ++n) cost += problem.choices[n][Index(answer.choices[n])].cost;
  return cost;
}

}  // namespace dimorder
