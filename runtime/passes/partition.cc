// SPDX-License-Identifier: Apache-2.0
//
// Every node starts as a cluster of its own. Two clusters of one delegate with an edge between them become one unless
// there is another way from one to the other, through a third: then the union could not run in one go. Merging can only
// take such ways away or move them inside, so this goes on until no edge is left that can be contracted.
#include "runtime/passes/partition.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace dimorder {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

class Clusters {
 public:
  Clusters(const Graph& graph, std::span<const Claim> claims) : claims_(claims), of_(graph.nodes.size()) {
    std::iota(of_.begin(), of_.end(), 0);
    std::vector<int> maker(graph.values.size(), -1);
    for (size_t n = 0; n < graph.nodes.size(); ++n) maker[Index(graph.nodes[n].output)] = static_cast<int>(n);
    readers_.resize(graph.nodes.size());
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      for (ValueId id : graph.nodes[n].inputs) {
        if (id != kNoValue && maker[Index(id)] >= 0) readers_[Index(maker[Index(id)])].insert(static_cast<int>(n));
      }
    }
  }

  void Contract() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t n = 0; n < readers_.size(); ++n) {
        for (int reader : readers_[n]) changed = TryMerge(n, Index(reader)) || changed;
      }
    }
  }

  // The clusters, each as its nodes, in an order in which they can run: a cluster comes when all it reads from is
  // there.
  std::vector<std::vector<NodeId>> Ordered() const {
    std::vector<std::vector<NodeId>> members(of_.size());
    for (size_t n = 0; n < of_.size(); ++n) members[Index(of_[n])].push_back(static_cast<NodeId>(n));
    std::vector<std::vector<NodeId>> ordered;
    std::vector<bool> seen(of_.size(), false);
    for (size_t n = of_.size(); n-- > 0;) Visit(of_[n], members, seen, ordered);
    std::ranges::reverse(ordered);
    return ordered;
  }

 private:
  bool TryMerge(size_t a, size_t b) {
    const int from = of_[a];
    const int to = of_[b];
    const int delegate = claims_[a].delegate;
    if (from == to || delegate == kNobody || delegate != claims_[b].delegate || DetourExists(from, to)) return false;
    std::ranges::replace(of_, to, from);
    return true;
  }

  // Whether a path from one cluster to the other passes a third one.
  bool DetourExists(int from, int to) const {
    std::set<int> seen;
    std::vector<int> open;
    const auto push_readers = [&](int cluster) {
      for (size_t n = 0; n < of_.size(); ++n) {
        if (of_[n] != cluster) continue;
        for (int reader : readers_[n]) {
          const int next = of_[Index(reader)];
          if (next != cluster && (cluster != from || next != to) && seen.insert(next).second) open.push_back(next);
        }
      }
    };
    push_readers(from);
    while (!open.empty()) {
      const int cluster = open.back();
      open.pop_back();
      if (cluster == to) return true;
      push_readers(cluster);
    }
    return false;
  }

  // Depth first, readers before the cluster itself: reversed, that is an order in which all can run.
  void Visit(int cluster, const std::vector<std::vector<NodeId>>& members, std::vector<bool>& seen,
             std::vector<std::vector<NodeId>>& ordered) const {
    if (seen[Index(cluster)]) return;
    seen[Index(cluster)] = true;
    for (NodeId n : members[Index(cluster)]) {
      for (int reader : readers_[Index(n)]) Visit(of_[Index(reader)], members, seen, ordered);
    }
    ordered.push_back(members[Index(cluster)]);
  }

  std::span<const Claim> claims_;
  std::vector<int> of_;                 // the cluster of each node: one of its nodes
  std::vector<std::set<int>> readers_;  // the nodes that read from each
};

// Reorders nodes and claims, and renumbers the clusters.
void Reorder(std::vector<std::vector<NodeId>>& clusters, Graph& graph, std::vector<Claim>& claims) {
  std::vector<Node> nodes;
  std::vector<Claim> reordered;
  for (std::vector<NodeId>& cluster : clusters) {
    for (NodeId& n : cluster) {
      nodes.push_back(std::move(graph.nodes[Index(n)]));
      reordered.push_back(std::move(claims[Index(n)]));
      n = static_cast<NodeId>(nodes.size() - 1);
    }
  }
  graph.nodes = std::move(nodes);
  claims = std::move(reordered);
}

Partition MakePartition(const Graph& graph, const std::vector<NodeId>& nodes, int delegate) {
  Partition partition{delegate, nodes, {}, {}};
  std::set<ValueId> made;
  std::set<ValueId> read;
  const auto is_member = [&](size_t n) { return std::ranges::binary_search(nodes, static_cast<NodeId>(n)); };
  for (NodeId n : nodes) made.insert(graph.nodes[Index(n)].output);
  for (NodeId n : nodes) {
    for (ValueId id : graph.nodes[Index(n)].inputs) {
      if (id == kNoValue || graph.values[Index(id)].is_constant() || made.contains(id)) continue;
      if (read.insert(id).second) partition.inputs.push_back(id);
    }
  }
  std::set<ValueId> wanted(graph.outputs.begin(), graph.outputs.end());
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (!is_member(n)) wanted.insert(graph.nodes[n].inputs.begin(), graph.nodes[n].inputs.end());
  }
  for (ValueId id : made) {
    if (wanted.contains(id)) partition.outputs.push_back(id);
  }
  return partition;
}

// Copies values of a graph into a part of it, once each.
class PartMaker {
 public:
  explicit PartMaker(const Graph& graph) : graph_(graph), ids_(graph.values.size(), kNoValue) {}

  ValueId Take(ValueId id) {
    if (id == kNoValue) return kNoValue;
    if (ids_[Index(id)] == kNoValue) {
      ids_[Index(id)] = static_cast<ValueId>(part.values.size());
      part.values.push_back(graph_.values[Index(id)]);
    }
    return ids_[Index(id)];
  }

  Graph part;

 private:
  const Graph& graph_;
  std::vector<ValueId> ids_;
};

}  // namespace

Graph ExtractPart(const Graph& graph, const Partition& partition) {
  PartMaker maker(graph);
  maker.part.name = graph.name + ":" + graph.nodes[Index(partition.nodes[0])].name;
  for (ValueId id : partition.inputs) maker.part.inputs.push_back(maker.Take(id));
  for (NodeId n : partition.nodes) {
    Node node = graph.nodes[Index(n)];
    for (ValueId& id : node.inputs) id = maker.Take(id);
    node.output = maker.Take(node.output);
    maker.part.nodes.push_back(std::move(node));
  }
  for (ValueId id : partition.outputs) maker.part.outputs.push_back(maker.Take(id));
  return std::move(maker.part);
}

std::vector<Partition> PartitionGraph(Graph& graph, std::vector<Claim>& claims) {
  Clusters clusters(graph, claims);
  clusters.Contract();
  auto ordered = clusters.Ordered();
  Reorder(ordered, graph, claims);
  std::vector<Partition> partitions;
  for (const std::vector<NodeId>& nodes : ordered) {
    const int delegate = claims[Index(nodes[0])].delegate;
    if (delegate != kNobody) partitions.push_back(MakePartition(graph, nodes, delegate));
  }
  return partitions;
}

}  // namespace dimorder
