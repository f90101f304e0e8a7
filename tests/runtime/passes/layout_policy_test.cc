// SPDX-License-Identifier: Apache-2.0
//
// Random graphs under all policies: every one computes what the graph computes without delegates and layouts, and the
// optimal one costs what an exhaustive search finds.
#include "runtime/passes/layout_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "runtime/passes/cancel_copies.h"
#include "runtime/passes/cost_network.h"
#include "tests/runtime/random_graph.h"

namespace dimorder {
namespace {

constexpr uint32_t kGraphs = DIMORDER_SLOW_BUILD ? 50 : 2000;
constexpr int kMaxNodes = 12;

constexpr LayoutPolicy kPolicies[] = {LayoutPolicy::kAnnotate, LayoutPolicy::kGlobal, LayoutPolicy::kBoundary,
                                      LayoutPolicy::kGreedy, LayoutPolicy::kOptimal};

// All ways to choose, depth first; given up where what is decided costs too much already.
class Exhaustive {
 public:
  explicit Exhaustive(const LayoutProblem& problem) : problem_(problem), chosen_(problem.choices.size(), 0) {
    last_.resize(chosen_.size());
    for (size_t v = 0; v < problem.orders.size(); ++v) {
      int last = problem.producer[v];
      for (const auto& [n, k] : problem.consumers[v]) last = std::max(last, n);
      if (last >= 0) last_[static_cast<size_t>(last)].push_back(v);
    }
  }

  double Run() {
    Descend(0, 0);
    return best_;
  }

 private:
  void Descend(size_t n, double cost) {
    if (cost >= best_) return;
    if (n == chosen_.size()) {
      best_ = cost;
      return;
    }
    for (size_t i = 0; i < problem_.choices[n].size(); ++i) {
      chosen_[n] = static_cast<int>(i);
      double more = problem_.choices[n][i].cost;
      for (size_t v : last_[n]) more += CopiesOf(v);
      Descend(n + 1, cost + more);
    }
  }

  // Of a value whose producer and consumers are all decided.
  double CopiesOf(size_t v) const {
    const int made = MadeOrder(problem_, chosen_, v);
    if (made == kFree) return 0;
    std::vector<bool> there(problem_.orders[v].size(), false);
    there[static_cast<size_t>(made)] = true;
    double cost = 0;
    const auto want = [&](int order) {
      if (order == kFree || there[static_cast<size_t>(order)]) return;
      there[static_cast<size_t>(order)] = true;
      cost += problem_.copy[v][static_cast<size_t>(made)][static_cast<size_t>(order)];
    };
    for (const auto& [n, k] : problem_.consumers[v]) {
      const auto choice = static_cast<size_t>(chosen_[static_cast<size_t>(n)]);
      want(problem_.choices[static_cast<size_t>(n)][choice].inputs[static_cast<size_t>(k)]);
    }
    want(problem_.wanted[v]);
    return cost;
  }

