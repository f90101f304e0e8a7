// SPDX-License-Identifier: Apache-2.0
#include "dimorder/wisdom.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "dispatch/execute.h"
#include "dispatch/plan.h"
#include "dispatch/probe.h"
#include "dispatch/target.h"
#include "dispatch/two_pass.h"
#include "dispatch/wisdom.h"
#include "tests/executors.h"
#include "tests/random.h"
#include "tests/reference.h"

namespace dimorder::test {
namespace {

// Each test begins and ends without wisdom: it is the process's.
class Wisdom : public testing::Test {
 protected:
  void SetUp() override { ForgetWisdom(); }
  void TearDown() override { ForgetWisdom(); }
};

const Options kMeasured = {.tuning = Tuning::kMeasure, .tuning_ns = 5'000'000};

Move Transpose(int64_t rows, int64_t cols, int64_t element) { return Move::Permute({rows, cols}, {1, 0}, element); }

std::string DescriptionOf(const Move& move, const Options& options = {}) {
  return Plan::Create(move, options)->Describe();
}

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Whether dst holds what the oracle says.
bool Moved(const Move& move, const std::vector<uint8_t>& src, const std::vector<uint8_t>& dst) {
  bool same = true;
  ForEachElement(move, [&](int64_t from, int64_t to) {
    same = same && std::memcmp(&src[static_cast<size_t>(from)], &dst[static_cast<size_t>(to)],
                               static_cast<size_t>(move.element_bytes)) == 0;
  });
  return same;
}

// One of the copies by which two passes move a shape; 0 where there is none.
int64_t PickCopy(const Shape& shape, Random* random) {
  TwoPassBox box;
  if (!FindTwoPassBox(shape, &box)) return 0;
  const Copies copies = CopiesOf(box);
  return copies.count == 0 ? 0 : copies.list[random->Below(copies.count)];
}

std::vector<uint8_t> Bytes(size_t n) {
  std::vector<uint8_t> bytes(n);
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<uint8_t>(i * 131 + i / 251);
  return bytes;
}

TEST_F(Wisdom, StartsEmpty) {
  const std::string text = ExportWisdom();
  EXPECT_EQ(text.rfind("dimorder-wisdom 2 l2=", 0), 0u) << text;
  EXPECT_TRUE(Contains(text, "\nend 0\n")) << text;
  EXPECT_TRUE(ImportWisdom(text).ok());
}

TEST_F(Wisdom, MeasuringIsRememberedAndUsed) {
  const Move move = Transpose(300, 200, 4);
  EXPECT_TRUE(Contains(DescriptionOf(move), " by estimate"));
  EXPECT_TRUE(Contains(DescriptionOf(move, kMeasured), " by measuring"));
  EXPECT_TRUE(Contains(DescriptionOf(move), " by wisdom"));
  EXPECT_TRUE(Contains(ExportWisdom(), "\nend 1\n"));
}

// No other choice serves such a shape.
TEST_F(Wisdom, LookupsComeBackFromTheirText) {
  const Move move = Transpose(3, 5, 4);
  if (!Contains(DescriptionOf(move), " Lookup ")) GTEST_SKIP() << "no vectors";
  EXPECT_TRUE(Contains(DescriptionOf(move, kMeasured), " Lookup "));
  std::string text = ExportWisdom();
  EXPECT_TRUE(Contains(text, "Lookup pack=0 panel=1 run=0 rows=0 cols=0 swap=0 copy=0")) << text;
  ForgetWisdom();
  ASSERT_TRUE(ImportWisdom(text).ok());
  EXPECT_TRUE(Contains(DescriptionOf(move), " Lookup {60:*>1} "));
  EXPECT_TRUE(Contains(DescriptionOf(move), " by wisdom"));
  ForgetWisdom();
  text.replace(text.find("Lookup"), 6, "Run");
  ASSERT_TRUE(ImportWisdom(text).ok());
  EXPECT_TRUE(Contains(DescriptionOf(move), " Lookup "));
  EXPECT_TRUE(Contains(DescriptionOf(move), " by estimate"));
}

TEST_F(Wisdom, ComesBackFromItsText) {
  const Move move = Transpose(300, 200, 2);
  static_cast<void>(Plan::Create(move, kMeasured));
  static_cast<void>(Plan::Create(Transpose(30, 20, 1), kMeasured));
  const std::string text = ExportWisdom();
  ForgetWisdom();
  EXPECT_TRUE(Contains(DescriptionOf(move), " by estimate"));
  const Result<WisdomImport> result = ImportWisdom(text);
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  EXPECT_EQ(result->taken, 2u);
  EXPECT_EQ(result->skipped, 0u);
  EXPECT_TRUE(Contains(DescriptionOf(move), " by wisdom"));
  EXPECT_EQ(ExportWisdom(), text);
}

TEST_F(Wisdom, StagedRunsOfNoWholeLinesComeBack) {
  Choice choice = {};
  choice.family = Family::kStage;
  choice.panel = 8;
  choice.run = 6200;
  AddWisdom({*ResolveTarget(nullptr), 1, {1, 2}}, choice, 4);
  const std::string text = ExportWisdom();
  ForgetWisdom();
  const Result<WisdomImport> result = ImportWisdom(text);
  ASSERT_TRUE(result.ok()) << result.status().ToString() << text;
  EXPECT_EQ(result->taken, 1u);
  EXPECT_EQ(ExportWisdom(), text);
}

TEST_F(Wisdom, OneShotCallsTakeItUpAtOnce) {
  const std::vector<uint8_t> src = Bytes(64 * 64);
  std::vector<uint8_t> dst(src.size());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Permute(src.data(), dst.data(), {64, 64}, {1, 0}, 1).ok());
    if (i == 1) static_cast<void>(Plan::Create(Transpose(64, 64, 1), kMeasured));
    EXPECT_TRUE(Moved(Transpose(64, 64, 1), src, dst));
  }
}

