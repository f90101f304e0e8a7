// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_GUARD_H_
#define DIMORDER_TESTS_GUARD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/mapping.h"

namespace dimorder::test {

// Two buffers between guard pages.
class GuardedBuffers {
 public:
  // For moves whose layouts span at most `bytes` each.
  explicit GuardedBuffers(size_t bytes) : src_(bytes), dst_(bytes) {}

  // Calls `run` with source and destination flush against the guard page after them and before them, all four ways,
  // and compares every byte with the oracle's. One line on what is wrong, or empty. A touched guard page is a fault,
  // which `note` names.
  std::string Check(const Move& move, const std::string& note, const std::function<void(const void*, void*)>& run);

 private:
  Mapping src_, dst_;
  std::vector<uint8_t> source_, expected_;  // of one Check; kept for their memory
};

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_GUARD_H_
