// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_THREADS_TOGETHER_H_
#define DIMORDER_TESTS_THREADS_TOGETHER_H_

#include <cstddef>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

namespace dimorder::test {

// Calls work(0) .. work(n - 1) in n threads that start at the same moment; returns when all are done.
inline void Together(size_t n, const std::function<void(size_t)>& work) {
  std::latch start(static_cast<std::ptrdiff_t>(n));
  std::vector<std::thread> threads;
  for (size_t t = 0; t < n; ++t) {
    threads.emplace_back([&, t] {
      start.arrive_and_wait();
      work(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_THREADS_TOGETHER_H_
