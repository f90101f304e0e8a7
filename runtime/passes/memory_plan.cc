// SPDX-License-Identifier: Apache-2.0
//
// Values that are renames of each other form a class that shares one place: that of its first member if it comes from
// outside, that of a graph output if one is among them, or else a block of the arena. Then classes join into larger
// ones: an input of cat or stack that would have a block of its own, and whose bytes lie in the output as they lie
// alone, is made there. Blocks live from the step that makes the first member to the last step that reads any; the
// largest are placed first, each at the lowest offset at which no block that lives at the same time lies.
#include "runtime/passes/memory_plan.h"

#include <algorithm>
#include <numeric>

#include "runtime/copy/lower.h"
#include "runtime/error.h"

namespace dimorder {
namespace {

struct Block {
  int64_t bytes;
  size_t first;  // steps
  size_t last;
  int64_t offset = 0;
};

class Planner {
 public:
  Planner(const Graph& graph, std::span<const PlanStep> steps)
      : graph_(graph),
        steps_(steps),
        root_(graph.values.size()),
        whole_(graph.values.size(), kNoValue),
        offset_(graph.values.size(), 0),
        is_output_(graph.values.size()) {
    std::iota(root_.begin(), root_.end(), 0);
    plan_.values.resize(graph.values.size());
    plan_.renamed.assign(steps.size(), false);
    plan_.in_place.resize(steps.size());
    plan_.scratch.assign(steps.size(), 0);
  }

  MemoryPlan Run() {
    PlaceFixed();
    for (size_t i = 0; i < steps_.size(); ++i) Rename(i);
    CountReaders();
    for (size_t i = 0; i < steps_.size(); ++i) JoinSlices(i);
    MakeBlocks();
    PlaceBlocks();
    for (size_t v = 0; v < root_.size(); ++v) {
      const auto [root, offset] = Locate(v);
      plan_.values[v] = plan_.values[root];
      (plan_.values[v].kind == Place::Kind::kArena ? plan_.values[v].at : plan_.values[v].offset) += offset;
    }
    return std::move(plan_);
  }

 private:
  // What is not the arena's: inputs, constants, and outputs that a node makes.
  void PlaceFixed() {
    for (size_t v = 0; v < graph_.values.size(); ++v) {
      if (graph_.values[v].is_constant()) plan_.values[v] = {Place::Kind::kConstant, static_cast<int64_t>(v)};
    }
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
      plan_.values[static_cast<size_t>(graph_.outputs[i])] = {Place::Kind::kOutput, static_cast<int64_t>(i)};
      is_output_[static_cast<size_t>(graph_.outputs[i])] = true;
    }
    for (size_t i = 0; i < graph_.inputs.size(); ++i) {
      plan_.values[static_cast<size_t>(graph_.inputs[i])] = {Place::Kind::kInput, static_cast<int64_t>(i)};
    }
  }

  bool MovesNothing(const Node& node) const {
    if (node.inputs.size() != 1 || !IsCopyOp(node.op)) return false;
    const TensorType& in = graph_.values[static_cast<size_t>(node.inputs[0])].type;
    const TensorType& out = graph_.values[static_cast<size_t>(node.output)].type;
    const auto order = RenameOutputOrder(node, in, out);
    return order && SameLayout(TensorType(out.dtype, out.sizes, *order), out);
  }

  void Rename(size_t i) {
    if (steps_[i].node < 0) return;
    const Node& node = graph_.nodes[static_cast<size_t>(steps_[i].node)];
    if (!MovesNothing(node)) return;
    const auto out = static_cast<size_t>(node.output);
    const size_t root = root_[static_cast<size_t>(node.inputs[0])];
    if (is_output_[out]) {
      if (plan_.values[root].kind != Place::Kind::kNone) return;
      plan_.values[root] = plan_.values[out];
    }
    root_[out] = root;
    plan_.renamed[i] = true;
  }

  void CountReaders() {
    readers_.assign(graph_.values.size(), 0);
    for (size_t i = 0; i < steps_.size(); ++i) {
      for (ValueId id : steps_[i].inputs) {
        if (id != kNoValue && !plan_.renamed[i]) ++readers_[root_[static_cast<size_t>(id)]];
      }
    }
  }

