// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_PASSES_MEMORY_PLAN_H_
#define DIMORDER_RUNTIME_PASSES_MEMORY_PLAN_H_

#include <cstdint>
#include <span>
#include <vector>

#include "dimorder/delegate.h"

namespace dimorder {

// Alignment of each tensor of the arena, which has kReadableTail bytes behind it.
inline constexpr int64_t kTensorAlignment = 64;

struct Place {
  enum class Kind { kNone, kArena, kInput, kOutput, kConstant };
  Kind kind = Kind::kNone;
  int64_t at = 0;      // bytes into the arena, or the index of input, output or value
  int64_t offset = 0;  // bytes into the output
};

struct MemoryPlan {
  std::vector<Place> values;               // where the bytes of each value are
  std::vector<bool> renamed;               // steps that move nothing: their inputs' bytes are those of their output
  std::vector<std::vector<int>> in_place;  // of each cat and stack: the inputs that are made in the output
  std::vector<int64_t> scratch;            // bytes into the arena, of each step's scratch
  int64_t arena_bytes = 0;
};

// What is run in one go: a node, or a part of the graph.
struct PlanStep {
  NodeId node = -1;  // -1: a part
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  int64_t scratch_bytes = 0;
};

// A step for each node, without scratch.
std::vector<PlanStep> StepPerNode(const Graph& graph);

// Gives every value that a step reads or makes its place. A node whose output is a rename of its input
// gets no bytes of its own, unless the output is the caller's and the input is the caller's or a constant: no buffer of
// the caller's is ever another one's alias. Nor does an input of cat or stack that lies in the output as it lies alone.
// Values of the arena share bytes where their lifetimes are disjoint.
MemoryPlan PlanMemory(const Graph& graph, std::span<const PlanStep> steps);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_PASSES_MEMORY_PLAN_H_
