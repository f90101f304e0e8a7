// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_EXECUTORS_H_
#define DIMORDER_TESTS_EXECUTORS_H_

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "dimorder/executor.h"

// Executors at the two ends of what executor.h allows.
namespace dimorder::test {

// Claims `concurrency` threads but runs the tasks on the caller's, last one first.
inline dimorder_executor ReversedExecutor(size_t concurrency) {
  const auto run = [](void*, size_t n, dimorder_task task, void* arg) {
    while (n-- > 0) task(arg, n);
  };
  return {sizeof(dimorder_executor), concurrency, run, nullptr};
}

// A new std::thread for every task but the first: slow, re-entrant, and nothing to get wrong.
inline dimorder_executor ThreadExecutor(size_t concurrency) {
  const auto run = [](void*, size_t n, dimorder_task task, void* arg) {
    std::vector<std::thread> threads;
    for (size_t i = 1; i < n; ++i) threads.emplace_back(task, arg, i);
    if (n > 0) task(arg, 0);
    for (std::thread& thread : threads) thread.join();
  };
  return {sizeof(dimorder_executor), concurrency, run, nullptr};
}

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_EXECUTORS_H_
