// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_XNNPACK_H_
#define DIMORDER_XNNPACK_H_

#include <cstddef>
#include <memory>

#include "dimorder/delegate.h"
#include "dimorder/executor.h"
#include "dimorder/export.h"

// Component dimorder::xnnpack, a library of its own: the graph runtime's delegate for XNNPACK, and its threads.
//
//   auto xnnpack = dimorder::NewXnnpackDelegate();              // GraphResult<std::unique_ptr<Delegate>>
//   auto threads = dimorder::XnnpackThreads::Create(4);         // for XNNPACK and for dimorder's moves alike
//   auto program = dimorder::Program::Create(
//       graph, {.delegates = {xnnpack->get()}, .executor = threads->executor()});
struct pthreadpool;

namespace dimorder {
inline namespace v1 {

// Runs convolutions, pools, matrix products with constant weights, and what lies between them, on NHWC data: on f32,
// and of quantized models, whose weights may have scales per channel, what XNNPACK has on i8 and u8, each op within one
// quantum of the reference. Its blobs may be loaded by whichever version of XNNPACK: weights are packed for the machine
// when a context is made. Packed weights and what lies between the nodes of a part are XNNPACK's own memory, from the
// heap; copies of outputs that a context keeps come from CompileOptions::allocator. Fails where XNNPACK does
// not run on this machine.
DIMORDER_EXPORT GraphResult<std::unique_ptr<Delegate>> NewXnnpackDelegate() noexcept;

// An executor on a thread pool of the caller's, which outlives all that use it. XNNPACK runs on the pool itself. Given
// an executor of another kind, the delegate makes a pool of as many threads.
DIMORDER_EXPORT dimorder_executor PthreadpoolExecutor(pthreadpool* pool) noexcept;

// A thread pool and its executor.
class XnnpackThreads {
 public:
  XnnpackThreads() = default;

  // `threads` threads, the caller's among them; 0: as many as the machine has.
  DIMORDER_EXPORT static GraphResult<XnnpackThreads> Create(size_t threads) noexcept;

  // Stays where it is when the object is moved, and ends with it. nullptr if default-constructed.
  const dimorder_executor* executor() const noexcept { return executor_.get(); }

 private:
  std::shared_ptr<pthreadpool> pool_;
  std::unique_ptr<dimorder_executor> executor_;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_XNNPACK_H_
