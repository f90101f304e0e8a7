// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_PROGRAM_DATA_H_
#define DIMORDER_RUNTIME_RUN_PROGRAM_DATA_H_

#include <memory>
#include <vector>

#include "dimorder/program.h"
#include "runtime/passes/memory_plan.h"
#include "runtime/run/kernel.h"

namespace dimorder {
inline namespace v1 {

struct ProgramData {
  Graph graph;
  std::vector<Value> outputs;  // as the caller knows them: name and type
  CompileOptions options;
  CompileReport report;
  std::vector<std::unique_ptr<Kernel>> kernels;  // one per node; null where nothing is moved
  MemoryPlan memory;
};

struct FreeDeleter {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t(kTensorAlignment)); }
};

struct ContextData {
  std::shared_ptr<const ProgramData> program;
  std::unique_ptr<std::byte[], FreeDeleter> arena;
  std::vector<void*> values;  // the bytes of each; those of inputs and outputs are set by each run
  // Memory for callers' tensors that lie in another order (GuardPolicy::kConvert), made when first needed.
  std::vector<std::vector<std::byte>> staged_inputs;
  std::vector<std::vector<std::byte>> staged_outputs;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_PROGRAM_DATA_H_
