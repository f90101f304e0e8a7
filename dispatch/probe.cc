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

// Goes down a number in [0, 1) digit by digit: the next of a digit that has `n` values.
int64_t TakeDigit(int64_t n, double* part) {
  const double steps = *part * static_cast<double>(n);
  const int64_t digit = Min(static_cast<int64_t>(steps), n - 1);
  *part = steps - static_cast<double>(digit);
  return digit;
}

// Where a kernel call writes an element of its box that is a part of the way through it. `counts` are the box's.
int64_t PlaceInBox(const Piece& piece, const int64_t* counts, double part) {
  const Family family = GetKernelInfo(piece.kernel_id).family;
  if (family == Family::kTwoPass) return 0;
  const KernelArgs& args = piece.args;
  const int64_t column = TakeDigit(counts[1], &part);
  int64_t place = family == Family::kJoined ? args.joined().col_at[column] : column * args.inner[1].os;
  for (const int i : {0, 2, 3}) place += TakeDigit(counts[i], &part) * args.inner[i].os;
  return place;
}

// Where a piece writes an element that is a part of the way through its steps.
int64_t PlaceAt(const Piece& piece, double part) {
  int64_t place = piece.dst_offset;
  int64_t counts[kInnerAxes];
  for (int i = 0; i < kInnerAxes; ++i) counts[i] = piece.args.inner[i].n;
  for (int l = 0; l < piece.num_loops; ++l) {
    const Loop& loop = piece.loops[l];
    const int64_t index = TakeDigit(loop.n, &part);
    place += index * loop.os;
    if (loop.inner != Loop::kOuter && index == loop.n - 1) counts[loop.inner] = loop.last;
  }
  return place + PlaceInBox(piece, counts, part);
}

}  // namespace

Probe MakeProbe(const Piece& piece, int32_t tasks) noexcept {
  Probe probe = {};
  double part = 0;
  for (int64_t& place : probe.places) {
    place = PlaceAt(piece, part / tasks);
    part += kGoldenSection;
    if (part >= 1) part -= 1;
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
