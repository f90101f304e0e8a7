// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_VARIANTS_SLOW_H_
#define DIMORDER_BENCH_GATE_VARIANTS_SLOW_H_

#include <chrono>
#include <cstdint>

// Slows library code down by DIMORDER_GATE_AMOUNT, in builds for the gate's own tests.
namespace dimorder_gate {

// A clock that costs little to read.
inline uint64_t Ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Not inlined, so that `nm` shows whether a library has it.
[[gnu::noinline]] inline void WaitUntil(uint64_t end) {
  while (Ticks() < end) {
  }
}

// Makes the scope that it lives in longer, by so many per mille.
class Slow {
 public:
  Slow() : begin_(Ticks()) {}
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;
  ~Slow() {
    const uint64_t end = Ticks();
    WaitUntil(end + (end - begin_) * DIMORDER_GATE_AMOUNT / 1000);
  }

 private:
  uint64_t begin_;
};

// Takes so many multiplications' time, one after the other: 3 or 4 cycles each.
[[gnu::noinline]] inline void Spin() {
  uint64_t x = 3;
  for (int i = 0; i < DIMORDER_GATE_AMOUNT; ++i) {
    x *= x;
    asm volatile("" : "+r"(x));
  }
}

}  // namespace dimorder_gate

#endif  // DIMORDER_BENCH_GATE_VARIANTS_SLOW_H_
