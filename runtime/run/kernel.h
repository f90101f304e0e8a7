// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_KERNEL_H_
#define DIMORDER_RUNTIME_RUN_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/graph.h"

namespace dimorder {

struct KernelBuffers {
  std::span<const void* const> inputs;  // nullptr for one that is left out
  void* output;
  void* scratch;  // ScratchBytes() of them, aligned to 64
};

// A node made ready to run: any number of times, from any number of threads, each with buffers of its own.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void Run(const KernelBuffers& buffers) const = 0;  // throws Error
  // The input's bytes are in the output already, wherever that is: from now on they are not moved.
  virtual void LeaveOut(int /*input*/) {}
  virtual int64_t ScratchBytes() const { return 0; }
  // Of the moves in it, as Plan::EstimatedCost() has them, and the payload that they move.
  virtual double EstimatedCost() const { return 0; }
  virtual int64_t BytesMoved() const { return 0; }
};

// copy/copy_kernel.cc: the ops that IsLowered.
std::unique_ptr<Kernel> MakeCopyKernel(const Node& node, std::vector<const TensorType*> inputs,
                                       const TensorType& output, const Options& options);
// reference/reference.cc: all others, in any dim orders.
std::unique_ptr<Kernel> MakeReferenceKernel(const Node& node, const std::vector<const TensorType*>& inputs,
                                            const TensorType& output);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_KERNEL_H_
