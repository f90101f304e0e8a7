// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_THREADS_H_
#define DIMORDER_BENCH_THREADS_H_

#include <cstddef>
#include <memory>
#include <string>

#include "dimorder/executor.h"

namespace dimorder::bench {

class ThreadPool;

// The threads of a run, which moves and copies share: none, OpenMP's where the adapter is built, else our own.
class Threads {
 public:
  explicit Threads(size_t threads);
  ~Threads();

  size_t count() const { return executor_.concurrency; }
  // "serial", "openmp" or "std::thread".
  const std::string& kind() const { return kind_; }
  // For Options: null when serial.
  const dimorder_executor* executor() const { return count() > 1 ? &executor_ : nullptr; }

 private:
  std::string kind_;
  std::unique_ptr<ThreadPool> pool_;
  dimorder_executor executor_;
};

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_THREADS_H_
