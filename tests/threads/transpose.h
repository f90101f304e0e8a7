// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_THREADS_TRANSPOSE_H_
#define DIMORDER_TESTS_THREADS_TRANSPOSE_H_

#include <cstdint>
#include <numeric>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/reference.h"

namespace dimorder::test {

// A transpose of rows x cols floats with its data and the oracle's result.
struct Transpose {
  Transpose(int64_t rows, int64_t cols)
      : move(Move::Permute({rows, cols}, {1, 0}, sizeof(float))),
        source(static_cast<size_t>(rows * cols)),
        expected(source.size()) {
    std::iota(source.begin(), source.end(), 1.0f);
    ReferenceMove(move, source.data(), expected.data());
  }

  Move move;
  std::vector<float> source;
  std::vector<float> expected;
};

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_THREADS_TRANSPOSE_H_
