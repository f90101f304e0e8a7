// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_KERNELS_KERNEL_CASE_H_
#define DIMORDER_BENCH_KERNELS_KERNEL_CASE_H_

#include <cstdint>
#include <memory>

#include "bench/contender.h"
#include "dimorder/dimorder.h"
#include "kernels/kernels.h"

namespace dimorder::bench {

// One call of a kernel on a box that is typical of its family: transposes that are about square, or of columns of 1 KB
// where they are staged, pixels of 3 and 4 elements, matrices of 2x2, runs of 96 bytes in two axes. The box is dense on
// both sides, but the source of kPick, which takes one of every two elements. Panels have 64 rows, and nothing is
// packed: what else a planner does is not the kernel's. Kernels that write past the caches have their fence.
struct KernelCase {
  int64_t bytes = 0;  // what is moved
  Move move;          // the same, for the oracle
  std::unique_ptr<Contender> call;
};

// A case of at most `bytes` bytes, which are 8 KB or more, and of at least half of them; of kJoined 64x64 elements at
// most, of kLookup 16 bytes. `call` is null for kTwoPass, whose passes are calls of other kernels.
KernelCase MakeKernelCase(KernelId id, int64_t target, int64_t bytes);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_KERNELS_KERNEL_CASE_H_
