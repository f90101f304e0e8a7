// SPDX-License-Identifier: Apache-2.0
// The cost model: a constant per call, one per kernel call, and the payload at a rate.
//
// Rates are payload bytes per nanosecond with 32-byte vectors, rounded from runs of dimorder-bench on a 2.4 GHz Zen 3
// server. They need to be right relative to each other, not to the machine at hand.
#include "dispatch/rates.h"

namespace dimorder {
inline namespace v1 {
namespace {

constexpr double kCallNs = 20;
constexpr double kKernelNs = 5;
constexpr double kRunNs = 1;
constexpr double kElementNs = 1;   // of the generic kernel
constexpr double kCopyRate = 28;   // within the caches
constexpr double kMemoryRate = 8;  // beyond them
constexpr int64_t kCachedBytes = 8 << 20;
constexpr double kTileRates[5] = {11, 18, 22, 20, 20};  // elements of 1, 2, 4, 8, 16 bytes
constexpr double kPixelRate = 9;                        // elements of 3, 5, 6, 7 bytes

double TileRate(int64_t element_bytes) {
  if ((element_bytes & (element_bytes - 1)) != 0) return kPixelRate;
  return kTileRates[__builtin_ctzll(static_cast<unsigned long long>(element_bytes))];
}

}  // namespace

double EstimateCost(const Shape& shape, int64_t bytes) noexcept {
  double calls = 1;
  for (int i = 0; i < shape.num_outer; ++i) calls *= static_cast<double>(shape.outer[i].n);
  const double payload = static_cast<double>(bytes);
  double rate = kCopyRate;
  double ns = kCallNs;
  switch (shape.family) {
    case Family::kGeneric:
      ns += payload / static_cast<double>(shape.element_bytes) * kElementNs;
      break;
    case Family::kShuffle:
    case Family::kLookup:
      ns += kKernelNs;
      break;
    case Family::kTile:
      rate = TileRate(shape.element_bytes);
      ns += calls * kKernelNs;
      break;
    case Family::kZip:
    case Family::kUnzip:
    case Family::kPick:
      ns += calls * kKernelNs;
      break;
    default:
      ns += payload / static_cast<double>(shape.inner[0].n) * kRunNs;
  }
  if (bytes > kCachedBytes && rate > kMemoryRate) rate = kMemoryRate;
  return ns + payload / rate;
}

}  // namespace v1
}  // namespace dimorder