TEST_F(Wisdom, OneShotCallsMeasureWithoutACacheToo) {
  const std::vector<uint8_t> src = Bytes(64 * 64);
  std::vector<uint8_t> dst(src.size());
  SetPlanCacheCapacity(0);
  const Status status = Permute(src.data(), dst.data(), {64, 64}, {1, 0}, 1, kMeasured);
  SetPlanCacheCapacity(1024);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(Moved(Transpose(64, 64, 1), src, dst));
  EXPECT_TRUE(Contains(DescriptionOf(Transpose(64, 64, 1)), " by wisdom"));
}

TEST_F(Wisdom, ViewsThatSpanTooMuchKeepTheEstimate) {
  const int64_t stride = int64_t{1} << 40;
  const Move move = Move::Between(Layout::Strided({8, 64}, {stride, 4}), Layout::Contiguous({8, 64}), 4);
  EXPECT_TRUE(Contains(DescriptionOf(move, kMeasured), " by estimate"));
  EXPECT_FALSE(HaveWisdom());
}

TEST_F(Wisdom, WhatFindsNoRoomLeavesCachedPlansAlone) {
  const Choice choice = {};
  for (uint64_t i = 0; i < kMaxWisdom; ++i) AddWisdom({1, 1, {i, i}}, choice, 1);
  const uint64_t generation = PlanGeneration();
  AddWisdom({1, 1, {kMaxWisdom, kMaxWisdom}}, choice, 1);
  EXPECT_EQ(PlanGeneration(), generation);
  AddWisdom({1, 1, {0, 0}}, choice, 1);
  EXPECT_NE(PlanGeneration(), generation);
}

TEST_F(Wisdom, KeepsTargetsThreadsAndStoresApart) {
  const Move move = Transpose(512, 512, 4);
  static_cast<void>(Plan::Create(move, kMeasured));
  const dimorder_executor threads = ThreadExecutor(3);
  EXPECT_TRUE(Contains(DescriptionOf(move, {.executor = &threads}), " by estimate"));
  EXPECT_TRUE(Contains(DescriptionOf(move, {.target = "SCALAR"}), " by estimate"));
  EXPECT_TRUE(Contains(DescriptionOf(move, {.stores = Stores::kNonTemporal}), " by estimate"));
}

