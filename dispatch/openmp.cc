// SPDX-License-Identifier: Apache-2.0
#include "dimorder/openmp.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#if __has_include(<pthread.h>)
#include <pthread.h>
#endif

namespace {

// Fork leaves the child without OpenMP's threads, and some runtimes would wait for them for ever. The parent may have
// started them through code that is not ours, so every child counts: the handler is in place from loading on.
bool has_threads = true;

#if __has_include(<pthread.h>)
[[gnu::constructor]] void WatchForks() {
  has_threads = pthread_atfork(nullptr, nullptr, [] { has_threads = false; }) == 0;
}
#endif

int ToThreads(size_t n) { return static_cast<int>(std::min<size_t>(n, std::numeric_limits<int>::max())); }

// The executor's context is its number of threads.
void ParallelFor(void* ctx, size_t n, dimorder_task task, void* arg) {
  const size_t threads = std::min(n, reinterpret_cast<uintptr_t>(ctx));
  if (threads <= 1 || !has_threads || omp_in_parallel()) {
    for (size_t i = 0; i < n; ++i) task(arg, i);
    return;
  }
  const int64_t end = static_cast<int64_t>(n);
#pragma omp parallel for num_threads(ToThreads(threads)) schedule(static, 1)
  for (int64_t i = 0; i < end; ++i) task(arg, static_cast<size_t>(i));
}

}  // namespace

dimorder_executor dimorder_openmp_executor(size_t threads) {
  const size_t wanted = threads == 0 ? static_cast<size_t>(std::max(1, omp_get_max_threads())) : threads;
  return {sizeof(dimorder_executor), wanted, &ParallelFor, reinterpret_cast<void*>(uintptr_t{wanted})};
}
