// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PROBE_H_
#define DIMORDER_DISPATCH_PROBE_H_

#include <cstdint>

#include "dispatch/problem.h"

namespace dimorder {
inline namespace v1 {

// A few places that a move writes to. How soon they can be read tells whether the destination is in the caches.
struct Probe {
  static constexpr int kPlaces = 4;
  int64_t places[kPlaces];  // bytes from the destination's pointer
  int64_t nothing;          // 0, which compilers cannot know
};

// Places of a canonical problem that has bytes, all over its destination.
Probe MakeProbe(const Problem& problem) noexcept;

// Whether they are read as slowly as memory is: not in the caches, and pages of a program's own. Reads each once, in
// 0.6 us where so, 0.1 us where they are in the caches.
bool IsInMemory(const Probe& probe, const void* dst) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PROBE_H_
