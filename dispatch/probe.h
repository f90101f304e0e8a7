// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PROBE_H_
#define DIMORDER_DISPATCH_PROBE_H_

#include <cstdint>

namespace dimorder {
inline namespace v1 {

// A few places that a move writes to. How soon they can be read tells whether the destination is in the caches.
struct Probe {
  static constexpr int kPlaces = 4;
  int64_t places[kPlaces];  // bytes from the destination's pointer
  int64_t nothing;          // 0, which compilers cannot know
};

struct Piece;

// Places all over what the first of a plan's tasks writes of a piece. On threads, what others wrote the last time may
// be in caches of theirs that are as far as memory is (on two parts of a Zen 4, 300 ns there and back): asked all over
// the destination, 24x25x26x27 floats would be streamed for good, in twice the time.
Probe MakeProbe(const Piece& piece, int32_t tasks) noexcept;

// Whether they are read as slowly as memory is: not in the caches, and pages of a program's own. Reads each once, in
// 0.6 us where so, 0.1 us where they are in the caches.
bool IsInMemory(const Probe& probe, const void* dst) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PROBE_H_
