// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_TOOL_BACKENDS_H_
#define DIMORDER_RUNTIME_TOOL_BACKENDS_H_

#include <memory>
#include <string>
#include <vector>

#include "dimorder/delegate.h"
#if DIMORDER_HAS_XNNPACK
#include "dimorder/xnnpack.h"
#endif

namespace dimorder {

// What this build of dimorder-run has to run a program on.
class Backends {
 public:
  // Throws Error for a delegate, or more than one thread, that the build does not have.
  Backends(const std::vector<std::string>& delegates, int64_t threads);

  std::vector<const Delegate*> delegates() const;
  const dimorder_executor* executor() const { return executor_; }  // nullptr: serial

 private:
  void AddDelegate(const std::string& name);
  void MakeThreads(size_t threads);

  std::vector<std::unique_ptr<Delegate>> delegates_;
  const dimorder_executor* executor_ = nullptr;
#if DIMORDER_HAS_XNNPACK
  XnnpackThreads pool_;
#else
  dimorder_executor openmp_ = {};
#endif
};

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_TOOL_BACKENDS_H_
