// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_RANDOM_H_
#define DIMORDER_TESTS_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace dimorder::test {

// The finaliser of splitmix64: every input bit reaches every output bit.
inline constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline constexpr uint64_t Combine(uint64_t hash, uint64_t value) { return Mix(hash ^ Mix(value)); }

// Splitmix64: the same numbers from the same seed on every machine and standard library, so that a seed is a repro.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(Mix(seed)) {}

  uint64_t Next() { return Mix(state_++); }
  // Uniform enough in [0, n), n >= 1.
  int64_t Below(int64_t n) { return static_cast<int64_t>(Next() % static_cast<uint64_t>(n)); }
  // In [low, high].
  int64_t Between(int64_t low, int64_t high) { return low + Below(high - low + 1); }
  // True once in `n` times.
  bool OneIn(int64_t n) { return Below(n) == 0; }

  template <class Container>
  const auto& Pick(const Container& values) {
    return values[static_cast<size_t>(Below(static_cast<int64_t>(std::size(values))))];
  }

  template <class T>
  void Shuffle(std::span<T> values) {
    for (size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[static_cast<size_t>(Below(static_cast<int64_t>(i)))]);
  }

 private:
  uint64_t state_;
};

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_RANDOM_H_
