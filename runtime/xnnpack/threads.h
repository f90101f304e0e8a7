// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_XNNPACK_THREADS_H_
#define DIMORDER_RUNTIME_XNNPACK_THREADS_H_

#include <pthreadpool.h>

#include <map>
#include <memory>
#include <mutex>

#include "dimorder/executor.h"

namespace dimorder {

// The pools that stand in for executors that are not made of one: one for each number of threads.
class Pools {
 public:
  // The pool to run on for `executor`; nullptr for the caller's thread alone.
  std::shared_ptr<pthreadpool> For(const dimorder_executor* executor);

 private:
  std::mutex mutex_;
  std::map<size_t, std::shared_ptr<pthreadpool>> pools_;
};

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_XNNPACK_THREADS_H_
