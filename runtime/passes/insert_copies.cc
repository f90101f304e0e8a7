// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/insert_copies.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "dimorder/dimorder.h"
#include "runtime/error.h"
#include "runtime/graph/names.h"

namespace dimorder {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

class Inserter {
 public:
  Inserter(Graph& graph, const LayoutProblem& problem, const LayoutAnswer& answer, std::vector<Claim>& claims)
      : graph_(graph), problem_(problem), answer_(answer), claims_(claims), names_(graph) {}

  std::vector<ValueId> Run() {
    const size_t values = problem_.orders.size();
    const auto copies = NeededCopies(problem_, answer_);
    for (size_t v = 0; v < values; ++v) {
      const int made = MadeOrder(problem_, answer_.choices, v);
      if (made == kFree) continue;
      holders_[{v, made, false}] = static_cast<ValueId>(v);
      if (problem_.producer[v] >= 0) SetOrder(v, made);
    }
    for (const NeededCopy& copy : copies) AddCopy(copy);
    Rewire();
    Schedule();
    return std::move(hubs_);
  }

 private:
  // A value that is a graph output keeps its order; what is made in another gets a value of its own.
  void SetOrder(size_t v, int made) {
    const int wanted = problem_.wanted[v];
    if (wanted == kFree) {
      graph_.values[v].type.dim_order = problem_.orders[v][Index(made)];
    } else if (wanted != made || HubFor(problem_, answer_, v, -1) != kFree) {
      const ValueId inner = NewValue(v, made);
      holders_[{v, made, false}] = inner;
      graph_.nodes[Index(problem_.producer[v])].output = inner;
    }
  }

  // Whether the copy makes what the caller gets.
  bool MakesOutput(const NeededCopy& copy) const {
    if (copy.to != problem_.wanted[copy.value]) return false;
    const int hub = HubFor(problem_, answer_, copy.value, -1);
    return copy.from_hub == (hub != kFree && hub != copy.to);
  }

  ValueId NewValue(size_t v, int order) {
    const auto id = static_cast<ValueId>(graph_.values.size());
    TensorType type = graph_.values[v].type;
    type.dim_order = problem_.orders[v][Index(order)];
    graph_.values.push_back({names_.Unique(graph_.values[v].name + DimOrderToString(type.dim_order)), type, nullptr});
    return id;
  }

  void AddCopy(const NeededCopy& copy) {
    const ValueId to = MakesOutput(copy) ? static_cast<ValueId>(copy.value) : NewValue(copy.value, copy.to);
    Node node;
    node.name = "copy:" + graph_.values[Index(to)].name;
    node.op = Op::kCloneDimOrder;
    node.inputs = {holders_.at({copy.value, copy.from, false})};
    node.output = to;
    holders_[{copy.value, copy.to, copy.from_hub}] = to;
    if (!answer_.hubs.empty() && !copy.from_hub && copy.to == answer_.hubs[copy.value]) hubs_.push_back(to);
    copies_[problem_.producer[copy.value]].push_back(std::move(node));
  }

  void Rewire() {
    for (size_t v = 0; v < problem_.consumers.size(); ++v) {
      for (const auto& [n, k] : problem_.consumers[v]) {
        int order = problem_.choices[Index(n)][Index(answer_.choices[Index(n)])].inputs[Index(k)];
        const int hub = HubFor(problem_, answer_, v, n);
        if (order == kFree) order = hub != kFree ? hub : MadeOrder(problem_, answer_.choices, v);
        graph_.nodes[Index(n)].inputs[Index(k)] = holders_.at({v, order, hub != kFree && order != hub});
      }
    }
  }

  // Copies go behind their producers; those of graph inputs come first.
  void Schedule() {
    std::vector<Node> nodes = std::move(copies_[-1]);
    std::vector<Claim> claims(nodes.size());
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      nodes.push_back(std::move(graph_.nodes[n]));
      claims.push_back(std::move(claims_[n]));
      for (Node& copy : copies_[static_cast<int>(n)]) {
        nodes.push_back(std::move(copy));
        claims.emplace_back();
      }
    }
    graph_.nodes = std::move(nodes);
    claims_ = std::move(claims);
  }

  Graph& graph_;
  const LayoutProblem& problem_;
  const LayoutAnswer& answer_;
  std::vector<Claim>& claims_;
  Names names_;
  // Who holds a value in one of its orders, as made or copied from there, or copied from its hub.
  std::map<std::tuple<size_t, int, bool>, ValueId> holders_;
  std::vector<ValueId> hubs_;
  std::map<int, std::vector<Node>> copies_;  // by the producer of what they copy; -1: graph inputs
};

ConstantData LaidOut(const Value& constant, const DimOrder& order) {
  const TensorType& type = constant.type;
  auto bytes = std::make_shared<std::vector<std::byte>>(constant.data->size());
  Check(ToDimOrder(constant.data->data(), bytes->data(), type.sizes, type.dim_order, order, DataTypeBytes(type.dtype)));
  return bytes;
}

}  // namespace

std::vector<ValueId> InsertCopies(Graph& graph, const LayoutProblem& problem, const LayoutAnswer& answer,
                                  std::vector<Claim>& claims) {
  return Inserter(graph, problem, answer, claims).Run();
}

int LayOutConstants(Graph& graph, const LayoutProblem& problem, const LayoutAnswer& answer) {
  int count = 0;
  Names names(graph);
  std::map<std::pair<ValueId, std::string>, ValueId> done;
  for (size_t n = 0; n < problem.choices.size(); ++n) {
    const LayoutChoice& choice = problem.choices[n][Index(answer.choices[n])];
    for (size_t k = 0; k < choice.constants.size(); ++k) {
      ValueId& input = graph.nodes[n].inputs[k];
      if (input == kNoValue || !graph.values[Index(input)].is_constant()) continue;
      const Value constant = graph.values[Index(input)];
      const DimOrder& order = choice.constants[k];
      TensorType type = constant.type;
      type.dim_order = order;
      if (order.size() != type.rank() || SameLayout(type, constant.type)) continue;
      const auto [known, is_new] =
          done.try_emplace({input, DimOrderToString(order)}, static_cast<ValueId>(graph.values.size()));
      if (is_new) {
        graph.values.push_back({names.Unique(constant.name + DimOrderToString(order)), type, LaidOut(constant, order)});
        ++count;
      }
      input = known->second;
    }
  }
  return count;
}

}  // namespace dimorder
