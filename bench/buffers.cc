// SPDX-License-Identifier: Apache-2.0
#include "bench/buffers.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "dispatch/integers.h"
#include "kernels/kernels.h"

namespace dimorder::bench {
namespace {

constexpr int64_t kPage = 4096;
constexpr int64_t kDstPhase = 1088;
// Between a source and its destination, touched, as memory beside a tensor mostly is. What processors read ahead past
// the source's last rows would else be lines of the destination that another thread writes: two threads moved
// 1x64x56x56 of 2 bytes to NHWC in 7.8 us right behind the source, in 5.8 far from it, and where a line took 300 ns
// between the two CPUs and back instead of 55, in 23 and 6.4.
constexpr int64_t kGapBytes = int64_t{256} * 1024;
constexpr int64_t kOnePairBytes = int64_t{16} << 20;
// Of all placements together. Pairs of which not the fewest fit have one: two or three are few for a median, sets of L2
// decide little of what is larger, and a last level is shared with others.
constexpr int64_t kPlacedBytes = int64_t{8} << 20;
constexpr int64_t kFewestPlacements = 4;
static_assert(kPlacedBytes <= kOnePairBytes);  // what is taken in turn has one placement
constexpr int64_t kRotationBytes = int64_t{192} << 20;

// Small pages, so that results do not depend on whether the kernel had large ones to give.
uint8_t* MapPages(int64_t bytes) {
  void* pages = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_NOHUGEPAGE
  madvise(pages, static_cast<size_t>(bytes), MADV_NOHUGEPAGE);
#endif
  return static_cast<uint8_t*>(pages);
}

// Bytes that differ from their neighbours on every axis of any shape: splitmix64 of the position.
void FillPseudoRandom(uint8_t* bytes, int64_t n) {
  for (int64_t i = 0; i < n; i += 8) {
    uint64_t z = (static_cast<uint64_t>(i) + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    std::memcpy(bytes + i, &z, static_cast<size_t>(n - i < 8 ? n - i : 8));
  }
}

}  // namespace

int64_t PairsFor(int64_t bytes) {
  if (bytes <= kOnePairBytes) return 1;
  const int64_t pairs = CeilDivide(kRotationBytes, bytes);
  return pairs | 1;
}

int64_t PlacementsFor(int64_t bytes, int64_t most) {
  const int64_t fitting = kPlacedBytes / std::max<int64_t>(bytes, 1);
  return fitting < kFewestPlacements ? 1 : std::min(fitting, most);
}

BufferPairs::BufferPairs(int64_t src_bytes, int64_t dst_bytes, int64_t most_placements)
    : count_(PairsFor(src_bytes + dst_bytes)), placements_(PlacementsFor(src_bytes + dst_bytes, most_placements)) {
  dst_offset_ = RoundUp(src_bytes, kPage) + kGapBytes + kDstPhase;
  pair_bytes_ = RoundUp(dst_offset_ + dst_bytes, kPage);
  base_ = MapPages(pairs() * pair_bytes_);
  for (int64_t i = 0; i < pairs(); ++i) {
    uint8_t* const pair = base_ + i * pair_bytes_;
    FillPseudoRandom(pair, src_bytes);
    std::memset(pair + dst_offset_ - kGapBytes, 0, static_cast<size_t>(kGapBytes + dst_bytes));
  }
}

void BufferPairs::ReadDst(int64_t turn) const {
  const volatile uint8_t* const bytes = dst(turn);
  for (int64_t i = 0; i < pair_bytes_ - dst_offset_; i += kLineBytes) static_cast<void>(bytes[i]);
}

BufferPairs::BufferPairs(BufferPairs&& other) noexcept { *this = std::move(other); }

BufferPairs& BufferPairs::operator=(BufferPairs&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(count_, other.count_);
  std::swap(placements_, other.placements_);
  std::swap(placement_, other.placement_);
  std::swap(pair_bytes_, other.pair_bytes_);
  std::swap(dst_offset_, other.dst_offset_);
  return *this;
}

BufferPairs::~BufferPairs() {
  if (base_ != nullptr) munmap(base_, static_cast<size_t>(pairs() * pair_bytes_));
}

}  // namespace dimorder::bench
