// SPDX-License-Identifier: Apache-2.0
#include "runtime/run/steps.h"

#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/passes/partition.h"
#include "runtime/run/make_kernel.h"

namespace dimorder {
namespace {

template <class T>
T Take(GraphResult<T> result) {
  Check(result.status());
  return std::move(result).value();
}

class StepMaker {
 public:
  explicit StepMaker(ProgramData& program) : program_(program) {
    options_.executor = program.options.executor;
    options_.allocator = program.options.allocator;
  }

  void Run(const std::vector<Partition>& partitions) {
    auto partition = partitions.begin();
    for (size_t n = 0; n < program_.graph.nodes.size();) {
      if (partition != partitions.end() && partition->nodes[0] == static_cast<NodeId>(n)) {
        n += partition->nodes.size();
        AddPart(*partition++);
      } else {
        AddNode(n++);
      }
    }
    program_.memory = PlanMemory(program_.graph, program_.plan_steps);
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      for (int input : program_.memory.in_place[i]) program_.runnables[i].kernel->LeaveOut(input);
      if (!program_.memory.renamed[i]) continue;
      program_.steps[i].moves_nothing = true;
      program_.runnables[i].kernel = nullptr;
    }
  }

 private:
  void AddNode(size_t n) {
    const Node& node = program_.graph.nodes[n];
    Runnable runnable;
    runnable.kernel = MakeKernel(program_.graph, node, options_);
    program_.plan_steps.push_back(
        {static_cast<NodeId>(n), node.inputs, {node.output}, runnable.kernel->ScratchBytes()});
    program_.steps.push_back({node.name, OpName(node.op), static_cast<NodeId>(n), 1, false});
    program_.runnables.push_back(std::move(runnable));
  }

  void AddPart(const Partition& partition) {
    const Delegate& delegate = *program_.options.delegates[static_cast<size_t>(partition.delegate)];
    const Graph part = ExtractPart(program_.graph, partition);
    Runnable runnable;
    In(std::string("delegate ") + delegate.name() + ", part '" + part.name + "'", [&] {
      runnable.blob = Take(delegate.Compile(part));
      runnable.part = Take(delegate.Load(runnable.blob));
      if (!runnable.part) Fail("loads nothing");
    });
    runnable.reads_past = delegate.reads_past();
    if (runnable.reads_past > kReadableTail) {
      FailUnsupported(std::string(delegate.name()) + " reads too far past tensors");
    }
    program_.plan_steps.push_back({-1, partition.inputs, partition.outputs, 0});
    program_.steps.push_back({program_.graph.nodes[static_cast<size_t>(partition.nodes[0])].name, delegate.name(),
                              partition.nodes[0], static_cast<int64_t>(partition.nodes.size()), false});
    program_.runnables.push_back(std::move(runnable));
  }

  ProgramData& program_;
  Options options_;
};

}  // namespace

void MakeSteps(ProgramData& program, std::vector<Claim> claims) {
  // Who only has wishes for layouts runs nothing.
  for (Claim& claim : claims) {
    const bool runs =
        claim.delegate != kNobody && program.options.delegates[static_cast<size_t>(claim.delegate)]->compiles();
    if (!runs) claim.delegate = kNobody;
  }
  const auto partitions = PartitionGraph(program.graph, claims);
  StepMaker(program).Run(partitions);
}

}  // namespace dimorder
