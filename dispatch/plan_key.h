// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_PLAN_KEY_H_
#define DIMORDER_DISPATCH_PLAN_KEY_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "dimorder/dimorder.h"
#include "dispatch/status_values.h"
#include "dispatch/target.h"

// What a one-shot call asks for, in words: requests with equal words have the same plan within one generation
// (target.h). A request hands its words, one after the other, to a sink: PlanKeyWriter stores and hashes them,
// PlanKeyMatcher compares them with stored ones as they come, so that a thread that repeats a call neither copies nor
// hashes anything. All of it must be inlined: a sink lives in registers, and a hit takes a few nanoseconds.
namespace dimorder {
inline namespace v1 {

// A request's words and their hash.
struct PlanKey {
  // The header, element bytes, target and executor; three for each axis; the offsets.
  static constexpr size_t kMaxWords = 6 + 3 * kMaxRank + 2;

  size_t size;
  uint64_t hash;
  uint64_t words[kMaxWords];
};

class PlanKeyWriter {
 public:
  explicit PlanKeyWriter(PlanKey* key) : key_(key), next_(key->words) {}

  bool Add(uint64_t word) {
    *next_++ = word;
    hash_ = std::rotl(hash_, 23) ^ word;
    return true;
  }

  // After the last word.
  void Finish() {
    key_->size = static_cast<size_t>(next_ - key_->words);
    // Multiplied out, so that any few bits of it may choose a slot.
    const uint64_t mixed = (hash_ ^ (hash_ >> 32)) * 0x9e3779b97f4a7c15;
    key_->hash = mixed ^ (mixed >> 29);
  }

 private:
  PlanKey* const key_;
  uint64_t* next_;
  uint64_t hash_ = 0;
};

// Stops at the first word that differs. The first one of all says how many follow, so it stops before the end, too.
class PlanKeyMatcher {
 public:
  explicit PlanKeyMatcher(const uint64_t* words) : next_(words) {}

  bool Add(uint64_t word) { return *next_++ == word; }

 private:
  const uint64_t* next_;
};

// The parts of a request. Each returns false when the sink has stopped, or when the part has no words: it is malformed,
// so planning it will say why, or the cache may not hold on to it.

// Only for a target by name: a change of the active one starts a new generation.
template <class Sink>
bool AddTarget(Sink& sink, const char* name) {
  const Result<int64_t> target = ResolveTarget(name);
  return target.ok() && sink.Add(static_cast<uint64_t>(*target));
}

template <class Sink>
bool AddExecutor(Sink& sink, const dimorder_executor& executor) {
  return executor.struct_size >= kFirstExecutorBytes && sink.Add(executor.concurrency) &&
         sink.Add(reinterpret_cast<uintptr_t>(executor.parallel_for)) &&
         sink.Add(reinterpret_cast<uintptr_t>(executor.ctx));
}

// What all requests begin with: which words follow, and all that is neither size nor layout.
template <class Sink>
[[gnu::always_inline]] inline bool AddHeader(Sink& sink, size_t rank, bool src_strided, bool dst_strided,
                                             int64_t element_bytes, const Options& options) {
  const bool measures = options.tuning == Tuning::kMeasure;
  const bool tunes = measures || options.tuning == Tuning::kEstimate;
  if (rank > kMaxRank || options.allocator != nullptr || !tunes) return false;
  const uint64_t header = rank | uint64_t{src_strided} << 8 | uint64_t{dst_strided} << 9 |
                          uint64_t{options.assume_disjoint} << 10 | uint64_t{options.target != nullptr} << 11 |
                          uint64_t{options.executor != nullptr} << 12 | uint64_t{measures} << 13 |
                          uint64_t{static_cast<uint32_t>(options.stores)} << 32;
  return sink.Add(header) && sink.Add(static_cast<uint64_t>(element_bytes)) &&
         (options.target == nullptr || AddTarget(sink, options.target)) &&
         (options.executor == nullptr || AddExecutor(sink, *options.executor));
}

// Three words for each axis: its size, and its entry in the source's and the destination's order or strides.
template <class Sink, class Size, class Src, class Dst>
[[gnu::always_inline]] inline bool AddAxes(Sink& sink, size_t rank, const Size& size, const Src& src, const Dst& dst) {
  for (size_t i = 0; i < rank; ++i) {
    if (!sink.Add(static_cast<uint64_t>(size(i))) || !sink.Add(static_cast<uint64_t>(src(i))) ||
        !sink.Add(static_cast<uint64_t>(dst(i)))) {
      return false;
    }
  }
  return true;
}

// The arguments of Permute (`from` null: the identity) and ToDimOrder, with the same words for the same move.
struct OrderRequest {
  Dims sizes;
  const DimOrder* from;
  const DimOrder& to;
  int64_t element_bytes;

  template <class Sink>
  [[gnu::always_inline]] bool AddTo(Sink& sink, const Options& options) const {
    const size_t rank = sizes.size();
    if (!AddHeader(sink, rank, /*src_strided=*/false, /*dst_strided=*/false, element_bytes, options)) return false;
    if (to.size() != rank || (from != nullptr && from->size() != rank)) return false;
    const auto size = [&](size_t i) { return sizes[i]; };
    const auto src = [&](size_t i) { return from == nullptr ? static_cast<int>(i) : (*from)[i]; };
    const auto dst = [&](size_t i) { return to[i]; };
    return AddAxes(sink, rank, size, src, dst);
  }

  Move ToMove() const {
    return from == nullptr ? Move::Permute(sizes, to, element_bytes)
                           : Move::ToDimOrder(sizes, *from, to, element_bytes);
  }
};

// Those of Execute.
struct MoveRequest {
  const Move& move;

  template <class Sink>
  [[gnu::always_inline]] bool AddTo(Sink& sink, const Options& options) const {
    const Layout& src = move.src;
    const Layout& dst = move.dst;
    const size_t rank = src.rank();
    if (!AddHeader(sink, rank, !src.has_order(), !dst.has_order(), move.element_bytes, options)) return false;
    if (dst.rank() != rank || NumEntries(src) != rank || NumEntries(dst) != rank) return false;
    for (size_t axis = 0; axis < rank; ++axis) {
      if (src.size(axis) != dst.size(axis)) return false;
    }
    const auto size = [&](size_t i) { return src.size(i); };
    const auto src_entry = [&](size_t i) { return Entry(src, i); };
    const auto dst_entry = [&](size_t i) { return Entry(dst, i); };
    return AddAxes(sink, rank, size, src_entry, dst_entry) && AddOffset(sink, src) && AddOffset(sink, dst);
  }

  const Move& ToMove() const { return move; }

 private:
  static size_t NumEntries(const Layout& layout) {
    return layout.has_order() ? layout.order().size() : layout.num_strides();
  }
  static int64_t Entry(const Layout& layout, size_t i) {
    return layout.has_order() ? layout.order()[i] : layout.stride(i);
  }
  template <class Sink>
  static bool AddOffset(Sink& sink, const Layout& layout) {
    return layout.has_order() || sink.Add(static_cast<uint64_t>(layout.byte_offset()));
  }
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_PLAN_KEY_H_
