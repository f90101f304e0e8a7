// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_ONCE_H_
#define DIMORDER_DISPATCH_ONCE_H_

#include <atomic>
#include <optional>

#include "dispatch/spin_lock.h"

namespace dimorder {
inline namespace v1 {

// A value that is made at its first use and is the same whoever makes it. No static local: a child that was forked
// while another thread made one would wait for it for good. This one waits a while, once, and then makes its own.
template <class T>
class Once {
 public:
  template <class Make>
  T Get(const Make& make) {
    return first_.made.load(std::memory_order_acquire) ? *first_.value : GetOther(make);
  }

 private:
  struct Slot {
    std::atomic<bool> made{false};
    std::atomic<bool> making{false};
    std::optional<T> value;
  };

  template <class Make>
  [[gnu::noinline]] T GetOther(const Make& make) {
    if (own_.made.load(std::memory_order_acquire)) return *own_.value;
    for (Slot* slot : {&first_, &own_}) {
      const Locked lock(slot->making, Patience::kLong);
      if (slot->made.load(std::memory_order_acquire)) return *slot->value;
      if (!lock) continue;
      slot->value = make();
      slot->made.store(true, std::memory_order_release);
      return *slot->value;
    }
    return make();
  }

  Slot first_;
  Slot own_;  // a child's, whose first one nobody makes any more
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_ONCE_H_
