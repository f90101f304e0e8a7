// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_L1_H_
#define DIMORDER_DISPATCH_L1_H_

#include <bit>
#include <cstdint>

#include "dispatch/integers.h"
#include "dispatch/machine.h"
#include "dispatch/once.h"
#include "kernels/kernels.h"

// How much of a strided access L1 holds.
namespace dimorder {
inline namespace v1 {

// Ways of a page each, as physical tags want them, and no more of them than this.
inline constexpr int64_t kL1WayBytes = 4096;
inline constexpr int64_t kMostL1Ways = 16;

// Where the last level is near, moves count on no more ways than these, and the rest are spare: Zen 5 has 12, and where
// all of them were counted on, rows and columns that collide took 12 times a copy instead of 1.6 (512x512 doubles), 6
// for 2.7 (1025x1025 of 2 bytes), 6 for 3 (1024x1024 bytes).
inline constexpr int64_t kNearL1Ways = 8;

// What L1 has, and what of it moves count on.
struct L1 {
  int64_t all_ways;
  int64_t ways;
};

inline L1 AskL1() {
  const int64_t all = Min(Max(MachineCaches().l1 / kL1WayBytes, 1), kMostL1Ways);
  return {all, LevelIsNear() ? Min(all, kNearL1Ways) : all};
}

inline constinit Once<L1> machine_l1;
inline L1 MachineL1() { return machine_l1.Get(AskL1); }

inline int64_t L1Ways() { return MachineL1().ways; }
inline int64_t L1Lines() { return kL1WayBytes / kLineBytes * L1Ways(); }
// Whether some ways are spare, that is, the last level is near and L1 larger than eight ways. Zen 5 is the only such
// core that was measured, also for what else hangs on this: that panels of four lines are best for memory
// (choose_lines.cc), line tiles in L2 (choose_tile.cc) and half lines in L1 (choose_abreast.cc).
inline bool HasSpareWays() { return MachineL1().ways < MachineL1().all_ways; }
// Whether L2 is larger than 512 KB where the last level is near. The only such cores that were measured are Zen 4, and
// Zen 5, which has spare ways, also for all that hangs on this: how rows and columns are told that L1 loses, which
// transposes go by long panels, by whole lines, ask for these, or are packed. Figures there are Zen 4's where nothing
// else is said. On Zen 5 plans of 2917 of 4000 random moves of whole source lines changed by it, with vectors of half a
// line, and took 0.84 of the time in the mean, 510 took 0.87 with those of a line; 813 and 788 of 6000 moves, most of
// them near pages, 0.87 and 0.87 (by the old plan and the new in turns, 0.42 to 1.56 each, 132 above 1.1).
inline bool HasLargeL2() { return LevelIsNear() && !StreamsWantRuns(); }

// Rows `stride` bytes apart that an L1 of so many ways holds a line of each at once. Lines a multiple of kL1WayBytes
// apart share a set, so strides near one (or near a half, a quarter of one) leave room for few: row r falls on byte r *
// stride of a way, and the lines it can fall on are as many as the way holds multiples of the stride's common divisor
// with it, a power of two. What the stride is more or less than whole lines adds up until the rows come by again; from
// a quarter of a line on, they move on before half of the set is theirs.
inline int64_t RowsInL1(int64_t stride, int64_t ways) {
  if (Magnitude(stride) < kLineBytes) return kL1WayBytes / kLineBytes * ways;
  const int64_t step = Magnitude(stride) % kL1WayBytes;
  const int64_t lines = (step + kLineBytes / 2) / kLineBytes;  // to the nearest line
  if (lines == 0 || lines == kL1WayBytes / kLineBytes) return ways;
  const int64_t sets = kL1WayBytes / kLineBytes >> std::countr_zero(static_cast<uint64_t>(lines));
  const bool moves_on = sets * Magnitude(step - lines * kLineBytes) >= kLineBytes / 4;
  return (moves_on ? kL1WayBytes / kLineBytes : sets) * ways;
}
inline int64_t RowsInL1(int64_t stride) { return RowsInL1(stride, L1Ways()); }

// The same where lines that are pages apart but for `least` bytes or more, to half of a line, do not collide, either:
// they move on in time if each is used once or so. Measured where L2 is large.
inline int64_t DriftingRowsInL1(int64_t stride, int64_t least) {
  const int64_t step = Magnitude(stride) % kL1WayBytes;
  const int64_t drift = Min(step, kL1WayBytes - step);
  return HasLargeL2() && drift >= least && drift <= kLineBytes / 2 ? L1Lines() : RowsInL1(stride);
}

// Rows after which L1 may have lost the first ones: where no more than 15 of them lie on different places of a way, and
// the next ones within so many bytes of these, as rows of a third of a page do; else as many as it has lines. Within an
// eighth of a line eight of them and more are on each place, as many as it has ways where this was measured.
inline int64_t RowsUntilLost(int64_t stride, int64_t within = kLineBytes / 8) {
  constexpr int64_t kMostPlaces = 15;
  if (Magnitude(stride) < kLineBytes) return L1Lines();
  const int64_t step = Magnitude(stride) % kL1WayBytes;
  int64_t at = 0;
  for (int64_t places = 1; places <= kMostPlaces; ++places) {
    at = (at + step) % kL1WayBytes;
    if (Min(at, kL1WayBytes - at) <= within) return places * L1Ways();
  }
  return L1Lines();
}

// Bytes of a source row under two microtiles side by side, whose columns L1 should hold a line each of.
inline constexpr int64_t kTwoTilesBytes = 32;

// At most so many rows as a panel, which should end where lines do: a power of two. (24 rows of floats instead of 16:
// 1.25 to 1.65 times as slow.)
inline int64_t WholePanel(int64_t rows) { return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(rows))); }

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_L1_H_