  void JoinSlices(size_t i) {
    if (steps_[i].node < 0) return;
    const Node& node = graph_.nodes[static_cast<size_t>(steps_[i].node)];
    if (node.op != Op::kCat && node.op != Op::kStack) return;
    const auto output = static_cast<size_t>(node.output);
    std::vector<const TensorType*> types;
    for (ValueId id : node.inputs) types.push_back(&graph_.values[static_cast<size_t>(id)].type);
    const CopySteps copy = LowerCopy(node, types, graph_.values[output].type);
    for (const auto& step : copy.steps) {
      const auto& move = std::get<MoveStep>(step);
      const size_t root = root_[static_cast<size_t>(node.inputs[static_cast<size_t>(move.from)])];
      // What is joined is one slice's already; a reader that wants room behind a tensor finds none in the caller's.
      const bool joinable = whole_[root] == kNoValue && plan_.values[root].kind == Place::Kind::kNone &&
                            (plan_.values[output].kind == Place::Kind::kNone || readers_[root] == 1);
      if (!joinable || !SameStrides(move.src, move.dst)) continue;
      whole_[root] = node.output;
      offset_[root] = move.dst.offset;
      plan_.in_place[i].push_back(move.from);
    }
    plan_.renamed[i] = !copy.steps.empty() && plan_.in_place[i].size() == copy.steps.size();
  }

  // The value whose place this one's is in, and how far.
  std::pair<size_t, int64_t> Locate(size_t v) const {
    size_t root = root_[v];
    int64_t offset = 0;
    while (whole_[root] != kNoValue) {
      offset += offset_[root];
      root = root_[static_cast<size_t>(whole_[root])];
    }
    return {root, offset};
  }

  void MakeBlocks() {
    std::vector<size_t> block_of(graph_.values.size(), SIZE_MAX);
    const auto touch = [&](ValueId id, size_t step) {
      if (id == kNoValue) return;
      const size_t root = Locate(static_cast<size_t>(id)).first;
      if (plan_.values[root].kind != Place::Kind::kNone) return;
      if (block_of[root] == SIZE_MAX) {
        block_of[root] = blocks_.size();
        owners_.push_back(&plan_.values[root]);
        blocks_.push_back({Rounded(NumBytes(graph_.values[root].type)), step, step});
      }
      blocks_[block_of[root]].last = step;
    };
    for (size_t i = 0; i < steps_.size(); ++i) {
      for (ValueId id : steps_[i].inputs) touch(id, i);
      for (ValueId id : steps_[i].outputs) touch(id, i);
      if (plan_.renamed[i] || steps_[i].scratch_bytes == 0) continue;
      scratch_owner_.emplace_back(blocks_.size(), i);
      owners_.push_back(nullptr);
      blocks_.push_back({Rounded(steps_[i].scratch_bytes), i, i});
    }
  }

  static int64_t Rounded(int64_t bytes) {
    int64_t sum;
    if (__builtin_add_overflow(bytes, kReadableTail + kTensorAlignment - 1, &sum)) Fail("the arena is too large");
    return sum / kTensorAlignment * kTensorAlignment;
  }

  void PlaceBlocks() {
    std::vector<size_t> by_size(blocks_.size());
    std::iota(by_size.begin(), by_size.end(), 0);
    std::ranges::sort(by_size, [&](size_t x, size_t y) {
      return blocks_[x].bytes != blocks_[y].bytes ? blocks_[x].bytes > blocks_[y].bytes : x < y;
    });
    std::vector<const Block*> placed;  // by offset
    for (size_t b : by_size) {
      Block& block = blocks_[b];
      for (const Block* other : placed) {
        if (other->last < block.first || block.last < other->first) continue;
        if (block.offset + block.bytes <= other->offset) break;
        block.offset = std::max(block.offset, other->offset + other->bytes);
      }
      if (block.offset > INT64_MAX - block.bytes) Fail("the arena is too large");
      placed.insert(std::ranges::upper_bound(placed, block.offset, {}, [](const Block* p) { return p->offset; }),
                    &block);
      plan_.arena_bytes = std::max(plan_.arena_bytes, block.offset + block.bytes);
      if (owners_[b]) *owners_[b] = {Place::Kind::kArena, block.offset};
    }
    for (const auto& [b, step] : scratch_owner_) plan_.scratch[step] = blocks_[b].offset;
  }

  const Graph& graph_;
  std::span<const PlanStep> steps_;
  std::vector<size_t> root_;      // per value: the first of its class
  std::vector<ValueId> whole_;    // per root: what it is a slice of
  std::vector<int64_t> offset_;   // and how far in it
  std::vector<int64_t> readers_;  // per root: steps that read any of its class
  std::vector<bool> is_output_;
  std::vector<Block> blocks_;
  std::vector<Place*> owners_;                            // whose block it is; null for scratch
  std::vector<std::pair<size_t, size_t>> scratch_owner_;  // block, step
  MemoryPlan plan_;
};

}  // namespace

std::vector<PlanStep> StepPerNode(const Graph& graph) {
  std::vector<PlanStep> steps;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    steps.push_back({static_cast<NodeId>(n), graph.nodes[n].inputs, {graph.nodes[n].output}, 0});
  }
  return steps;
}

MemoryPlan PlanMemory(const Graph& graph, std::span<const PlanStep> steps) { return Planner(graph, steps).Run(); }

}  // namespace dimorder
