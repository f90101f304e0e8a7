// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_CONTENDER_H_
#define DIMORDER_BENCH_CONTENDER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "bench/buffers.h"
#include "bench/duet.h"

// Whatever fills a destination from a source: a move of ours, a copy, another library. All are timed by one piece of
// code, on the same buffers.
namespace dimorder::bench {

class Contender {
 public:
  explicit Contender(std::string name) : name_(std::move(name)) {}
  virtual ~Contender() = default;

  const std::string& name() const { return name_; }

  // Makes `calls` calls, numbered turn, turn + 1, ..., each on its pair. The loop is the contender's own, so that a
  // virtual call is paid once a batch.
  virtual void Run(const BufferPairs& pairs, int64_t turn, int64_t calls) = 0;

 private:
  std::string name_;
};

template <class Call>
class CallContender final : public Contender {
 public:
  CallContender(std::string name, Call call) : Contender(std::move(name)), call_(std::move(call)) {}

  void Run(const BufferPairs& pairs, int64_t turn, int64_t calls) override {
    for (int64_t i = turn; i < turn + calls; ++i) {
      call_(pairs.src(i), pairs.dst(i));
      std::atomic_signal_fence(std::memory_order_seq_cst);  // no call may be dropped or merged
    }
  }

 private:
  Call call_;
};

// A contender of call(const uint8_t* src, uint8_t* dst).
template <class Call>
std::unique_ptr<Contender> MakeContender(std::string name, Call call) {
  return std::make_unique<CallContender<Call>>(std::move(name), std::move(call));
}

// A contender on its buffers, in the form that AbbaSampler takes.
struct Side {
  Contender& contender;
  const BufferPairs& pairs;

  void operator()(int64_t turn, int64_t calls) const { contender.Run(pairs, turn, calls); }

  // A plan that streams to what is not in the caches may go on doing so until somebody reads it: else a duet of the
  // same two plans finds one of them storing, the other streaming, and which is chance.
  void Read(int64_t turn) const { pairs.ReadDst(turn); }
};

// Samples blocks of two contenders, two by two on all placements of their buffers, from the first on. Keeps references.
class Duet {
 public:
  Duet(Contender& a, Contender& b, BufferPairs& pairs, const SamplerOptions& options = {});
  Duet(const Duet&) = delete;

  // As AbbaSampler's.
  void WarmUp() { sampler_.WarmUp(); }
  int64_t calls() const { return sampler_.calls(); }
  BlockTimes Next();

 private:
  const Side a_;
  const Side b_;
  BufferPairs& pairs_;
  AbbaSampler<const Side, const Side> sampler_;
  int64_t blocks_ = 0;
};

// Blocks of B against A until `max_blocks`, or after `max_seconds` once there are `min_blocks`, sampled by `options`.
DuetResult RunDuet(Contender& a, Contender& b, BufferPairs& pairs, int64_t max_blocks, double max_seconds,
                   const SamplerOptions& options = {}, int64_t min_blocks = 3);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_CONTENDER_H_