TEST_F(Wisdom, RefusesEveryBrokenText) {
  static_cast<void>(Plan::Create(Transpose(300, 200, 2), kMeasured));
  const std::string text = ExportWisdom();
  for (size_t length = 0; length < text.size(); ++length) {
    const Result<WisdomImport> result = ImportWisdom(std::string_view(text).substr(0, length));
    EXPECT_EQ(result.status().rule(), Rule::kWisdomLine) << length;
  }
  for (size_t at = 0; at < text.size(); ++at) {
    std::string other = text;
    other[at] = '~';
    EXPECT_TRUE(!ImportWisdom(other).ok() || ImportWisdom(other)->skipped == 1) << other;
  }
  EXPECT_FALSE(ImportWisdom(text + "\n").ok());
  EXPECT_EQ(ExportWisdom(), text);
}

TEST_F(Wisdom, SkipsWhatThisBuildLacks) {
  static_cast<void>(Plan::Create(Transpose(300, 200, 2), kMeasured));
  std::string text = ExportWisdom();
  text.replace(text.find("pack="), 0, "Unheard");
  text.replace(text.find(" Unheard"), 8, "OfUnheard ");
  const Result<WisdomImport> result = ImportWisdom(text);
  ASSERT_TRUE(result.ok()) << result.status().ToString() << text;
  EXPECT_EQ(result->taken, 0u);
  EXPECT_EQ(result->skipped, 1u);
}

TEST_F(Wisdom, TakesLineTilesOfTransposesOnly) {
  const Move move = Transpose(300, 200, 4);
  static_cast<void>(Plan::Create(move, kMeasured));
  std::string text = ExportWisdom();
  const size_t at = text.find(' ', text.find(" problem=") + 1) + 1;
  for (const char* const kernel : {"Tile4", "Tile3", "Ahead4", "Lines4", "Stage4", "Joined4", "Batch4", "Run"}) {
    text.replace(at, text.find('\n', at) - at,
                 std::string(kernel) + " pack=0 panel=0 run=64 rows=0 cols=0 swap=0 copy=0");
    ForgetWisdom();
    const Result<WisdomImport> result = ImportWisdom(text);
    EXPECT_EQ(result.ok(), std::string(kernel) == "Tile4") << text;
    if (!result.ok()) continue;
    EXPECT_TRUE(Contains(DescriptionOf(move), " line tiles ")) << DescriptionOf(move);
    EXPECT_TRUE(Contains(DescriptionOf(move), " by wisdom"));
  }
}

void ExpectMeasured(const Move& move, const std::vector<uint8_t>& src, int64_t budget_ns) {
  std::vector<uint8_t> dst(src.size());
  const Result<Plan> plan = Plan::Measure(move, src.data(), dst.data(), {.tuning_ns = budget_ns});
  ASSERT_TRUE(plan.ok());
  EXPECT_TRUE(Moved(move, src, dst));
}

TEST_F(Wisdom, MeasuresOnTheCallersBuffers) {
  for (int64_t budget : {int64_t{0}, int64_t{3'000'000}}) {
    ForgetWisdom();
    const Move pixels = Transpose(10000, 3, 4);
    const std::vector<uint8_t> image = Bytes(10000 * 3 * 4);
    const Move move = Transpose(123, 77, 4);
    const std::vector<uint8_t> src = Bytes(123 * 77 * 4);
    for (int i = 0; i < 2; ++i) {  // the second time by wisdom
      ExpectMeasured(move, src, budget);
      ExpectMeasured(pixels, image, budget);
    }
    EXPECT_EQ(Plan::Measure(move, src.data(), nullptr).status().rule(), Rule::kNullPointer);
    uint8_t* same = const_cast<uint8_t*>(src.data());
    EXPECT_EQ(Plan::Measure(move, same, same).status().rule(), Rule::kBuffersOverlap);
  }
}

TEST_F(Wisdom, MeasuresMovesOfNothing) {
  EXPECT_TRUE(Plan::Create(Transpose(0, 5, 4), kMeasured).ok());
  EXPECT_TRUE(Plan::Measure(Transpose(0, 5, 4), nullptr, nullptr).ok());
  EXPECT_TRUE(Contains(ExportWisdom(), "\nend 0\n"));
}

