// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_PROGRAM_H_
#define DIMORDER_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dimorder/executor.h"
#include "dimorder/export.h"
#include "dimorder/graph.h"

// Compiling a graph and running it:
//
//   auto program = dimorder::Program::Create(graph);
//   auto context = program->NewContext();                       // one per thread
//   context->Run({{{x_type, x}}}, {{{y_type, y}}});             // GraphStatus
namespace dimorder {
inline namespace v1 {

// What happens when a caller's tensor is not laid out as the graph declares it. Its type and sizes must agree always.
enum class GuardPolicy : int32_t {
  kError = 0,    // an error that names the tensor and both orders
  kConvert = 1,  // it is moved into, or out of, the declared order
};

struct CompileOptions {
  GuardPolicy guard = GuardPolicy::kError;
  // Threads for the moves: nullptr is serial. Must outlive the program.
  const dimorder_executor* executor = nullptr;
};

// A caller's tensor: what it is, in its own words, and where.
struct InputBuffer {
  TensorType type;
  const void* data = nullptr;
};
struct OutputBuffer {
  TensorType type;
  void* data = nullptr;
};

struct ProgramData;  // runtime/run/program_data.h
struct ContextData;

// What one run needs: memory for all that lies between inputs and outputs. For one thread at a time.
class Context {
 public:
  Context() = default;

  // Runs the program on one buffer per graph input and output, in the graph's order. Output buffers may share no byte
  // with each other or with an input. Each buffer is held against the graph's declaration first (GuardPolicy): never is
  // a tensor read in another order than it was declared in.
  DIMORDER_EXPORT GraphStatus Run(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs) noexcept;

 private:
  friend class Program;
  std::shared_ptr<ContextData> data_;
};

// A compiled graph. Immutable; copies share it; any number of threads may make contexts of it.
class Program {
 public:
  Program() = default;

  DIMORDER_EXPORT static GraphResult<Program> Create(const Graph& graph, const CompileOptions& options = {}) noexcept;

  DIMORDER_EXPORT GraphResult<Context> NewContext() const noexcept;

  // The graph as it is run: copies that the compiler put in are nodes of it.
  DIMORDER_EXPORT const Graph& graph() const noexcept;
  // Bytes of a context's memory.
  DIMORDER_EXPORT int64_t ArenaBytes() const noexcept;

 private:
  std::shared_ptr<const ProgramData> data_;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_PROGRAM_H_
