// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_PROGRAM_DATA_H_
#define DIMORDER_RUNTIME_RUN_PROGRAM_DATA_H_

#include <memory>
#include <vector>

#include "dimorder/program.h"
#include "runtime/buffer.h"
#include "runtime/passes/memory_plan.h"
#include "runtime/run/kernel.h"

namespace dimorder {
inline namespace v1 {

static_assert(Buffer::kAlignment % kTensorAlignment == 0);

// How a step of the program is run: by a kernel, by a delegate, or, for a rename, not at all.
struct Runnable {
  std::unique_ptr<Kernel> kernel;
  std::shared_ptr<const DelegateProgram> part;
  std::vector<std::byte> blob;
  int64_t reads_past = 0;
};

// The four lists of steps, and the memory plan's, run in parallel.
struct ProgramData {
  Graph graph;
  std::vector<Value> outputs;  // as the caller knows them: name and type
  CompileOptions options;
  CompileReport report;
  std::vector<ProgramStep> steps;
  std::vector<PlanStep> plan_steps;
  std::vector<Runnable> runnables;
  MemoryPlan memory;
};

struct ContextData {
  std::shared_ptr<const ProgramData> program;
  Buffer arena;
  std::vector<void*> values;  // the bytes of each; those of inputs and outputs are set by each run
  std::vector<std::unique_ptr<DelegateContext>> parts;  // per step; null where no delegate runs it
  // Memory for callers' tensors that lie in another order (GuardPolicy::kConvert), made when first needed.
  std::vector<Buffer> staged_inputs;
  std::vector<Buffer> staged_outputs;
  // Per value: a copy with kReadableTail bytes behind it for delegates that read past the end, made when first needed.
  std::vector<Buffer> padded;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_PROGRAM_DATA_H_
