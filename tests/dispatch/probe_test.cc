// SPDX-License-Identifier: Apache-2.0
#include "dispatch/probe.h"

#include <gtest/gtest.h>
#include <hwy/cache_control.h>
#include <hwy/detect_compiler_arch.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/wisdom.h"
#include "dispatch/execute.h"
#include "dispatch/machine.h"
#include "dispatch/plan.h"
#include "tests/executors.h"
#include "tests/pattern.h"
#include "tests/reference.h"

// Moves that write through or past the caches, by what their destination is when they run.
namespace dimorder::test {
namespace {

Probe ProbeOf(const Move& move) {
  PlanStorage<1> plan;
  EXPECT_TRUE(MakePlan(move, {}, &plan).ok());
  return MakeProbe(plan.pieces[0], 1);
}

// Interruptions make a try fail that should not; hardly so many of them.
bool Sometimes(const std::function<bool()>& test) {
  for (int i = 0; i < 20; ++i) {
    if (test()) return true;
  }
  return false;
}

TEST(Probe, LooksOnlyWhereTheMoveWrites) {
  for (const Move& move :
       {Move::Permute({1}, {0}, 1), Move::Permute({3, 2}, {1, 0}, 5),
        Move::Between(Layout::Strided({7, 5, 3}, {60, 12, 4}), Layout::Strided({7, 5, 3}, {8, 560, 112}, 24), 4),
        Move::Between(Layout::Strided({40, 30}, {60, 2}), Layout::Strided({40, 30}, {-2, 800}, 4096), 2)}) {
    std::set<int64_t> written;
    ForEachElement(move, [&](int64_t, int64_t to) {
      for (int64_t i = 0; i < move.element_bytes; ++i) written.insert(to + i);
    });
    for (const int64_t place : ProbeOf(move).places) EXPECT_EQ(written.count(place), 1u) << place;
  }
}

TEST(Probe, LooksAllOverTheDestination) {
  const Probe probe = ProbeOf(Move::Permute({512, 512}, {1, 0}, 4));
  std::set<int64_t> eighths;
  for (const int64_t place : probe.places) eighths.insert(place / (128 * 1024));
  EXPECT_EQ(eighths.size(), size_t{Probe::kPlaces});
}

TEST(Probe, FindsWhatWasWritten) {
  std::vector<uint8_t> dst(64 * 1024);
  const Probe probe = ProbeOf(Move::Permute({128, 128}, {1, 0}, 4));
  EXPECT_TRUE(Sometimes([&] {
    FillPattern(dst.data(), dst.size());
    return !IsInMemory(probe, dst.data());
  }));
}

TEST(Probe, MissesWhatWasFlushed) {
  if (!HWY_ARCH_X86) GTEST_SKIP() << "programs cannot flush lines here";
  std::vector<uint8_t> dst(1024 * 1024);
  const Probe probe = ProbeOf(Move::Permute({512, 512}, {1, 0}, 4));
  EXPECT_TRUE(Sometimes([&] {
    for (size_t i = 0; i < dst.size(); i += kLineBytes) hwy::FlushCacheline(dst.data() + i);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // else reads wait for the flushes, and longer than for memory
    return IsInMemory(probe, dst.data());
  }));
}

// Larger than L2, and within a quarter of the last level.
Move MiddleSized() {
  const int64_t side = 64 * ((MachineCaches().l2 + 64 * 1024) / (64 * 1024));
  return Move::Permute({256, side}, {1, 0}, 4);
}

class PlansThatAsk : public testing::Test {
 protected:
  void SetUp() override {
    if (!LevelIsNear() || MachineCaches().last / 4 <= 2 * MachineCaches().l2) GTEST_SKIP() << "no plan asks here";
  }
};

TEST_F(PlansThatAsk, SayBothWays) {
  const std::string text = Plan::Create(MiddleSized())->Describe();
  EXPECT_NE(text.find(", uncached "), std::string::npos) << text;
  EXPECT_NE(text.find(" non-temporal "), std::string::npos) << text;
  for (const Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    EXPECT_EQ(Plan::Create(MiddleSized(), {.stores = stores})->Describe().find(", uncached "), std::string::npos);
  }
  EXPECT_EQ(Plan::Create(Move::Permute({100, 100}, {1, 0}, 4))->Describe().find(", uncached "), std::string::npos);
}

// The second time that a destination is in memory, up to an eighth of the level.
TEST_F(PlansThatAsk, StoreOnTrialWhatStays) {
  for (const bool stays : {true, false}) {
    const int64_t side = MachineCaches().last / 8 / 1024 + (stays ? 0 : 64);
    PlanStorage<1> plan;
    ASSERT_TRUE(MakePlan(Move::Permute({256, side}, {1, 0}, 4), {}, &plan).ok());
    ASSERT_TRUE(plan.data.asks);
    EXPECT_TRUE(plan.question.trials.NextStreams(true));
    EXPECT_EQ(plan.question.trials.NextStreams(true), !stays);
  }
}

TEST_F(PlansThatAsk, StoreRunsThatAreSlowToStream) {
  const int64_t columns = MachineCaches().l2 / 2 * 3 / (300 * 108);
  const std::string text = Plan::Create(Move::Permute({300, columns, 108}, {1, 0, 2}, 1))->Describe();
  EXPECT_EQ(text.find(", uncached ") == std::string::npos, StreamsWantRuns()) << text;
}

TEST_F(PlansThatAsk, StorePixelsThatAskForLines) {
  const int64_t pixels = 2 * MachineCaches().l2 / (300 * 7);
  const std::string text = Plan::Create(Move::Permute({pixels, 300, 7}, {1, 0, 2}, 1))->Describe();
  EXPECT_EQ(text.find(", uncached ") == std::string::npos, text.find(" Ahead7 ") != std::string::npos) << text;
}

TEST_F(PlansThatAsk, AskWhenMeasured) {
  ForgetWisdom();
  const std::string text =
      Plan::Create(MiddleSized(), {.tuning = Tuning::kMeasure, .tuning_ns = 2'000'000})->Describe();
  EXPECT_NE(text.find(", uncached "), std::string::npos) << text;
  EXPECT_NE(text.find(" by measuring "), std::string::npos) << text;
  ForgetWisdom();
}

TEST_F(PlansThatAsk, MoveTheSameBothWays) {
  const dimorder_executor three = ReversedExecutor(3);
  const int64_t pixels = MachineCaches().l2 / 8 + 5;
  for (const Move& move :
       {MiddleSized(), Move::Permute({3, 2 * pixels}, {1, 0}, 2), Move::Permute({pixels, 9}, {1, 0}, 1),
        Move::Permute({pixels / 63, 7, 9}, {0, 2, 1}, 4), Move::Permute({99, pixels / 90, 48}, {1, 0, 2}, 1)}) {
    std::vector<uint8_t> src(static_cast<size_t>(ReferenceExtent(move.src, move.element_bytes).bytes()));
    std::vector<uint8_t> expected(src.size());
    FillPattern(src.data(), src.size());
    ReferenceMove(move, src.data(), expected.data());
    for (const dimorder_executor* executor : {static_cast<const dimorder_executor*>(nullptr), &three}) {
      PlanStorage<1> plan;
      ASSERT_TRUE(MakePlan(move, {.executor = executor}, &plan).ok());
      if (!plan.data.asks) continue;
      plan.data.asks = false;
      std::vector<std::byte> workspace(static_cast<size_t>(plan.data.scratch_bytes * plan.data.threads));
      for (const Piece& way : {Piece(plan.pieces[0]), Piece(plan.streamed[0])}) {
        plan.pieces[0] = way;
        for (const bool has_workspace : {true, false}) {
          std::vector<uint8_t> dst(src.size());
          ASSERT_TRUE((has_workspace ? ExecutePlan(plan.data, src.data(), dst.data(), workspace)
                                     : ExecutePlan(plan.data, src.data(), dst.data(), nullptr))
                          .ok());
          EXPECT_EQ(dst, expected) << way.kernel_id;
        }
      }
    }
  }
}

}  // namespace
}  // namespace dimorder::test
