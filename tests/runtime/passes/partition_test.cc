// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "tests/runtime/random_graph.h"

namespace dimorder {
namespace {

const TensorType kVector(DataType::kF32, {4});

// Claims the nodes whose op is in the list.
std::vector<Claim> ClaimOps(const Graph& graph, const std::vector<Op>& ops) {
  std::vector<Claim> claims(graph.nodes.size());
  for (size_t n = 0; n < claims.size(); ++n) {
    if (std::ranges::count(ops, graph.nodes[n].op)) claims[n].delegate = 0;
  }
  return claims;
}

// relu -> tanh -> add(relu, tanh): with tanh elsewhere, relu and add cannot be one.
TEST(Partition, NoPathLeavesAndComesBack) {
  GraphBuilder b("diamond");
  const ValueId r = b.Add(Op::kRelu, {b.Input("x", kVector)});
  const ValueId t = b.Add(Op::kTanh, {r});
  b.Output(b.Add(Op::kAdd, {r, t}));
  Graph graph = b.Finish().value();
  auto claims = ClaimOps(graph, {Op::kRelu, Op::kAdd});
  const auto partitions = PartitionGraph(graph, claims);
  ASSERT_EQ(partitions.size(), 2u);
  EXPECT_EQ(partitions[0].outputs, std::vector<ValueId>{r});
  EXPECT_EQ(partitions[1].inputs, (std::vector<ValueId>{r, t}));

  auto all = ClaimOps(graph, {Op::kRelu, Op::kAdd, Op::kTanh});
  const auto one = PartitionGraph(graph, all);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].nodes.size(), 3u);
  EXPECT_EQ(one[0].inputs.size(), 1u);
  EXPECT_EQ(one[0].outputs.size(), 1u);
}

// Which nodes each node is reached from, by Floyd and Warshall.
std::vector<std::vector<bool>> Reachable(const Graph& graph) {
  const size_t n = graph.nodes.size();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = 0; b < n; ++b) reach[a][b] = std::ranges::count(graph.nodes[b].inputs, graph.nodes[a].output) > 0;
  }
  for (size_t k = 0; k < n; ++k) {
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = 0; b < n; ++b) reach[a][b] = reach[a][b] || (reach[a][k] && reach[k][b]);
    }
  }
  return reach;
}

bool IsConvex(const std::vector<std::vector<bool>>& reach, const std::vector<NodeId>& nodes) {
  for (NodeId a : nodes) {
    for (NodeId b : nodes) {
      for (size_t k = 0; k < reach.size(); ++k) {
        const bool inside = std::ranges::count(nodes, static_cast<NodeId>(k)) > 0;
        if (!inside && reach[static_cast<size_t>(a)][k] && reach[k][static_cast<size_t>(b)]) return false;
      }
    }
  }
  return true;
}

TEST(Partition, RandomGraphsStayGraphsAndPartitionsConvex) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Graph graph = RandomGraph(seed, 14);
    const RandomDelegate delegate(seed);
    const Delegate* delegates[] = {&delegate};
    auto claims = ClaimNodes(graph, delegates);
    const auto claimed = std::ranges::count_if(claims, [](const Claim& c) { return c.delegate != kNobody; });
    const auto partitions = PartitionGraph(graph, claims);
    ASSERT_TRUE(Verify(graph).ok()) << Verify(graph).message();
    const auto reach = Reachable(graph);
    int64_t in_partitions = 0;
    for (const Partition& partition : partitions) {
      in_partitions += static_cast<int64_t>(partition.nodes.size());
      ASSERT_TRUE(IsConvex(reach, partition.nodes));
      for (size_t i = 1; i < partition.nodes.size(); ++i) ASSERT_EQ(partition.nodes[i], partition.nodes[i - 1] + 1);
    }
    ASSERT_EQ(in_partitions, claimed);
  }
}

}  // namespace
}  // namespace dimorder
