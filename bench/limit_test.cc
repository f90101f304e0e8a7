// SPDX-License-Identifier: Apache-2.0
#include "bench/limit.h"

#include <gtest/gtest.h>

#include <cstring>

#include "dispatch/plan.h"
#include "dispatch/target.h"

namespace dimorder::bench {
namespace {

TEST(LimitTest, EachWayToCopyCopiesAll) {
  const int64_t target = *ResolveTarget(nullptr);
  for (const size_t count : {1, 3}) {
    const Threads threads(count);
    for (const int64_t bytes : {int64_t{1}, int64_t{2047}, int64_t{2048}, int64_t{2049}, 3 * kBytesPerThread + 5}) {
      const BufferPairs pairs(bytes);
      const std::unique_ptr<Contender> copies[] = {MakeMemcpy(bytes, threads), MakeStreamCopy(bytes, threads, target),
                                                   MakeLoopCopy(bytes, threads, target)};
      for (const auto& copy : copies) {
        const auto n = static_cast<size_t>(bytes);
        std::memset(pairs.dst(0), 0, n);
        copy->Run(pairs, 0, 1);
        EXPECT_EQ(std::memcmp(pairs.dst(0), pairs.src(0), n), 0) << copy->name() << " of " << bytes << " by " << count;
      }
    }
  }
}

}  // namespace
}  // namespace dimorder::bench