TEST_F(Wisdom, TakesPanelsOfAsManyRowsAsThereAre) {
  const Move move = Transpose(100000, 17, 1);
  std::vector<uint8_t> dst(1700000);
  const std::vector<uint8_t> src = Bytes(dst.size());
  ASSERT_TRUE(Plan::Measure(move, src.data(), dst.data(), {.tuning_ns = 0}).ok());
  const std::string text = ExportWisdom();
  EXPECT_TRUE(Contains(text, "\nend 1\n")) << text;
  EXPECT_TRUE(ImportWisdom(text).ok()) << text;
}

TEST_F(Wisdom, TemporalStoresStayTemporal) {
  for (const int64_t rows : {200, 301, 1000}) {
    const Move move = Transpose(rows, 333, 4);
    std::vector<uint8_t> dst(static_cast<size_t>(rows * 333 * 4));
    const std::vector<uint8_t> src = Bytes(dst.size());
    const Options options{.stores = Stores::kTemporal, .tuning_ns = 50'000'000};
    const auto plan = Plan::Measure(move, src.data(), dst.data(), options);
    ASSERT_TRUE(plan.ok());
    EXPECT_FALSE(Contains(plan->Describe(), "non-temporal")) << plan->Describe();
  }
}

// Where the estimate can stream.
TEST_F(Wisdom, NonTemporalStoresStayNonTemporal) {
  const Options options{.stores = Stores::kNonTemporal, .tuning_ns = 50'000'000};
  for (const Move& move : {Move::Permute({1000, 3, 32, 2}, {2, 0, 3, 1}, 1), Transpose(301, 333, 4),
                           Move::Permute({128, 128, 3, 3}, {2, 3, 1, 0}, 1), Transpose(5000, 3, 1)}) {
    const bool streams = Contains(DescriptionOf(move, options), "non-temporal");
    std::vector<uint8_t> dst(static_cast<size_t>(Plan::Create(move)->Bytes()));
    const std::vector<uint8_t> src = Bytes(dst.size());
    const auto plan = Plan::Measure(move, src.data(), dst.data(), options);
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(Contains(plan->Describe(), "non-temporal"), streams) << plan->Describe();
  }
}

TEST_F(Wisdom, LeavesCopiesThatDoNotSuit) {
  const Move move = Move::Permute({1000, 3, 32, 2}, {2, 0, 3, 1}, 1);
  std::vector<uint8_t> dst(192000);
  const std::vector<uint8_t> src = Bytes(dst.size());
  ASSERT_TRUE(Plan::Measure(move, src.data(), dst.data(), {.tuning_ns = 0}).ok());
  std::string text = ExportWisdom();
  const size_t at = text.find(" copy=") + 6;
  ASSERT_TRUE(Contains(text, "TwoPass1")) << text;
  EXPECT_TRUE(Contains(DescriptionOf(move), " by wisdom"));
  for (const std::string copy : {"0", "1", "1111", "9999", "12345", "1234567890123"}) {
    text.replace(at, text.find('\n', at) - at, copy);
    ForgetWisdom();
    ASSERT_TRUE(ImportWisdom(text).ok()) << text;
    EXPECT_TRUE(Contains(DescriptionOf(move), " by estimate")) << text;
  }
}

// Whether the first task of a plan, which made `dst` of `src`, writes to all places of its probe. (The executor does
// not do what executor.h asks of one: it runs no other task.)
bool FirstTaskWritesProbe(PlanStorage<1> plan, const std::vector<uint8_t>& src, const std::vector<uint8_t>& dst) {
  plan.data.executor.parallel_for = [](void*, size_t, dimorder_task task, void* arg) { task(arg, 0); };
  std::vector<uint8_t> written(dst.size());
  for (size_t i = 0; i < dst.size(); ++i) written[i] = static_cast<uint8_t>(~dst[i]);
  std::vector<std::byte> workspace(static_cast<size_t>(plan.data.threads * plan.data.scratch_bytes));
  if (!ExecutePlan(plan.data, src.data(), written.data(), workspace).ok()) return false;
  const Probe probe = MakeProbe(plan.pieces[0], plan.data.threads);
  return std::all_of(std::begin(probe.places), std::end(probe.places), [&](int64_t place) {
    const auto at = static_cast<size_t>(place);
    return at < dst.size() && written[at] == dst[at];
  });
}

