// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_SWEEP_FAMILIES_H_
#define DIMORDER_TESTS_SWEEP_FAMILIES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/random.h"

namespace dimorder::test {

// A numbered list of moves: move(i), 0 <= i < count, is the same whenever it is asked.
struct Family {
  const char* name;
  int64_t count;
  int trials;  // runs of each move on each target, under different conditions
  std::function<Move(int64_t)> move;
};

Family AllPermutations();  // of ranks 1 to 5, five element sizes, ragged sizes
Family AllSizes();         // transposes of each pair of 1..17, 31..33, 63..65, 127..129, 255..257
Family DegenerateSizes();  // sizes 1 and 0 on each set of axes
Family SpecialShapes();    // ranks 0, 6 to 8, 22 and 32, powers of two and one more, primes
Family StridedLayouts();   // gaps, offsets, reversed axes, broadcasts
Family ParallelMoves();    // large enough for several tasks
Family SparseLayouts();    // strides of 2^31 to 2^33 bytes
Family BenchCases(const std::vector<std::string>& tables);  // rows of these csv files, up to a size
Family RandomMoves(uint64_t seed, int64_t count);           // any of these, drawn from a seed

// A valid move of at most `max_bytes` bytes of payload.
Move RandomMove(Random& random, int64_t max_bytes);

// All permutations of 0..rank-1, in lexicographic order.
std::vector<std::vector<int>> Permutations(int rank);

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_SWEEP_FAMILIES_H_
