// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_BUFFERS_H_
#define DIMORDER_BENCH_BUFFERS_H_

#include <cstddef>
#include <cstdint>

// The memory that contenders of one case share. Sharing matters: two copies of the same code on separate buffers
// differ by up to 55 percent from the luck of page placement alone.
namespace dimorder::bench {

// Source and destination pairs on ordinary small pages, as most programs have them. Sources start at a page,
// destinations 1088 bytes behind one, with a gap between: aligned to a cache line, but not aliased with the source
// modulo 4 KB. Up to 16 MB in all there is one pair, so caches stay warm; above, an odd number of pairs over at least
// 192 MB is taken in turn, so that each call finds its pair in DRAM. (Odd, for then all pairs come to all places of a
// block.) Sources hold pseudo-random bytes. Movable; frees everything when it goes.
//
// How the physical pages of the one pair happen to share the sets of L2 is luck: 64x3136 elements of 2 bytes took 1.56
// to 2.24 times a copy in eight processes. A median over placements, which are several such pairs, one at a time, has
// less of it: 1.76 to 1.77 in four. (What is still luck is where a plan's scratch is.)
class BufferPairs {
 public:
  BufferPairs() = default;
  // Throw std::bad_alloc.
  BufferPairs(int64_t src_bytes, int64_t dst_bytes, int64_t most_placements = 1);
  explicit BufferPairs(int64_t bytes) : BufferPairs(bytes, bytes) {}
  BufferPairs(BufferPairs&& other) noexcept;
  BufferPairs& operator=(BufferPairs&& other) noexcept;
  ~BufferPairs();

  int64_t count() const { return count_; }
  int64_t placements() const { return placements_; }

  // From here on calls find the pair that is this placement, modulo their number.
  void Place(int64_t placement) { placement_ = placement % placements_; }

  // The pair of call number `turn`.
  const uint8_t* src(int64_t turn) const { return base_ + Index(turn) * pair_bytes_; }
  uint8_t* dst(int64_t turn) const { return base_ + Index(turn) * pair_bytes_ + dst_offset_; }

  // Reads all lines of its destination, as whoever uses it next would.
  void ReadDst(int64_t turn) const;

 private:
  int64_t pairs() const { return count_ * placements_; }
  int64_t Index(int64_t turn) const { return count_ == 1 ? placement_ : turn % count_; }

  uint8_t* base_ = nullptr;
  int64_t count_ = 0;
  int64_t placements_ = 1;
  int64_t placement_ = 0;
  int64_t pair_bytes_ = 0;
  int64_t dst_offset_ = 0;
};

// The most placements that records are taken on.
inline constexpr int64_t kMostPlacements = 8;

// The number of pairs of so many bytes, both sides together, that are taken in turn.
int64_t PairsFor(int64_t bytes);
// The number of such pairs that are placements: of up to 2 MB each four or more, but no more than `most`, which is at
// least 1; of more one.
int64_t PlacementsFor(int64_t bytes, int64_t most);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_BUFFERS_H_
