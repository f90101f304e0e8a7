// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_STORE_TRIALS_H_
#define DIMORDER_DISPATCH_STORE_TRIALS_H_

#include <cstdint>

#include "dispatch/integers.h"

namespace dimorder {
inline namespace v1 {

// Which moves to a destination in memory are stored all the same. What is written past the caches is in memory the next
// time, too, unless somebody reads it, so that moves that are repeated would be streamed for good. Therefore the second
// is stored, and now and then one later. Each trial doubles how many are streamed before the next, up to 255, and each
// destination that is not in memory halves it. On Zen 5 eight moves of 0.8 to 4 MB to one, two or four places in turn
// took 0.80 of the time of streaming all in a busy hour (0.51 to 1.12), to 31 places, which leave the caches, 1.01.
//
// Plans are copied as bytes: no std::atomic. Any number of threads may ask at once, and may lose each other's answers.
class StoreTrials {
 public:
  StoreTrials() = default;  // without a value
  // Whether to try at all.
  explicit StoreTrials(bool tries) noexcept : tries_(tries), between_(0), left_(1) {}

  // Whether to write the next move past the caches; `in_memory` is where its destination is.
  bool NextStreams(bool in_memory) noexcept {
    if (!tries_) return in_memory;
    const int64_t between = Load(between_);
    const int64_t left = Load(left_);
    if (!in_memory) {
      Store(&between_, between / 2);
    } else if (left != 0) {
      Store(&left_, left - 1);
    } else {
      const int64_t next = Min(2 * between + 1, kMost);
      Store(&between_, next);
      Store(&left_, next);
    }
    return in_memory && left != 0;
  }

 private:
  static constexpr int64_t kMost = 255;

  static int64_t Load(const uint8_t& value) { return __atomic_load_n(&value, __ATOMIC_RELAXED); }
  static void Store(uint8_t* to, int64_t value) { __atomic_store_n(to, static_cast<uint8_t>(value), __ATOMIC_RELAXED); }

  bool tries_;
  uint8_t between_;  // moves that are streamed between two trials
  uint8_t left_;     // and those still to come before the next
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_STORE_TRIALS_H_
