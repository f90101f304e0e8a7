// SPDX-License-Identifier: Apache-2.0
#include "bench/contender.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>

namespace dimorder::bench {
namespace {

std::unique_ptr<Contender> MakeIdle() {
  return MakeContender("idle", [](const uint8_t*, uint8_t*) {});
}

// Says where it was last.
std::unique_ptr<Contender> MakeWitness(const uint8_t** at) {
  return MakeContender("witness", [at](const uint8_t* src, uint8_t*) { *at = src; });
}

TEST(DuetTest, TakesTwoBlocksOnEachPlacement) {
  BufferPairs pairs(64, 64, 4);
  ASSERT_EQ(pairs.placements(), 4);
  const uint8_t* at_a = nullptr;
  const uint8_t* at_b = nullptr;
  const auto a = MakeWitness(&at_a);
  const auto b = MakeWitness(&at_b);
  pairs.Place(3);  // left by whoever used them before
  Duet duet(*a, *b, pairs, {.batch_ns = 1e3, .warmup_ns = 1e3});
  duet.WarmUp();
  const uint8_t* const first = at_a;
  std::set<const uint8_t*> places;
  const uint8_t* last = nullptr;
  for (int block = 0; block < 9; ++block) {
    duet.Next();
    EXPECT_EQ(at_a, at_b);
    EXPECT_EQ(at_a == last, block % 2 == 1) << block;
    last = at_a;
    places.insert(last);
  }
  EXPECT_EQ(places.size(), 4u);
  EXPECT_EQ(last, first);
}

TEST(RunDuetTest, MakesTheLeastBlocksWhenTimeIsUp) {
  BufferPairs pairs(64);
  const auto a = MakeIdle();
  const auto b = MakeIdle();
  EXPECT_EQ(RunDuet(*a, *b, pairs, 40, 0).blocks, 3);
  const DuetResult six = RunDuet(*a, *b, pairs, 40, 0, {}, 6);
  EXPECT_EQ(six.blocks, 6);
  EXPECT_GT(six.lower, 0);
}

}  // namespace
}  // namespace dimorder::bench
