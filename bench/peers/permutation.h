// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_PEERS_PERMUTATION_H_
#define DIMORDER_BENCH_PEERS_PERMUTATION_H_

#include <cstdint>
#include <vector>

#include "bench/cases.h"

namespace dimorder::bench {

// A case as a user who knows the other library would put it: axes of size 1 dropped, neighbours that stay neighbours
// fused. Same conventions as Case.
struct Permutation {
  std::vector<int64_t> sizes;
  std::vector<int> perm;
  int64_t element_bytes = 0;
};

Permutation Fuse(const Case& c);

// `batch` transposes of `rows` x `cols`, one after the other.
struct BatchOfTransposes {
  int64_t batch = 0;  // 0: the permutation is none
  int64_t rows = 0;
  int64_t cols = 0;
};
BatchOfTransposes AsTransposes(const Permutation& p);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_PEERS_PERMUTATION_H_
