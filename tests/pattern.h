// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_PATTERN_H_
#define DIMORDER_TESTS_PATTERN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tests/random.h"

namespace dimorder::test {

// What destinations hold before a move, and their gaps after it.
inline constexpr uint8_t kCanary = 0xa5;

// Fills a source so that a wrong byte shows wherever it comes from: each byte is a hash of its position, so a wrong
// element, a shifted one and a torn one all differ from the right one.
inline void FillPattern(uint8_t* bytes, size_t count) {
  for (size_t i = 0; i < count; i += 8) {
    const uint64_t value = Mix(i);
    std::memcpy(bytes + i, &value, std::min<size_t>(8, count - i));
  }
}

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_PATTERN_H_
