// SPDX-License-Identifier: Apache-2.0
#include "bench/kernels/kernel_case.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "bench/contest.h"
#include "dimorder/targets.h"
#include "dispatch/target.h"
#include "tests/reference.h"

namespace dimorder::bench {
namespace {

constexpr int64_t kBytes[] = {int64_t{8} * 1024, int64_t{256} * 1024};

std::vector<KernelId> AllKernels() {
  std::vector<KernelId> ids;
  for (int id = 0; id < kNumKernels; ++id) ids.push_back(static_cast<KernelId>(id));
  return ids;
}

TEST(KernelCase, EachMovesWhatItSays) {
  for (const int64_t bytes : kBytes) {
    for (const KernelId id : AllKernels()) {
      for (const char* target : SupportedTargets()) {
        const KernelCase c = MakeKernelCase(id, *ResolveTarget(target), bytes);
        if (c.call == nullptr) continue;
        const BufferPairs pairs(test::ReferenceExtent(c.move.src, c.move.element_bytes).bytes(), c.bytes);
        std::memset(pairs.dst(0), 0, static_cast<size_t>(c.bytes));
        c.call->Run(pairs, 0, 1);
        EXPECT_EQ(FindMismatch(c.move, pairs.src(0), pairs.dst(0)), "") << c.call->name() << " on " << target;
      }
    }
  }
}

TEST(KernelCase, IsNearlyAsLargeAsAsked) {
  for (const int64_t bytes : kBytes) {
    for (const KernelId id : AllKernels()) {
      const Family family = GetKernelInfo(id).family;
      const KernelCase c = MakeKernelCase(id, *ResolveTarget(nullptr), bytes);
      EXPECT_EQ(c.call == nullptr, family == Family::kTwoPass) << GetKernelInfo(id).name;
      EXPECT_LE(c.bytes, bytes) << GetKernelInfo(id).name;
      if (c.call == nullptr || family == Family::kJoined || family == Family::kLookup) continue;
      EXPECT_GE(c.bytes, bytes / 2) << GetKernelInfo(id).name;
    }
  }
}

}  // namespace
}  // namespace dimorder::bench
