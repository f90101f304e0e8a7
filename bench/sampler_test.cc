// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dispatch/measure.h"

namespace dimorder {
namespace {

struct Batch {
  char side;
  int64_t turn;
  int64_t calls;
};

// Records how it is called.
struct Recorder {
  char side;
  std::vector<Batch>& batches;
  void operator()(int64_t turn, int64_t calls) { batches.push_back({side, turn, calls}); }
};

// The same, and when it is told to read.
struct Reader : Recorder {
  void Read(int64_t turn) { batches.push_back({'r', turn, 0}); }
};

class AbbaSamplerTest : public testing::Test {
 protected:
  std::vector<Batch> batches;
  Recorder a{'a', batches};
  Recorder b{'b', batches};
};

TEST_F(AbbaSamplerTest, WarmsUpBothSides) {
  AbbaSampler sampler(a, b, {.warmup_ns = 0, .warmup_calls = 5});
  sampler.WarmUp();
  int64_t calls[2] = {0, 0};
  for (const Batch& batch : batches) calls[batch.side - 'a'] += batch.calls;
  EXPECT_GE(calls[0], 5);
  EXPECT_GE(calls[1], 5);
  EXPECT_GE(sampler.calls(), 1);
}

TEST_F(AbbaSamplerTest, SlowCallsMakeBatchesOfOne) {
  AbbaSampler sampler(a, b, {.batch_ns = 0});
  sampler.WarmUp();
  EXPECT_EQ(sampler.calls(), 1);
}

TEST_F(AbbaSamplerTest, BlocksAreBalancedAndInBothOrders) {
  AbbaSampler sampler(a, b, {.seed = 3});
  sampler.WarmUp();
  batches.clear();
  std::string seen;
  for (int block = 0; block < 64; ++block) {
    const BlockTimes times = sampler.Next();
    EXPECT_GT(times.a_ns, 0);
    EXPECT_GT(times.b_ns, 0);
  }
  ASSERT_EQ(batches.size(), 4u * 64);
  int abba = 0;
  for (size_t i = 0; i < batches.size(); i += 4) {
    const std::string order{batches[i].side, batches[i + 1].side, batches[i + 2].side, batches[i + 3].side};
    EXPECT_TRUE(order == "abba" || order == "baab") << order;
    abba += order == "abba";
  }
  EXPECT_GT(abba, 10);
  EXPECT_LT(abba, 54);
}

TEST_F(AbbaSamplerTest, TurnsCountThroughBothSides) {
  AbbaSampler sampler(a, b);
  sampler.WarmUp();
  for (int block = 0; block < 3; ++block) sampler.Next();
  int64_t turn = 0;
  for (const Batch& batch : batches) {
    EXPECT_EQ(batch.turn, turn);
    turn += batch.calls;
  }
}

TEST_F(AbbaSamplerTest, LeadCallsComeWhereTheSideChanges) {
  AbbaSampler sampler(a, b, {.lead_calls = 3});
  sampler.WarmUp();
  char last_side = batches.back().side;
  int64_t turn = batches.back().turn + batches.back().calls;
  batches.clear();
  for (int block = 0; block < 8; ++block) sampler.Next();
  int timed = 0;
  for (size_t i = 0; i < batches.size(); ++i, ++timed) {
    if (batches[i].side != last_side) {
      EXPECT_EQ(batches[i].turn, turn);
      EXPECT_EQ(batches[i].calls, 3);
      last_side = batches[i].side;
      ASSERT_LT(++i, batches.size());
    }
    EXPECT_EQ(batches[i].side, last_side);
    EXPECT_EQ(batches[i].turn, turn);
    EXPECT_EQ(batches[i].calls, sampler.calls());
    turn += batches[i].calls;
  }
  EXPECT_EQ(timed, 4 * 8);
}

TEST_F(AbbaSamplerTest, SidesReadBeforeTheirLeadCalls) {
  Reader reader{'b', batches};
  AbbaSampler sampler(a, reader, {.lead_calls = 3});
  sampler.WarmUp();
  for (int block = 0; block < 8; ++block) sampler.Next();
  int reads = 0;
  for (size_t i = 0; i + 1 < batches.size(); ++i) {
    if (batches[i].side != 'r') continue;
    ++reads;
    EXPECT_EQ(batches[i + 1].side, 'b');
    EXPECT_EQ(batches[i + 1].turn, batches[i].turn);
    EXPECT_EQ(batches[i + 1].calls, 3);
  }
  EXPECT_GE(reads, 8);
}

TEST_F(AbbaSamplerTest, SeedsDecideTheOrder) {
  const auto first_sides = [&](uint64_t seed) {
    AbbaSampler sampler(a, b, {.seed = seed});
    batches.clear();
    for (int block = 0; block < 32; ++block) sampler.Next();
    std::string sides;
    for (size_t i = 0; i < batches.size(); i += 4) sides += batches[i].side;
    return sides;
  };
  EXPECT_EQ(first_sides(1), first_sides(1));
  EXPECT_NE(first_sides(1), first_sides(2));
}

}  // namespace
}  // namespace dimorder
