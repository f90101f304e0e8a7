// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_MEASURE_H_
#define DIMORDER_DISPATCH_MEASURE_H_

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

// How two pieces of code are timed against each other. On shared machines the time of one of them, taken in separate
// runs, varies by 7-28 percent, while the ratio of two that take turns every quarter of a millisecond on the same
// buffers varies by about 1 within a process. So there is no function here that times one thing.
//
// A block is four batches, A B B A or B A A B at random, which cancels whatever drifts linearly and who comes first.
// All batches hold the same number of calls, enough for about 250 us: reading the clock around single calls would
// distort short ones.
namespace dimorder {
inline namespace v1 {

struct SamplerOptions {
  double batch_ns = 250e3;
  double warmup_ns = 200e3;  // for each side, at the least
  int64_t warmup_calls = 2;  // for each side, at the least
  int64_t lead_calls = 0;    // before a batch, not timed, where the side changes: they find what the other side left
  uint64_t seed = 1;         // of the choice between ABBA and BAAB
};

// What one block measured.
struct BlockTimes {
  double a_ns = 0;  // per call, the mean of both batches
  double b_ns = 0;
  double log_ratio = 0;  // 0.5 * (ln b1 + ln b2 - ln a1 - ln a2): above 0 when B is slower
};

// Samples blocks of two callables. Each is called as `side(turn, calls)` and makes `calls` calls; turn, turn + 1, ...
// number the timed ones through both sides, so that a callable with several buffers can take them in turn and A and B
// take them in the same order. (Lead calls have the numbers of those that follow; a side that has Read(turn) reads
// first what the call of that number writes.) Keeps references. Allocates nothing and cannot fail.
template <class A, class B>
class AbbaSampler {
 public:
  AbbaSampler(A& a, B& b, const SamplerOptions& options = {})
      : a_(a), b_(b), options_(options), random_(options.seed) {}

  // Runs both sides until their caches and branches are warm, and settles the calls per batch. Call it first.
  void WarmUp() {
    const double a_ns = WarmUpSide(a_);
    const double b_ns = WarmUpSide(b_);
    calls_ = std::llround(std::clamp(2 * options_.batch_ns / (a_ns + b_ns), 1.0, static_cast<double>(kMaxCalls)));
  }

  // Says that other calls were made meanwhile: the next batch has its lead calls, whichever side it is of.
  void Interrupt() { last_side_ = nullptr; }

  // Calls per batch: a block makes twice as many on each side.
  int64_t calls() const { return calls_; }

  BlockTimes Next() {
    double a1, a2, b1, b2;
    if (NextBit()) {
      a1 = Batch(a_, calls_), b1 = Batch(b_, calls_), b2 = Batch(b_, calls_), a2 = Batch(a_, calls_);
    } else {
      b1 = Batch(b_, calls_), a1 = Batch(a_, calls_), a2 = Batch(a_, calls_), b2 = Batch(b_, calls_);
    }
    const double calls = 2.0 * static_cast<double>(calls_);
    return {(a1 + a2) / calls, (b1 + b2) / calls, 0.5 * (std::log(b1) + std::log(b2) - std::log(a1) - std::log(a2))};
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Calls per batch at the most: only calls that do nothing are short enough to reach it.
  static constexpr int64_t kMaxCalls = int64_t{1} << 20;

  template <class Side>
  void Lead(Side& side) {
    if constexpr (requires { side.Read(turn_); }) side.Read(turn_);
    side(turn_, options_.lead_calls);
  }

  // Nanoseconds of one batch, never 0: clocks can be coarse.
  template <class Side>
  double Batch(Side& side, int64_t calls) {
    if (options_.lead_calls != 0 && last_side_ != &side) Lead(side);
    last_side_ = &side;
    const Clock::time_point begin = Clock::now();
    side(turn_, calls);
    const Clock::time_point end = Clock::now();
    turn_ += calls;
    return std::max(1.0, std::chrono::duration<double, std::nano>(end - begin).count());
  }

  // Doubles the batch until both minima are reached; nanoseconds per call in the last, longest batch.
  template <class Side>
  double WarmUpSide(Side& side) {
    double total_ns = 0;
    int64_t total_calls = 0;
    for (int64_t calls = 1;; calls *= 2) {
      const double ns = Batch(side, calls);
      total_ns += ns;
      total_calls += calls;
      const bool warm = total_ns >= options_.warmup_ns && total_calls >= options_.warmup_calls;
      if (warm || calls >= kMaxCalls) {
        return ns / static_cast<double>(calls);
      }
    }
  }

  // The top bit of splitmix64.
  bool NextBit() {
    random_ += 0x9e3779b97f4a7c15;
    uint64_t z = random_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z >> 63) != 0;
  }

  A& a_;
  B& b_;
  SamplerOptions options_;
  uint64_t random_;
  int64_t turn_ = 0;
  int64_t calls_ = 1;
  const void* last_side_ = nullptr;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_MEASURE_H_
