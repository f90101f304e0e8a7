// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_PROGRAM_H_
#define DIMORDER_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dimorder/delegate.h"
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

// Who decides which dim order each value between the graph's inputs and outputs is in. Those themselves keep the order
// that they are declared in, whatever the policy.
enum class LayoutPolicy : int32_t {
  kAnnotate = 0,  // each delegate's values in its own order, all else in the logical order
  kGlobal = 1,    // everything channels-last that can be
  kBoundary = 2,  // values leave delegates in the logical order, also for others
  kGreedy = 3,    // a walk from inputs to outputs that follows the orders it finds
  kOptimal = 4,   // the least cost of copies over the whole graph, by Plan::EstimatedCost
};
inline constexpr int kNumLayoutPolicies = 5;
// "annotate", ...
DIMORDER_EXPORT const char* LayoutPolicyName(LayoutPolicy policy) noexcept;

struct CompileOptions {
  LayoutPolicy layout = LayoutPolicy::kOptimal;
  // Asked in this order, for each node; must outlive the program.
  std::vector<const Delegate*> delegates = {};
  GuardPolicy guard = GuardPolicy::kError;
  // Memory for the plans of the program's moves and for what contexts hold of tensors: all that lies between inputs and
  // outputs, copies of callers' tensors where a run finds that it needs them (GuardPolicy::kConvert's plans are in the
  // plan cache), and what delegates take from it (DelegateProgram::NewContext). nullptr is the heap. Must outlive the
  // program and its contexts.
  const dimorder_allocator* allocator = nullptr;
  // Compiling fails when more copies are left, or more bytes in them. -1: no limit.
  int64_t max_copies = -1;
  int64_t max_copied_bytes = -1;
  // Threads for the moves: nullptr is serial. Must outlive the program.
  const dimorder_executor* executor = nullptr;
};

// A caller's tensor: what it is, in its own words, and where.
struct InputBuffer {
  TensorType type;
  const void* data = nullptr;
  int64_t readable_past = 0;  // bytes after its end that may be read: spares delegates that do so a copy
};
struct OutputBuffer {
  TensorType type;
  void* data = nullptr;
};

// A copy that the compiler put in, or that it left where the graph had one.
struct CopyReport {
  std::string node;
  std::string value;  // what it copies
  TensorType type;    // in the order that it is made in
  DimOrder order;     // and in which it is wanted
  std::string from;   // the node that makes it, or "input"
  std::string to;     // the nodes that want it in that order, or "output"
  int64_t bytes = 0;
  double estimated_ns = 0;
  std::string reason;
};

// What compiling decided.
struct CompileReport {
  LayoutPolicy layout = LayoutPolicy::kOptimal;
  // Estimated nanoseconds of all copies and of all choices of layout; no choice costs less than the bound, and where
  // the layouts are exact, none costs less than these. A bound is proven by kOptimal only. Inputs of cat count as moved
  // into it, though some are then made there.
  double layout_cost = 0;
  double layout_bound = 0;
  bool layout_exact = false;
  std::vector<CopyReport> copies;
  std::vector<std::string> cancelled;  // nodes of the graph that went, and why
  int64_t copied_bytes = 0;            // sum over `copies`
  int64_t boundary_bytes = 0;          // of those, what lies between the caller and the first or last node
  int64_t constants_folded = 0;        // nodes that were run once, when compiling
  int64_t batch_norms_folded = 0;      // into the convolutions before them
  int64_t constants_laid_out = 0;      // constants that lie in another order now
  int64_t arena_bytes = 0;             // a context's memory
  // Nodes that were dequantize -> op -> quantize and work on integers now; those that delegates left, and why.
  int64_t quantized_nodes = 0;
  std::vector<std::string> not_quantized;
};

// A step of a program: a node, or a part that a delegate runs.
struct ProgramStep {
  std::string name;  // the node's, or that of the part's first node
  std::string what;  // the op, or the delegate
  NodeId first_node = 0;
  int64_t nodes = 1;
  bool moves_nothing = false;  // its inputs' bytes are those of its output: it is never run
};

// When a step ran, by std::chrono::steady_clock.
struct StepTime {
  size_t step = 0;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
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

  // From now on each run appends when each step ran. nullptr, the default: none does.
  void RecordTimes(std::vector<StepTime>* times) noexcept { times_ = times; }

 private:
  friend class Program;
  std::shared_ptr<ContextData> data_;
  std::vector<StepTime>* times_ = nullptr;
};

// A compiled graph. Immutable; copies share it; any number of threads may make contexts of it.
class Program {
 public:
  Program() = default;

  DIMORDER_EXPORT static GraphResult<Program> Create(const Graph& graph, const CompileOptions& options = {}) noexcept;

  DIMORDER_EXPORT GraphResult<Context> NewContext() const noexcept;

  // The graph as it is run: copies that the compiler put in are nodes of it.
  DIMORDER_EXPORT const Graph& graph() const noexcept;
  DIMORDER_EXPORT const CompileReport& report() const noexcept;
  // In the order in which they run.
  DIMORDER_EXPORT const std::vector<ProgramStep>& steps() const noexcept;
  // What Delegate::Compile made of the part that a step runs; empty for other steps.
  DIMORDER_EXPORT std::span<const std::byte> blob(size_t step) const noexcept;

 private:
  std::shared_ptr<const ProgramData> data_;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_PROGRAM_H_
