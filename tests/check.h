// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_CHECK_H_
#define DIMORDER_TESTS_CHECK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/reference.h"
#include "tests/trial.h"

namespace dimorder::test {

// Runs one move under many conditions. The oracle runs once; after each run every byte of the destination, of its gaps
// and of margins round it is compared with the oracle's, and the source with what it was.
class MoveCheck {
 public:
  // The move must be valid.
  explicit MoveCheck(const Move& move);

  // One line on what is wrong, or empty.
  std::string Run(const Conditions& conditions) const;

 private:
  Move move_;
  Extent src_extent_, dst_extent_;
  std::vector<uint8_t> source_;    // the bytes of src_extent_
  std::vector<uint8_t> expected_;  // a margin, the bytes of dst_extent_, a margin
};

// The same for moves whose layouts span more memory than there is: over untouched pages, comparing elements only.
// `*skipped` counts the runs for which the system refused the mapping.
std::string CheckSparse(const Move& move, const Conditions& conditions, int* skipped);

// Whether a move needs CheckSparse.
bool IsSparse(const Move& move);

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_CHECK_H_