// Wisdom can hold any choice that suits; all of them must move every byte, with threads as without.
TEST_F(Wisdom, AnyChoiceMovesTheSame) {
  Random random(7);
  const dimorder_executor threads = ThreadExecutor(3);
  constexpr int kMoves = DIMORDER_SLOW_BUILD ? 1000 : 4000;
  for (int i = 0; i < kMoves; ++i) {
    const int64_t element = int64_t{1} << random.Below(5);
    const Move moves[] = {
        Transpose(random.Between(1, 250), random.Between(1, 250), element),
        Move::Permute({random.Between(1, 9), random.Between(1, 20), random.Between(1, 30), random.Between(1, 20)},
                      {3, 1, 2, 0}, element),
        Move::Permute({random.Between(1, 200), random.Between(1, 9), random.Between(1, 9)}, {0, 2, 1}, element),
        Move::Permute({random.Between(1, 3), random.Between(1, 9), random.Between(1, 200), random.Between(1, 9)},
                      {0, 3, 2, 1}, element),
        Move::Permute({random.Between(1, 200), random.Between(1, 30), random.Between(9, 255)}, {1, 0, 2}, 1),
        Move::Permute({random.Between(1, 50), random.Between(1, 9), random.Between(1, 20), random.Between(1, 20)},
                      {2, 1, 0, 3}, element),
    };
    const Move& move = moves[random.Below(std::size(moves))];
    Options options;
    if (random.OneIn(3)) options.executor = &threads;
    Request request;
    ASSERT_TRUE(ReadRequest(move, options, &request).ok());
    const auto stores = static_cast<Stores>(random.Below(3));
    Choice choice = EstimateChoice(request, stores);
    constexpr Family kForced[] = {Family::kTile,    Family::kAhead,        Family::kRun,       Family::kLines,
                                  Family::kBatch,   Family::kRunAhead,     Family::kStageRuns, Family::kUnzipAhead,
                                  Family::kRegroup, Family::kStageRegroup, Family::kZipAhead,  Family::kTwoPass};
    if (random.OneIn(2)) choice.family = random.Pick(kForced);
    if (request.shape.family == Family::kUnzip && random.OneIn(2)) choice.family = Family::kUnzipAhead;
    if (request.shape.family == Family::kZip && random.OneIn(2)) choice.family = Family::kZipAhead;
    const bool never = choice.family == Family::kStageRuns || choice.family == Family::kTwoPass;
    const bool packs = !never && !IsRegrouped(choice.family);
    choice.pack = packs ? static_cast<Pack>(random.Below(4)) : Pack::kNone;
    choice.swap = random.OneIn(2);
    choice.panel = choice.family == Family::kTile && random.OneIn(3) ? kLineTiles : random.Between(1, 200);
    choice.run = IsStaged(choice.family) ? random.Between(1, 20) * (random.OneIn(2) ? 64 : 61) : 0;
    choice.rows = random.Below(100);
    choice.cols = random.Below(100);
    choice.copy = choice.family == Family::kTwoPass ? PickCopy(request.shape, &random) : 0;
    if (!Suits(choice, request.shape)) continue;
    PlanStorage<1> plan;
    LayOutPlan(request, choice, Origin::kWisdom, &plan);
    const std::vector<uint8_t> src = Bytes(static_cast<size_t>(plan.data.bytes));
    std::vector<uint8_t> dst(src.size());
    std::vector<std::byte> workspace(static_cast<size_t>(plan.data.threads * plan.data.scratch_bytes));
    ASSERT_TRUE(ExecutePlan(plan.data, src.data(), dst.data(), workspace).ok());
    char text[1000];
    DescribePlan(plan.data, text, sizeof(text));
    ASSERT_TRUE(Moved(move, src, dst)) << text;
    ASSERT_TRUE(FirstTaskWritesProbe(plan, src, dst)) << text;
    if (plan.data.scratch_bytes == 0) continue;
    plan.data.scratch_bytes = kStackScratchBytes + 1;  // more than there is
    std::fill(dst.begin(), dst.end(), uint8_t{0});
    ASSERT_TRUE(ExecutePlan(plan.data, src.data(), dst.data(), nullptr).ok());
    ASSERT_TRUE(Moved(move, src, dst)) << text;
  }
}

}  // namespace
}  // namespace dimorder::test
