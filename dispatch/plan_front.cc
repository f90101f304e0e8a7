// SPDX-License-Identifier: Apache-2.0
//
// The life of a thread's front. It is freed by a pthread key, not by the destructor of a thread_local object: to
// register such a destructor may end the process where memory is short, and it keeps the library from being unloaded.
#include "dispatch/plan_front.h"

#include <atomic>
#include <cstdint>
#include <new>

#include "dispatch/plan_cache.h"

#if __has_include(<pthread.h>)
#include <pthread.h>
#endif

namespace dimorder {
inline namespace v1 {

constinit thread_local PlanFront* thread_front = nullptr;

namespace {

void DeleteThreadFront() {
  PlanFront* front = thread_front;
  if (front == nullptr) return;
  thread_front = nullptr;
  AddPlanCacheHits(front->TakeHits());
  delete front;
}

#if __has_include(<pthread.h>)

// The key plus 1; 0 before it is made. No static local: a child forked while another thread made one would wait for it.
constinit std::atomic<uint64_t> exit_key{0};

void OnThreadExit(void*) { DeleteThreadFront(); }

// Has OnThreadExit called for this thread.
bool CallOnThreadExit() {
  uint64_t known = exit_key.load(std::memory_order_acquire);
  if (known == 0) {
    pthread_key_t key;
    if (pthread_key_create(&key, &OnThreadExit) != 0) return false;
    const uint64_t made = uint64_t{key} + 1;
    if (exit_key.compare_exchange_strong(known, made, std::memory_order_acq_rel)) {
      known = made;
    } else {
      pthread_key_delete(key);
    }
  }
  // Any value but null: a null one calls nothing.
  return pthread_setspecific(static_cast<pthread_key_t>(known - 1), &exit_key) == 0;
}

// When the library is unloaded, and when the process ends: threads that end later must not call into it, and its memory
// goes back, but for the fronts of those threads. Calls that come later still work.
[[gnu::destructor]] void OnUnload() {
  const uint64_t known = exit_key.exchange(0, std::memory_order_acq_rel);
  if (known != 0) pthread_key_delete(static_cast<pthread_key_t>(known - 1));
  DeleteThreadFront();
  ClearSharedPlans();
}

#else

bool CallOnThreadExit() { return false; }

#endif

}  // namespace

PlanFront* ThreadFront() noexcept {
  if (thread_front == nullptr && CallOnThreadExit()) thread_front = new (std::nothrow) PlanFront;
  return thread_front;
}

}  // namespace v1
}  // namespace dimorder
