// SPDX-License-Identifier: Apache-2.0
#include "dispatch/probe.h"

#include <chrono>

#include "dispatch/integers.h"
#include "dispatch/plan_data.h"
#include "kernels/kernels.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Near last levels answer within 10 to 30 ns (20 on Zen 4), memory after 70 or more (140), and a page that nobody has
// touched later still. Storing to that is faster: the system has just cleared it (600x600 floats 483 us for 709). Where
// others use the level, a few lines are lost that have just been written: up to 45 ns it counted as in the caches, 737
// of 5600 such questions about seven moves said that it was not, up to 65 ns 374.
constexpr int64_t kCachedNs = 65;
constexpr int64_t kMostNs = 375;

// Multiples of it leave a remainder, of 1, that is all over the place, however many there are.
constexpr double kGoldenSection = 0.6180339887498949;

// Takes the first digit, of base n, of a fraction in [0, 1), and leaves the rest of it.
int64_t TakeDigit(int64_t n, double* fraction) {
  const double steps = *fraction * static_cast<double>(n);
  const int64_t digit = Min(static_cast<int64_t>(steps), n - 1);
  *fraction = steps - static_cast<double>(digit);
  return digit;
}

// From where a kernel call writes to the element of its box, of so many steps of each axis, that is a fraction of the
// way through it.
int64_t PlaceInBox(const Piece& piece, const int64_t* counts, double fraction) {
  const KernelArgs& args = piece.args;
  const bool joined = GetKernelInfo(piece.kernel_id).family == Family::kJoined;
  const int64_t column = TakeDigit(counts[1], &fraction);
  int64_t place = joined ? args.joined().col_at[column] : column * args.inner[1].os;
  place += TakeDigit(counts[0], &fraction) * args.inner[0].os;
  place += TakeDigit(counts[2], &fraction) * args.inner[2].os;
  return place + TakeDigit(counts[3], &fraction) * args.inner[3].os;
}

// Where a piece writes the element that is a fraction of the way through its steps.
int64_t PlaceAt(const Piece& piece, double fraction) {
  int64_t place = piece.dst_offset;
  int64_t counts[kInnerAxes];
  for (int i = 0; i < kInnerAxes; ++i) counts[i] = piece.args.inner[i].n;
  for (int l = 0; l < piece.num_loops; ++l) {
    const Loop& loop = piece.loops[l];
    const int64_t index = TakeDigit(loop.n, &fraction);
    place += index * loop.os;
    if (loop.inner != Loop::kOuter) counts[loop.inner] = loop.CountIn(index, counts[loop.inner]);
  }
  return place + PlaceInBox(piece, counts, fraction);
}

}  // namespace

Probe MakeProbe(const Piece& piece, int32_t tasks) noexcept {
  Probe probe = {};
  double fraction = 0;
  for (int64_t& place : probe.places) {
    place = PlaceAt(piece, fraction / tasks);
    fraction += kGoldenSection;
    if (fraction >= 1) fraction -= 1;
  }
  return probe;
}

// Each place depends on what the one before it holds, so that they are not read at once. What the clock takes is not
// theirs.
bool IsInMemory(const Probe& probe, const void* dst) noexcept {
  using Clock = std::chrono::steady_clock;
  const volatile uint8_t* const bytes = static_cast<const uint8_t*>(dst);
  int64_t held = 0;
  const Clock::time_point before = Clock::now();
  const Clock::time_point begin = Clock::now();
  for (const int64_t place : probe.places) held = bytes[place + (held & probe.nothing)];
  const Clock::time_point end = Clock::now();
  const auto took = (end - begin) - (begin - before);
  return took > std::chrono::nanoseconds(kCachedNs * Probe::kPlaces) &&
         took < std::chrono::nanoseconds(kMostNs * Probe::kPlaces);
}

}  // namespace v1
}  // namespace dimorder
