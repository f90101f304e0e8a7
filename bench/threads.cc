// SPDX-License-Identifier: Apache-2.0
#include "bench/threads.h"

#include "bench/thread_pool.h"
#ifdef DIMORDER_BENCH_OPENMP
#include "dimorder/openmp.h"
#endif

namespace dimorder::bench {

Threads::Threads(size_t threads) : kind_("serial"), executor_{sizeof(dimorder_executor), 1, nullptr, nullptr} {
  if (threads <= 1) return;
#ifdef DIMORDER_BENCH_OPENMP
  kind_ = "openmp";
  executor_ = OpenMPExecutor(threads);
#else
  kind_ = "std::thread";
  pool_ = std::make_unique<ThreadPool>(threads);
  const auto run = [](void* pool, size_t n, dimorder_task task, void* arg) {
    static_cast<ThreadPool*>(pool)->Run(n, task, arg);
  };
  executor_ = {sizeof(dimorder_executor), threads, run, pool_.get()};
#endif
}

Threads::~Threads() = default;

}  // namespace dimorder::bench