  const LayoutProblem& problem_;
  std::vector<int> chosen_;
  std::vector<std::vector<size_t>> last_;  // the values that a node is the last one to decide on
  double best_ = std::numeric_limits<double>::infinity();
};

double Tolerance(double cost) { return 1e-9 * (1 + cost); }

TEST(LayoutPolicy, OptimalEqualsExhaustiveSearch) {
  for (uint32_t seed = 0; seed < kGraphs; ++seed) {
    SCOPED_TRACE(seed);
    Graph graph = RandomGraph(seed, kMaxNodes);
    NormalizeCopies(graph);
    const RandomDelegate delegate(seed);
    const Delegate* delegates[] = {&delegate};
    const LayoutProblem problem = MakeLayoutProblem(graph, ClaimNodes(graph, delegates));
    const LayoutAnswer optimal = OptimalLayouts(problem, kMaxLayoutTable);
    ASSERT_TRUE(optimal.exact);
    ASSERT_NEAR(optimal.cost, Exhaustive(problem).Run(), Tolerance(optimal.cost));
    ASSERT_NEAR(optimal.cost, optimal.bound, Tolerance(optimal.cost));
    const LayoutAnswer chosen = AssignLayouts(graph, problem, LayoutPolicy::kOptimal);
    for (LayoutPolicy policy : kPolicies) ASSERT_LE(chosen.cost, AssignLayouts(graph, problem, policy).cost);
    // With tables too small to be exact: still a bound, and still an answer.
    const LayoutAnswer bounded = OptimalLayouts(problem, 16);
    ASSERT_LE(bounded.bound, optimal.cost + Tolerance(optimal.cost));
    ASSERT_GE(bounded.cost, optimal.cost - Tolerance(optimal.cost));
  }
}

TEST(LayoutPolicy, AllComputeTheSame) {
  for (uint32_t seed = 0; seed < kGraphs; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = RandomGraph(seed, kMaxNodes);
    const auto inputs = RandomInputs(graph, seed);
    const auto plain = Program::Create(graph, {.layout = LayoutPolicy::kAnnotate});
    ASSERT_TRUE(plain.ok()) << plain.status().message();
    auto expected = OutputsOf(graph);
    ASSERT_TRUE(RunProgram(*plain, inputs, expected).ok());
    const RandomDelegate delegate(seed);
    for (LayoutPolicy policy : kPolicies) {
      SCOPED_TRACE(LayoutPolicyName(policy));
      const auto program = Program::Create(graph, {.layout = policy, .delegates = {&delegate}});
      ASSERT_TRUE(program.ok()) << program.status().message() << ToText(graph);
      auto outputs = OutputsOf(graph);
      const GraphStatus status = RunProgram(*program, inputs, outputs);
      ASSERT_TRUE(status.ok()) << status.message() << ToText(program->graph());
      for (size_t i = 0; i < outputs.size(); ++i) {
        ASSERT_EQ(outputs[i].bytes, expected[i].bytes) << ToText(graph) << ToText(program->graph());
      }
    }
  }
}

// What is counted is what is run, up to copies that were merged away afterwards.
TEST(LayoutPolicy, ReportsTheCopiesThatItRuns) {
  GraphBuilder b("g");
  const TensorType image(DataType::kF32, {1, 8, 16, 16});
  const ValueId x = b.Input("x", image);
  const ValueId y = b.Add(Op::kTanh, {x}, {}, "inside");
  b.Output(b.Add(Op::kTanh, {y}, {}, "y"));
  class Nhwc final : public Delegate {
   public:
    const char* name() const noexcept override { return "nhwc"; }
    Support Query(const Graph&, const Node&) const override { return Support::Listed({{{kNHWC}, kNHWC, 0}}); }
  };
  const Nhwc nhwc;
  const auto program = Program::Create(b.Finish().value(), {.delegates = {&nhwc}});
  ASSERT_TRUE(program.ok()) << program.status().message();
  const CompileReport& report = program->report();
  ASSERT_EQ(report.copies.size(), 2u) << ToText(program->graph());
  EXPECT_EQ(report.copies[0].from, "input");
  EXPECT_EQ(report.copies[0].to, "inside");
  EXPECT_EQ(report.copies[1].to, "output");
  EXPECT_EQ(report.copied_bytes, 2 * 8192);
  EXPECT_EQ(report.boundary_bytes, 2 * 8192);
  EXPECT_TRUE(report.layout_exact);
  EXPECT_DOUBLE_EQ(report.copies[0].estimated_ns + report.copies[1].estimated_ns, report.layout_cost);
}

// Takes one op, and channels-last only.
class NhwcOp final : public Delegate {
 public:
  explicit NhwcOp(Op op) : op_(op) {}
  const char* name() const noexcept override { return OpName(op_); }
  Support Query(const Graph&, const Node& node) const override {
    return node.op == op_ ? Support::Listed({{{kNHWC}, kNHWC, 0}}) : Support::No("is not its op");
  }

