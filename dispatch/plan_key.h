// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLAN_KEY_H_
#define DIMORDER_DISPATCH_PLAN_KEY_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "dimorder/dimorder.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {

// Writes the words of a PlanKey. Its position and hash stay in registers, which is why it is apart from the key.
class PlanKeyWriter {
 public:
  explicit PlanKeyWriter(uint64_t* words) : begin_(words), next_(words) {}

  size_t size() const { return static_cast<size_t>(next_ - begin_); }
  // Multiplied out, so that any few bits of it may choose a slot.
  uint64_t Hash() const {
    const uint64_t mixed = (hash_ ^ (hash_ >> 32)) * 0x9e3779b97f4a7c15;
    return mixed ^ (mixed >> 29);
  }

  void Add(uint64_t word) {
    *next_++ = word;
    hash_ = std::rotl(hash_, 23) ^ word;
  }
  void Add(int64_t word) { Add(static_cast<uint64_t>(word)); }

  // The rank, which kinds of layouts and options follow, and the options that fit beside them. False when the
  // executor is not whole or the target not known.
  bool AddHeader(size_t rank, bool src_strided, bool dst_strided, const Options& options) {
    Add(rank | uint64_t{src_strided} << 8 | uint64_t{dst_strided} << 9 | uint64_t{options.assume_disjoint} << 10 |
        uint64_t{options.target != nullptr} << 11 | uint64_t{options.executor != nullptr} << 12 |
        uint64_t{static_cast<uint32_t>(options.stores)} << 32);
    return (options.target == nullptr || AddTarget(options.target)) &&
           (options.executor == nullptr || AddExecutor(*options.executor));
  }

  // One byte per axis; false when an entry is out of range.
  bool AddOrder(const DimOrder& order, size_t rank) {
    if (order.size() != rank) return false;
    uint32_t all_bits = 0;
    for (size_t i = 0; i < rank; i += kAxesPerWord) {
      uint64_t word = 0;
      const size_t n = rank - i < kAxesPerWord ? rank - i : kAxesPerWord;
      for (size_t j = 0; j < n; ++j) {
        const uint32_t axis = static_cast<uint32_t>(order[i + j]);
        all_bits |= axis;
        word |= uint64_t{axis} << (8 * j);
      }
      Add(word);
    }
    static_assert(std::has_single_bit(uint32_t{kMaxRank}));
    return all_bits < kMaxRank;
  }

  // AddOrder of (0, 1, ..., rank - 1).
  void AddIdentity(size_t rank) {
    uint64_t axes = 0x0706050403020100;
    for (size_t i = 0; i < rank; i += kAxesPerWord, axes += 0x0808080808080808) {
      const size_t n = rank - i;
      Add(n < kAxesPerWord ? axes & ((uint64_t{1} << (8 * n)) - 1) : axes);
    }
  }

  // A layout without its sizes; false when it is malformed.
  bool AddPlacement(const Layout& layout) {
    if (layout.has_order()) return AddOrder(layout.order(), layout.rank());
    if (layout.num_strides() != layout.rank()) return false;
    for (size_t axis = 0; axis < layout.rank(); ++axis) Add(layout.stride(axis));
    Add(layout.byte_offset());
    return true;
  }

 private:
  static constexpr size_t kAxesPerWord = 8;

  // Only for a target by name: a change of the active one starts a new generation.
  bool AddTarget(const char* name) {
    const Result<int64_t> target = ResolveTarget(name);
    Add(*target);
    return target.ok();
  }

  bool AddExecutor(const dimorder_executor& executor) {
    Add(static_cast<uint64_t>(executor.concurrency));
    Add(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(executor.parallel_for)));
    Add(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(executor.ctx)));
    return executor.struct_size >= sizeof(executor);
  }

  uint64_t* const begin_;
  uint64_t* next_;
  uint64_t hash_ = 0;
};

// What a one-shot call asks for, in words: requests with equal words have the same plan within one generation
// (target.h). Permute and ToDimOrder write the same words for the same move. Inline, and made to be filled in a few
// nanoseconds: every one-shot call does it.
class PlanKey {
 public:
  // Fills the key; false when the request has none: it is malformed, so planning it will say why, or it wants its
  // plan in a caller's allocator, which the cache cannot hold on to. `from` null is the identity.
  bool Fill(Dims sizes, const DimOrder* from, const DimOrder& to, int64_t element_bytes, const Options& options) {
    const size_t rank = sizes.size();
    if (rank > kMaxRank || options.allocator != nullptr) return false;
    PlanKeyWriter writer(words_);
    if (!writer.AddHeader(rank, /*src_strided=*/false, /*dst_strided=*/false, options)) return false;
    writer.Add(element_bytes);
    for (const int64_t size : sizes) writer.Add(size);
    if (from == nullptr) {
      writer.AddIdentity(rank);
    } else if (!writer.AddOrder(*from, rank)) {
      return false;
    }
    return writer.AddOrder(to, rank) && Finish(writer);
  }

  bool Fill(const Move& move, const Options& options) {
    const size_t rank = move.src.rank();
    if (rank > kMaxRank || move.dst.rank() != rank || options.allocator != nullptr) return false;
    PlanKeyWriter writer(words_);
    if (!writer.AddHeader(rank, !move.src.has_order(), !move.dst.has_order(), options)) return false;
    writer.Add(move.element_bytes);
    for (size_t axis = 0; axis < rank; ++axis) {
      if (move.src.size(axis) != move.dst.size(axis)) return false;
      writer.Add(move.src.size(axis));
    }
    return writer.AddPlacement(move.src) && writer.AddPlacement(move.dst) && Finish(writer);
  }

  const uint64_t* words() const { return words_; }
  size_t size() const { return size_; }
  uint64_t hash() const { return hash_; }

  bool Equals(const uint64_t* words, size_t size) const {
    if (size != size_) return false;
    for (size_t i = 0; i < size; ++i) {
      if (words[i] != words_[i]) return false;
    }
    return true;
  }

 private:
  // The header, target, executor, element bytes, sizes, and strides and offset of both sides.
  static constexpr size_t kMaxWords = 6 + kMaxRank + 2 * (kMaxRank + 1);

  bool Finish(const PlanKeyWriter& writer) {
    size_ = writer.size();
    hash_ = writer.Hash();
    return true;
  }

  size_t size_;
  uint64_t hash_;
  uint64_t words_[kMaxWords];
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLAN_KEY_H_
