// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_ONCE_H_
#define DIMORDER_DISPATCH_ONCE_H_

#include <atomic>
#include <optional>

#include "dispatch/spin_lock.h"

namespace dimorder {
inline namespace v1 {

// A value that is made at its first use and is the same whoever makes it. No static local: a child that was forked
// while another thread made one would wait for it for good; this one makes its own, each time.
template <class T>
class Once {
 public:
  template <class Make>
  T Get(const Make& make) {
    return made_.load(std::memory_order_acquire) ? *value_ : MakeNow(make);
  }

 private:
  template <class Make>
  [[gnu::noinline]] T MakeNow(const Make& make) {
    const Locked lock(making_, Patience::kLong);
    if (made_.load(std::memory_order_acquire)) return *value_;
    if (!lock) return make();
    value_ = make();
    made_.store(true, std::memory_order_release);
    return *value_;
  }

  std::atomic<bool> made_{false};
  std::atomic<bool> making_{false};
  std::optional<T> value_;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_ONCE_H_