 private:
  Op op_;
};

// Two delegates that work in the same order: only policy boundary has them hand over another.
TEST(LayoutPolicy, BoundaryHoldsBetweenDelegates) {
  GraphBuilder b("g");
  const TensorType image(DataType::kF32, {1, 8, 16, 16});
  const ValueId y = b.Add(Op::kTanh, {b.Input("x", image)}, {}, "first");
  b.Output(b.Add(Op::kSigmoid, {y}, {}, "second"));
  b.Output(b.Add(Op::kExp, {b.Add(Op::kSigmoid, {y})}, {}, "third", &kNHWC));
  const Graph graph = b.Finish().value();
  const NhwcOp tanh(Op::kTanh);
  const NhwcOp sigmoid(Op::kSigmoid);
  const auto program = Program::Create(graph, {.layout = LayoutPolicy::kBoundary, .delegates = {&tanh, &sigmoid}});
  ASSERT_TRUE(program.ok()) << program.status().message();
  const Graph& made = program->graph();
  const auto maker = [&](ValueId id) { return *std::ranges::find(made.nodes, id, &Node::output); };
  int checked = 0;
  for (const Node& node : made.nodes) {
    if (node.op != Op::kSigmoid) continue;
    const Node copy = maker(node.inputs[0]);
    ASSERT_EQ(copy.op, Op::kCloneDimOrder) << ToText(made);
    const ValueId handed = copy.inputs[0];
    EXPECT_EQ(made.values[static_cast<size_t>(handed)].type.dim_order, kNCHW);
    EXPECT_EQ(made.values[static_cast<size_t>(maker(handed).inputs[0])].type.dim_order, kNHWC);
    ++checked;
  }
  EXPECT_EQ(checked, 2);
  double cost = 0;
  for (const CopyReport& copy : program->report().copies) cost += copy.estimated_ns;
  EXPECT_DOUBLE_EQ(cost, program->report().layout_cost);
}

TEST(CostNetwork, MinimizesATriangle) {
  CostNetwork network;
  network.values = {2, 2, 2};
  const std::vector<double> differ = {1, 0, 0, 1};
  network.factors = {{{0, 1}, differ}, {{1, 2}, differ}, {{0, 2}, differ}, {{0}, {0.5, 0}}};
  const CostSolution solution = Minimize(network, 8);
  EXPECT_TRUE(solution.exact);
  EXPECT_EQ(solution.cost, 1);
  EXPECT_EQ(solution.bound, 1);
  EXPECT_EQ(solution.chosen[0], 1);
  const CostSolution bounded = Minimize(network, 4);
  EXPECT_FALSE(bounded.exact);
  EXPECT_LE(bounded.bound, 1);
}

// Longer than any model.
TEST(CostNetwork, MinimizesLongChains) {
  constexpr int kLength = 20000;
  const auto cost = [](int i, int a, int b) { return static_cast<double>((i * 7 + a * 3 + b * 5) % 11); };
  CostNetwork network;
  network.values.assign(kLength, 2);
  double least[2] = {0, 0};  // of the best way to each value of the last variable
  for (int i = 1; i < kLength; ++i) {
    network.factors.push_back({{i - 1, i}, {cost(i, 0, 0), cost(i, 0, 1), cost(i, 1, 0), cost(i, 1, 1)}});
    const double before[2] = {least[0], least[1]};
    for (int b : {0, 1}) least[b] = std::min(before[0] + cost(i, 0, b), before[1] + cost(i, 1, b));
  }
  const CostSolution solution = Minimize(network, 4);
  EXPECT_TRUE(solution.exact);
  EXPECT_EQ(solution.cost, std::min(least[0], least[1]));
  EXPECT_EQ(solution.bound, solution.cost);
}

}  // namespace
}  // namespace dimorder
