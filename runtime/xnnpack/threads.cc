// SPDX-License-Identifier: Apache-2.0
#include "runtime/xnnpack/threads.h"

#include <utility>

#include "dimorder/xnnpack.h"
#include "runtime/error.h"

namespace dimorder {
namespace {

void RunOnPool(void* pool, size_t n, dimorder_task task, void* arg) {
  pthreadpool_parallelize_1d(static_cast<pthreadpool_t>(pool), task, arg, n, 0);
}

std::shared_ptr<pthreadpool> NewPool(size_t threads) {
  std::shared_ptr<pthreadpool> pool(pthreadpool_create(threads), pthreadpool_destroy);
  if (!pool) throw Error(StatusCode::kOutOfMemory, "cannot create a pool of threads");
  return pool;
}

}  // namespace

std::shared_ptr<pthreadpool> Pools::For(const dimorder_executor* executor) {
  if (!executor || executor->concurrency <= 1) return nullptr;
  if (executor->parallel_for == &RunOnPool) {
    return {std::shared_ptr<void>(), static_cast<pthreadpool_t>(executor->ctx)};  // not ours: nothing to own
  }
  const std::lock_guard lock(mutex_);
  auto& pool = pools_[executor->concurrency];
  if (!pool) pool = NewPool(executor->concurrency);
  return pool;
}

inline namespace v1 {

dimorder_executor PthreadpoolExecutor(pthreadpool* pool) noexcept {
  return {sizeof(dimorder_executor), pthreadpool_get_threads_count(pool), &RunOnPool, pool};
}

GraphResult<XnnpackThreads> XnnpackThreads::Create(size_t threads) noexcept {
  return Guarded([&]() -> GraphResult<XnnpackThreads> {
    XnnpackThreads made;
    made.pool_ = NewPool(threads);
    made.executor_ = std::make_unique<dimorder_executor>(PthreadpoolExecutor(made.pool_.get()));
    return made;
  });
}

}  // namespace v1
}  // namespace dimorder
