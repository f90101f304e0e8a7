// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_MACHINE_H_
#define DIMORDER_DISPATCH_MACHINE_H_

#include <cstdint>

#include "dispatch/once.h"

namespace dimorder {
inline namespace v1 {

// Data caches in bytes: of one core for L1 and L2, of the cores that share it for the last level.
struct Caches {
  int64_t l1;
  int64_t l2;
  int64_t last;
};

// Asks the operating system; what it does not say is 32 KB, 512 KB, 8 MB.
Caches AskCaches() noexcept;

inline constinit Once<Caches> machine_caches;
inline Caches MachineCaches() noexcept { return machine_caches.Get(AskCaches); }

// Whether the last level is nearer to a core than memory is. A larger one is a whole socket's, beyond a mesh: a core
// writes past it faster than into it.
inline bool LevelIsNear() noexcept { return MachineCaches().last <= int64_t{96} << 20; }

// Whether a core is slow to stream single lines to one place of many pages: a load from that place of any page waits
// until the lines before it have left the core (Zen 3: up to 47 ns a line for 4; runs of 512 bytes 3 to 5). Told by an
// L2 of 512 KB or less.
inline bool StreamsWantRuns() noexcept { return LevelIsNear() && MachineCaches().l2 <= 512 << 10; }

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_MACHINE_H_
