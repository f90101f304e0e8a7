// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_SPIN_LOCK_H_
#define DIMORDER_DISPATCH_SPIN_LOCK_H_

#include <atomic>

namespace dimorder {
inline namespace v1 {

// Loads before a lock is given up: about as long as it takes to make a plan, or as a thread may be descheduled.
inline constexpr int kSpins = 1000;
inline constexpr int kPatientSpins = 4 << 20;

// A flag's lock while in scope, if it was to be had. Nobody waits for good: after a fork the holder may not exist.
class Locked {
 public:
  Locked(std::atomic<bool>& flag, int spins) : flag_(flag) {
    for (int i = 0; i < spins && !owned_; ++i) {
      owned_ = !flag.load(std::memory_order_relaxed) && !flag.exchange(true, std::memory_order_acquire);
    }
  }
  ~Locked() {
    if (owned_) flag_.store(false, std::memory_order_release);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  explicit operator bool() const { return owned_; }

 private:
  std::atomic<bool>& flag_;
  bool owned_ = false;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_SPIN_LOCK_H_
