// SPDX-License-Identifier: Apache-2.0
#include "bench/thread_pool.h"

namespace dimorder::bench {

ThreadPool::ThreadPool(size_t threads) {
  for (size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { Work(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::Run(size_t n, dimorder_task task, void* arg) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_ = task;
    arg_ = arg;
    n_ = n;
    next_.store(0, std::memory_order_relaxed);
    running_ = workers_.size();
    ++job_;
  }
  wake_.notify_all();
  Drain();
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [this] { return running_ == 0; });
}

void ThreadPool::Work() {
  uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stop_ || job_ != seen; });
    if (stop_) return;
    seen = job_;
    lock.unlock();
    Drain();
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

void ThreadPool::Drain() {
  for (size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < n_;) task_(arg_, i);
}

}  // namespace dimorder::bench
