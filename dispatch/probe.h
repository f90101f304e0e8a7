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
// thread, whose caches then hold what it wrote the last time. What others wrote may be as far as memory is, and moves
// that ask all over the destination are then streamed for good: where a line took 300 ns between two CPUs and back,
// four perms of 24x25x26x27 floats took 1.5 to 2.3 times as long (where it took 55 ns, 1.0). Where another thread runs
// the first task, nothing is gained.
Probe MakeProbe(const Piece& piece, int32_t tasks) noexcept;

// Whether a probe's places are read as slowly as memory is: not in the caches, and pages of a program's own. Reads each
// once, in 0.6 us where so, 0.1 us where they are in the caches.
bool IsInMemory(const Probe& probe, const void* dst) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PROBE_H_
