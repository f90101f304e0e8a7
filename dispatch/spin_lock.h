// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_SPIN_LOCK_H_
#define DIMORDER_DISPATCH_SPIN_LOCK_H_

#include <atomic>
#include <chrono>

#if __has_include(<sched.h>)
#include <sched.h>
#endif

namespace dimorder {
inline namespace v1 {

// How long a lock is waited for before one does without it.
enum class Patience {
  kBrief,  // about as long as it takes to make a plan
  kLong,   // as long as its holder may be descheduled, or throttled
};

// Lets other threads run, where there may be any.
inline void Yield() noexcept {
#if __has_include(<sched.h>)
  sched_yield();
#endif
}

// A flag's lock while in scope, if it was to be had. Nobody waits for good: after a fork the holder may not exist.
class Locked {
 public:
  Locked(std::atomic<bool>& flag, Patience patience) : flag_(flag) {
    Try();
    if (patience == Patience::kLong && !owned_) TryLong();
  }
  ~Locked() {
    if (owned_) flag_.store(false, std::memory_order_release);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  explicit operator bool() const { return owned_; }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr int kLoads = 1000;
  static constexpr std::chrono::milliseconds kLong{250};

  void Try() {
    for (int i = 0; i < kLoads && !owned_; ++i) {
      owned_ = !flag_.load(std::memory_order_relaxed) && !flag_.exchange(true, std::memory_order_acquire);
    }
  }

  [[gnu::noinline]] void TryLong() {
    for (const Clock::time_point end = Clock::now() + kLong; !owned_ && Clock::now() < end; Try()) Yield();
  }

  std::atomic<bool>& flag_;
  bool owned_ = false;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_SPIN_LOCK_H_
