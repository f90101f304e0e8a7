// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_THREAD_POOL_H_
#define DIMORDER_BENCH_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "dimorder/executor.h"

namespace dimorder::bench {

// A fixed set of threads that sleep between jobs. One job at a time, handed over by the thread that made the pool.
class ThreadPool {
 public:
  // The caller of Run counts as one of the threads.
  explicit ThreadPool(size_t threads);
  ~ThreadPool();

  // Calls task(arg, i) for each i below n; returns after the last.
  void Run(size_t n, dimorder_task task, void* arg);

  size_t size() const { return workers_.size() + 1; }

 private:
  void Work();
  // Takes tasks until none is left.
  void Drain();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  uint64_t job_ = 0;    // grows with each Run
  size_t running_ = 0;  // workers that have not finished the job
  bool stop_ = false;
  dimorder_task task_ = nullptr;
  void* arg_ = nullptr;
  size_t n_ = 0;
  std::atomic<size_t> next_{0};
  std::vector<std::thread> workers_;
};

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_THREAD_POOL_H_
