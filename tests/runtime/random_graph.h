// SPDX-License-Identifier: Apache-2.0
#ifndef TESTS_RUNTIME_RANDOM_GRAPH_H_
#define TESTS_RUNTIME_RANDOM_GRAPH_H_

#include <cstdint>

#include "tests/runtime/part_delegate.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {

// A graph of 1 to `max_nodes` small nodes, among them permutes, reshapes and concatenations, whose inputs and outputs
// are in random orders. The same for the same seed.
Graph RandomGraph(uint32_t seed, int max_nodes);

// Inputs for it.
std::vector<TestTensor> RandomInputs(const Graph& graph, uint32_t seed);

// Takes some of the nodes, each in layouts that its seed picks: any, all the same, or one to three lists. Runs them
// itself for every second seed.
class RandomDelegate final : public PartDelegate {
 public:
  explicit RandomDelegate(uint32_t seed) : seed_(seed) {}
  const char* name() const noexcept override { return "random"; }
  Support Query(const Graph& graph, const Node& node) const override;
  bool compiles() const noexcept override { return seed_ % 2 == 0; }

 private:
  uint32_t seed_;
};

}  // namespace dimorder

#endif  // TESTS_RUNTIME_RANDOM_GRAPH_H_
