// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PROBE_H_
#define DIMORDER_DISPATCH_PROBE_H_

#include <cstdint>

namespace dimorder {
inline namespace v1 {

struct Piece;

// A few places that a move writes to. How soon they can be read tells whether the destination is in the caches.
struct Probe {
  static constexpr int kPlaces = 4;
  int64_t places[kPlaces];  // bytes from the destination's pointer
  int64_t nothing;          // 0, which compilers cannot know
};

// Places all over what the first of `tasks` tasks writes of a piece: most executors run that one on the caller's
// thread, whose caches then hold what it wrote the last time. What others wrote may be as far as memory: where two CPUs
// are on different parts of a Zen 4 (300 ns there and back), moves that asked all over the destination were streamed
// for good, 24x25x26x27 floats in 2.2 to 3.6 times the time. (Where another thread runs it, nothing is gained.)
Probe MakeProbe(const Piece& piece, int32_t tasks) noexcept;

// Whether a probe's places are read as slowly as memory is: not in the caches, and pages of a program's own. Reads each
// once, in 0.6 us where so, 0.1 us where they are in the caches.
bool IsInMemory(const Probe& probe, const void* dst) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PROBE_H_
