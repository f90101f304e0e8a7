// SPDX-License-Identifier: Apache-2.0
// Which kernel a plan chooses, as Describe() tells.
#include "dispatch/choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"
#include "kernels/kernels.h"
#include "tests/executors.h"
#include "tests/targets.h"

namespace dimorder::test {
namespace {

// Matrices of at most a line; few of them are no batch, and larger ones no box.
TEST(Choice, ShufflesBatchesOfSmallMatrices) {
  const auto describe = [](int64_t n, int64_t rows, int64_t cols, const Options& options) {
    return Plan::Create(Move::Permute({n, rows, cols}, {0, 2, 1}, 4), options)->Describe();
  };
  EXPECT_NE(describe(100, 3, 3, {}).find(" Shuffle4 "), std::string::npos);
  EXPECT_EQ(describe(15, 3, 3, {}).find(" Shuffle4 "), std::string::npos);
  EXPECT_EQ(describe(100, 3, 6, {}).find(" Shuffle4 "), std::string::npos);
  const Options streams = {.stores = Stores::kNonTemporal};
  EXPECT_NE(describe(100, 3, 3, streams).find(" Batch4 non-temporal "), std::string::npos);
  EXPECT_NE(describe(100, 9, 7, streams).find(" Batch4 non-temporal "), std::string::npos);
  EXPECT_EQ(describe(100, 90, 70, streams).find(" Batch4 "), std::string::npos);
}

// Every second run out of rows with a gap after each: those of a row are near each other.
TEST(Choice, LeavesNearRunsWhole) {
  const auto describe = [](int64_t step) {
    const Layout apart = Layout::Strided({300, 400, 6}, {400 * step + 30, step, 1});
    return Plan::Create(Move::Between(apart, Layout::Contiguous({300, 400, 6}), 1))->Describe();
  };
  EXPECT_NE(describe(12).find("{400:12>6}"), std::string::npos);
  EXPECT_EQ(describe(1000).find("{400:1000>6}"), std::string::npos);
}

// Rows of small elements that collide are packed half a kilobyte at a time where L2 is large, all rows of them.
TEST(Choice, PacksLittleOfCollidingRows) {
  const auto describe = [](int64_t rows, int64_t cols, int64_t element) {
    return Plan::Create(Move::Permute({rows, cols}, {1, 0}, element), {.stores = Stores::kNonTemporal})->Describe();
  };
  const bool narrow = HasLargeL2();
  EXPECT_EQ(describe(4096, 4096, 1).find(" {4096:4096>1}{512:1>4096} ") != std::string::npos, narrow);
  EXPECT_EQ(describe(4096, 4096, 2).find(" {4096:8192>2}{256:2>8192} ") != std::string::npos, narrow);
  EXPECT_EQ(describe(4093, 4099, 2).find("{256:2>8186} "), std::string::npos);  // rows cut lines
}

// One of two to four elements, from where they fill more than a line.
TEST(Choice, PicksChannels) {
  const auto picks = [](int64_t rows, int64_t cols, int64_t step, int64_t element) {
    const Layout pixels = Layout::Strided({rows, cols}, {(cols * step + 1) * element, step * element});
    return Plan::Create(Move::Between(pixels, Layout::Contiguous({rows, cols}), element))->Describe().find(" Pick") !=
           std::string::npos;
  };
  EXPECT_TRUE(picks(224, 224, 3, 1));
  EXPECT_TRUE(picks(1, 1000, 2, 8));
  EXPECT_TRUE(picks(100, 33, 4, 2));
  EXPECT_FALSE(picks(100, 32, 4, 2));
  EXPECT_FALSE(picks(224, 224, 5, 1));
  EXPECT_FALSE(picks(224, 224, 2, 16));
}

// A line at most that spans no more on either side, whatever its axes are.
TEST(Choice, LooksUpTinyMoves) {
  const auto looks_up = [](const Move& move, const Options& options = {}) {
    return Plan::Create(move, options)->Describe().find(" Lookup ") != std::string::npos;
  };
  EXPECT_TRUE(looks_up(Move::Permute({2, 3}, {1, 0}, 4)));
  EXPECT_TRUE(looks_up(Move::Permute({4, 2, 2, 4}, {2, 0, 3, 1}, 1)));
  EXPECT_TRUE(looks_up(Move::Between(Layout::Strided({5, 3}, {-3, -1}, 14), Layout::Strided({5, 3}, {1, 5}), 1)));
  EXPECT_TRUE(looks_up(Move::Permute({7, 3}, {1, 0}, 3)));
  EXPECT_TRUE(looks_up(Move::Between(Layout::Strided({2, 3}, {5, 0}), Layout::Contiguous({2, 3}), 1)));
  EXPECT_FALSE(looks_up(Move::Permute({2, 3}, {0, 1}, 4)));
  EXPECT_FALSE(looks_up(Move::Permute({5, 13}, {1, 0}, 1)));
  EXPECT_FALSE(looks_up(Move::Between(Layout::Strided({5, 3}, {4, 1}), Layout::Strided({5, 3}, {1, 5}), 1)));
  EXPECT_FALSE(looks_up(Move::Between(Layout::Strided({5, 3}, {3, 1}), Layout::Strided({5, 3}, {1, 6}), 1)));
  Options scalar;
  scalar.target = "EMU128";
  if (std::ranges::count(TargetNames(), "EMU128") != 0) {
    EXPECT_FALSE(looks_up(Move::Permute({2, 3}, {1, 0}, 4), scalar));
  }
}

// Vectors of a line ask for planes that are long, beyond L1.
TEST(Choice, AsksForPlanes) {
  if (std::ranges::count(TargetNames(), "AVX3") == 0) GTEST_SKIP() << "no AVX-512";
  if (!MayAsk(1'200'000, kLineBytes)) GTEST_SKIP() << "nothing is asked for where L1 is small or the last level near";
  const auto describe = [](int64_t n, int64_t pixels) {
    Options options;
    options.target = "AVX3";
    options.stores = Stores::kTemporal;
    return Plan::Create(Move::Permute({n, pixels, 3}, {0, 2, 1}, 4), options)->Describe();
  };
  EXPECT_NE(describe(1, 100'000).find(" UnzipAhead4 "), std::string::npos);
  EXPECT_NE(describe(1, 100).find(" Unzip4 "), std::string::npos);
  EXPECT_NE(describe(10'000, 20).find(" Unzip4 "), std::string::npos);
}

// Pixels of many elements are asked for, beyond L1.
TEST(Choice, AsksForPixels) {
  if (std::ranges::count(TargetNames(), "AVX2") == 0) GTEST_SKIP() << "no AVX2";
  if (!MayAsk(600'000, kLineBytes / 2)) GTEST_SKIP() << "nothing is asked for where L1 is small or the last level near";
  const auto describe = [](int64_t channels, int64_t pixels) {
    Options options;
    options.target = "AVX2";
    options.stores = Stores::kTemporal;
    return Plan::Create(Move::Permute({channels, pixels}, {1, 0}, 4), options)->Describe();
  };
  EXPECT_NE(describe(5, 30'000).find(" ZipAhead4 "), std::string::npos);
  EXPECT_NE(describe(5, 100).find(" Zip4 "), std::string::npos);
  EXPECT_NE(describe(4, 30'000).find(" Zip4 "), std::string::npos);
}

// Short boxes of pixels ask for each other's lines: not where they lie apart.
TEST(Choice, AsksForPixelsThatGoOn) {
  if (std::ranges::count(TargetNames(), "AVX2") == 0) GTEST_SKIP() << "no AVX2";
  if (!MayAsk(980'000, kLineBytes / 2)) GTEST_SKIP() << "nothing is asked for where L1 is small or the last level near";
  const auto describe = [](int64_t box_bytes) {
    const int64_t sizes[] = {1000, 5, 49};
    const Layout pixels = Layout::Strided(sizes, {box_bytes, 4, 20});
    const Options options{.target = "AVX2", .stores = Stores::kTemporal};
    return Plan::Create(Move::Between(Layout::Contiguous(sizes), pixels, 4), options)->Describe();
  };
  EXPECT_NE(describe(980).find(" ZipAhead4 "), std::string::npos);
  EXPECT_NE(describe(4096).find(" Zip4 "), std::string::npos);
}

// Long columns of long rows are staged in groups; the columns of a group make lines of their rows, or two.
TEST(Choice, StagesColumnsInGroups) {
  if (!LevelIsNear()) GTEST_SKIP() << "the last level is far";
  const auto describe = [](int64_t rows, int64_t cols, int64_t element) {
    return Plan::Create(Move::Permute({rows, cols}, {1, 0}, element), {.stores = Stores::kNonTemporal})->Describe();
  };
  EXPECT_NE(describe(401, 501, 4).find(" run 512 group 16"), std::string::npos);
  EXPECT_NE(describe(401, 501, 8).find(" run 1024 group 8"), std::string::npos);
  EXPECT_NE(describe(1001, 501, 2).find(" run 256 group 32"), std::string::npos);
  EXPECT_EQ(describe(1001, 501, 1).find(" group "), std::string::npos);
  EXPECT_EQ(describe(401, 50, 4).find(" group "), std::string::npos);
  EXPECT_EQ(describe(4095, 1025, 4).find(" group "), std::string::npos);
}

// Small boxes that adjoin on both sides are one run where cores want runs, however long their columns are.
TEST(Choice, StagesSmallBoxesWhole) {
  const Move move = Move::Permute({300, 500, 10}, {0, 2, 1}, 2);
  const std::string text = Plan::Create(move, {.stores = Stores::kNonTemporal})->Describe();
  EXPECT_EQ(text.find(" run 9999 ") != std::string::npos, StreamsWantRuns()) << text;
}

// Short runs go by more rows than 16, unless rows collide; whatever is left, blocks are not short.
TEST(Choice, BlocksShortRuns) {
  const auto describe = [](int64_t rows, int64_t columns, int64_t stride) {
    const std::vector<int64_t> sizes = {rows, columns, 10};
    const std::vector<int64_t> src_strides = {stride, 10, 1};
    const std::vector<int64_t> dst_strides = {10, 10 * rows, 1};
    const Move move = Move::Between(Layout::Strided(sizes, src_strides), Layout::Strided(sizes, dst_strides), 1);
    return Plan::Create(move, {.stores = Stores::kTemporal})->Describe();
  };
  EXPECT_EQ(describe(112, 2, 20).find(" loops "), std::string::npos) << describe(112, 2, 20);
  EXPECT_NE(describe(112, 9, 90).find("/56@1"), std::string::npos) << describe(112, 9, 90);
  EXPECT_NE(describe(112, 9, 4096).find("/16@1"), std::string::npos) << describe(112, 9, 4096);
  // Beyond L2 where L1 has spare ways only, and nowhere beyond the last level.
  const auto describe_bytes = [&](int64_t bytes) {
    const int64_t columns = bytes / (112 * 10) + 1;
    return describe(112, columns, RoundUp(columns * 10, 4096) + 90);
  };
  const std::string beyond_l2 = describe_bytes(MachineCaches().l2);
  EXPECT_NE(beyond_l2.find(HasSpareWays() ? "/56@1" : "/16@1"), std::string::npos) << beyond_l2;
  const std::string beyond_all = describe_bytes(MachineCaches().last);
  EXPECT_NE(beyond_all.find("/16@1"), std::string::npos) << beyond_all;
  EXPECT_NE(describe(112, 2, 4096).find("/16@1"), std::string::npos) << describe(112, 2, 4096);
  const int64_t most = MachineCaches().l1 / 2 / (6 * 10) / 64 * 64;
  const std::string text = describe(2 * most + 13, 6, 60);
  EXPECT_NE(text.find("/" + std::to_string(most > 64 ? most - 64 : most) + "@1"), std::string::npos) << text;
}

// Whole lines are asked for only in moves nearly as large as L2, of doubles larger than L1, which go by no panels then;
// all go by panels where rows are near each other and cut lines, whatever threads have of them.
TEST(Choice, AsksForWholeLinesOfLargeMoves) {
  if (std::ranges::count(TargetNames(), "AVX2") == 0) GTEST_SKIP() << "no AVX2";
  if (!MayAsk(1'200'000, kLineBytes)) GTEST_SKIP() << "nothing is asked for where L1 is small or the last level near";
  if (MachineCaches().l2 < int64_t{1} << 20 || MachineCaches().l2 > int64_t{4} << 20) GTEST_SKIP() << "another L2";
  struct Case {
    int64_t boxes, rows, cols, element_bytes;
    bool by_panels;
  };
  const dimorder_executor executor = ThreadExecutor(8);
  for (const Case& c : {Case{20, 64, 32, 4, true},
                        {1000, 64, 32, 4, false},
                        {1000, 64, 27, 4, true},
                        {1000, 64, 255, 4, true},
                        {1000, 64, 257, 4, false},
                        {100, 64, 27, 8, true},
                        {100, 64, 32, 8, false},
                        {1, 768, 196, 4, true}}) {
    for (const bool threads : {false, true}) {
      const Options options = {
          .executor = threads ? &executor : nullptr, .target = "AVX2", .stores = Stores::kTemporal};
      const Move move = Move::Permute({c.boxes, c.rows, c.cols}, {0, 2, 1}, c.element_bytes);
      const std::string plan = Plan::Create(move, options)->Describe();
      EXPECT_NE(plan.find(" Ahead"), std::string::npos) << plan;
      EXPECT_EQ(plan.find(" panel ") != std::string::npos, c.by_panels) << plan;
    }
  }
}

// Where rows collide in L1, packing them is as fast as asking for columns of less than two lines.
TEST(Choice, AsksForLongColumnsOfCollidingRows) {
  if (std::ranges::count(TargetNames(), "AVX3") == 0) GTEST_SKIP() << "no AVX3";
  if (!MayAsk(200'000, kLineBytes) || L1Ways() != 12) GTEST_SKIP() << "nothing is asked for here, or L1 is another";
  struct Case {
    int64_t rows, cols;
    const char* family;
  };
  for (const Case& c : {Case{49, 2048, " Tile2"}, {63, 2048, " Tile2"}, {65, 2048, " Ahead2"}, {49, 1024, " Ahead2"}}) {
    const Options options = {.target = "AVX3", .stores = Stores::kTemporal};
    const std::string plan = Plan::Create(Move::Permute({c.rows, c.cols}, {1, 0}, 2), options)->Describe();
    EXPECT_NE(plan.find(c.family), std::string::npos) << plan;
  }
}

// Where lines are asked for, rows that collide are not packed, unless all fall on one set and elements are small.
TEST(Choice, AsksForCollidingRowsWithoutPacking) {
  if (std::ranges::count(TargetNames(), "AVX3") == 0) GTEST_SKIP() << "no AVX3";
  if (!MayAsk(200'000, kLineBytes) || L1Ways() != 12) GTEST_SKIP() << "nothing is asked for here, or L1 is another";
  struct Case {
    int64_t rows, cols, element_bytes;
    const char* panel;
  };
  for (const Case& c : {Case{1024, 1024, 1, " panel 64 threads"},
                        {512, 1024, 2, " panel 32 threads"},
                        {64, 1024, 4, " panel 16 threads"},
                        {128, 2048, 2, " panel 32 packs rows "}}) {
    const Options options = {.target = "AVX3", .stores = Stores::kTemporal};
    const Move move = Move::Permute({c.rows, c.cols}, {1, 0}, c.element_bytes);
    const std::string plan = Plan::Create(move, options)->Describe();
    EXPECT_NE(plan.find(" Ahead"), std::string::npos) << plan;
    EXPECT_NE(plan.find(c.panel), std::string::npos) << plan;
  }
}

// A stage of runs takes a third of L1, or two columns.
TEST(Choice, StagesRunsInAThirdOfL1) {
  if (LevelIsNear() || L1Ways() != 12) GTEST_SKIP() << "the last level is near, or L1 has other ways than 12";
  const auto columns = [](int64_t run) {
    const Move move = Move::Permute({1000, MachineCaches().l2 / run, run}, {1, 0, 2}, 1);
    const std::string plan = Plan::Create(move, {.stores = Stores::kNonTemporal})->Describe();
    const size_t at = plan.find("}{", plan.find("}{") + 1);
    return plan.find(" StageRuns") == std::string::npos ? 0 : std::stoll(plan.substr(at + 2));
  };
  EXPECT_EQ(columns(12), 36);
  EXPECT_EQ(columns(20), 32);
  EXPECT_EQ(columns(139), 2);
}

// Many pixels of few elements in few images.
TEST(Choice, RegroupsPixels) {
  const auto describe = [](int64_t images, int64_t pixels, int64_t elements, const Options& options) {
    return Plan::Create(Move::Permute({images, pixels, elements}, {2, 1, 0}, 2), options)->Describe();
  };
  EXPECT_NE(describe(3, 1000, 4, {}).find(" Regroup2 {3:8000>2}{4:2>6000}{1000:8>6} "), std::string::npos);
  EXPECT_EQ(describe(3, 10, 4, {}).find(" Regroup2 "), std::string::npos);
  EXPECT_EQ(describe(3, 1000, 8, {}).find(" Regroup2 "), std::string::npos);
  EXPECT_NE(describe(12, 1000, 7, {}).find(" Regroup2 "), std::string::npos);
  EXPECT_EQ(describe(16, 1000, 7, {}).find(" Regroup2 "), std::string::npos);
  const Options streams = {.stores = Stores::kNonTemporal};
  EXPECT_NE(describe(12, 1000, 7, streams).find(" StageRegroup2 "), std::string::npos);
  EXPECT_NE(describe(3, 1000, 4, streams).find(" StageRegroup2 non-temporal "), std::string::npos);
  EXPECT_NE(describe(3, 1000, 8, streams).find(" StageRegroup2 non-temporal "), std::string::npos);
  EXPECT_EQ(describe(3, 1000, 100, streams).find(" StageRegroup2 "), std::string::npos);
  EXPECT_NE(describe(3, 100, 4, streams).find(" Regroup2 "), std::string::npos);
}

// Where rows or columns are short, with all that continues them. Wider elements fill a block, and what streams is
// staged.
TEST(Choice, MovesShortAxesInTwoPasses) {
  const auto describe = [](Dims sizes, const Perm& perm, int64_t element, Stores stores) {
    return Plan::Create(Move::Permute(sizes, perm, element), {.stores = stores})->Describe();
  };
  const auto takes_two = [&](Dims sizes, const Perm& perm, int64_t element, Stores stores = Stores::kTemporal) {
    return describe(sizes, perm, element, stores).find(" TwoPass") != std::string::npos;
  };
  EXPECT_TRUE(takes_two({1000, 3, 32, 2}, {2, 0, 3, 1}, 1));
  EXPECT_TRUE(takes_two({512, 5, 8, 4}, {3, 1, 0, 2}, 1));
  EXPECT_TRUE(takes_two({300, 7, 4, 3}, {3, 1, 0, 2}, 2));
  EXPECT_TRUE(takes_two({64, 10, 4, 14, 2}, {4, 1, 0, 3, 2}, 1));
  EXPECT_FALSE(takes_two({1000, 3, 32, 2}, {2, 0, 3, 1}, 8));
  EXPECT_FALSE(takes_two({2, 3, 4}, {2, 0, 1}, 1));  // few bytes in all
  EXPECT_FALSE(takes_two({300, 7, 24, 40}, {3, 1, 0, 2}, 1));
  EXPECT_FALSE(takes_two({1000, 3, 32, 2}, {2, 0, 3, 1}, 1, Stores::kNonTemporal));
  const std::string text = describe({1000, 3, 32, 2}, {2, 0, 3, 1}, 1, Stores::kTemporal);
  EXPECT_NE(text.find(" by Tile2 {"), std::string::npos) << text;
  EXPECT_NE(text.find(" and Zip1 {"), std::string::npos) << text;
}

// Of two short axes, round runs and round small boxes.
TEST(Choice, PutsLongAxesInside) {
  const auto describe = [](Dims sizes, const Perm& perm, int64_t element) {
    return Plan::Create(Move::Permute(sizes, perm, element), {.stores = Stores::kTemporal})->Describe();
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(describe({2, 32, 2, 3}, {2, 1, 0, 3}, 2), " Run {6:1>1}{32:12>12}{2:384>6}{2:6>384}"));
  EXPECT_TRUE(contains(describe({52, 23, 2, 7, 6}, {3, 1, 0, 2, 4}, 1), " Run {6:1>1}{52:1932>12}{2:42>6}{7:6>14352}"));
  EXPECT_TRUE(contains(describe({2, 30, 2, 2}, {1, 0, 3, 2}, 4), " Shuffle4 {2:8>4}{2:4>8}{30:16>32}{2:480>16}"));
  EXPECT_TRUE(contains(describe({12, 3, 8, 2, 2}, {1, 0, 2, 4, 3}, 4), " Shuffle4 {2:8>4}{2:4>8}{8:16>16}"));
}

// Columns of one line to one and a half that continue each other; floats only where they do not leave the caches.
TEST(Choice, JoinsColumnsThatAreTooShortToAskFor) {
  if (LevelIsNear() || MachineCaches().l2 < int64_t{1} << 20) GTEST_SKIP() << "the last level is near, or L2 small";
  const auto joins = [](const Move& move, Stores stores) {
    return Plan::Create(move, {.stores = stores})->Describe().find(" Joined") != std::string::npos;
  };
  for (const Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    EXPECT_EQ(joins(Move::Permute({17, 387, 36}, {2, 1, 0}, 4), stores), stores == Stores::kTemporal);
    EXPECT_TRUE(joins(Move::Permute({10, 262, 18}, {2, 1, 0}, 8), stores));
    EXPECT_FALSE(joins(Move::Permute({16, 387, 36}, {2, 1, 0}, 4), stores));
    EXPECT_FALSE(joins(Move::Permute({24, 387, 36}, {2, 1, 0}, 4), stores));
    EXPECT_FALSE(joins(Move::Permute({34, 387, 72}, {2, 1, 0}, 2), stores));
  }
}

// 48 rows three pages apart, which columns of 1024 places continue.
TEST(Choice, PacksJoinedRowsThatCollide) {
  const Move move = Move::Permute({16, 3, 1024, 12}, {3, 2, 0, 1}, 4);
  EXPECT_NE(Plan::Create(move, {.stores = Stores::kTemporal})->Describe().find(" packs rows"), std::string::npos);
}

}  // namespace
}  // namespace dimorder::test
