// SPDX-License-Identifier: Apache-2.0
// How a plan walks a transpose that is neither staged nor streamed (choose_tile.cc, choose_abreast.cc), as Describe()
// tells.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"
#include "tests/targets.h"

namespace dimorder::test {
namespace {

// As Zen 4 and Zen 5 are, of which the latter has spare ways.
bool HasAvx2AndOneMegabyteL2() {
  const bool avx2 = std::ranges::count(TargetNames(), "AVX2") != 0;
  return avx2 && L1Ways() == 8 && HasLargeL2() && MachineCaches().l2 == int64_t{1} << 20;
}

// How a transpose goes that is not streamed.
std::string Describe(int64_t rows, int64_t cols, int64_t element, const char* target) {
  const Options options = {.target = target, .stores = Stores::kTemporal};
  return Plan::Create(Move::Permute({rows, cols}, {1, 0}, element), options)->Describe();
}

bool Contains(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

// What follows the word; 0 if it is not there.
int64_t NumberAfter(const std::string& word, const std::string& text) {
  const size_t at = text.find(word);
  return at == std::string::npos ? 0 : std::atoll(text.c_str() + at + word.size());
}

// Columns that collide in L1 go down long panels, as many abreast as are half of what it holds, or those of lines.
TEST(Choice, TakesFewCollidingColumnsAbreast) {
  if (L1Ways() != 8 || HasSpareWays()) GTEST_SKIP() << "L1 has other ways than 8";
  const auto describe = [](int64_t rows, int64_t cols, int64_t element) {
    return Describe(rows, cols, element, nullptr);
  };
  EXPECT_NE(describe(1024, 49, 4).find(" panel 128 abreast 4 "), std::string::npos);
  EXPECT_NE(describe(1024, 49, 2).find(" panel 128 abreast 8 "), std::string::npos);
  EXPECT_NE(describe(2048, 49, 2).find(" panel 256 abreast 4 "), std::string::npos);
  EXPECT_NE(describe(2048, 49, 1).find(" panel 256 abreast 8 "), std::string::npos);
  if (LevelIsNear()) {
    EXPECT_NE(describe(256, 256, 4).find(" panel 256 abreast 16 "), std::string::npos);  // whole lines of rows
    EXPECT_EQ(describe(500, 128, 8).find(" abreast 8 ") == std::string::npos, StreamsWantRuns());
  }
  EXPECT_EQ(describe(1024, 4, 4).find(" abreast "), std::string::npos);     // no more than go down at once
  EXPECT_EQ(describe(1024, 1024, 4).find(" abreast "), std::string::npos);  // rows collide, too
  EXPECT_EQ(describe(1000, 49, 4).find(" abreast "), std::string::npos);
}

// Rows that are nearly pages apart collide, but not where they move on by a quarter of a line or so; nor do columns, of
// bytes.
TEST(Choice, PacksNoRowsThatDriftOffPages) {
  if (!HasAvx2AndOneMegabyteL2()) GTEST_SKIP() << "no AVX2, or other caches";
  const auto packs = [](int64_t rows, int64_t cols, int64_t element) {
    return Contains(Describe(rows, cols, element, "AVX2"), " packs ");
  };
  for (const int64_t drift : {-32, -16, 16, 32}) {
    EXPECT_FALSE(packs(300, (4096 + drift) / 4, 4)) << drift;
    EXPECT_FALSE(packs(300, (8192 + drift) / 2, 2)) << drift;
    EXPECT_FALSE(packs(300, 4096 + drift, 1)) << drift;
    EXPECT_FALSE(packs(4096 + drift, 300, 1)) << drift;
  }
  EXPECT_TRUE(packs(300, 4088, 1));
  EXPECT_TRUE(packs(4088, 300, 1));
  EXPECT_TRUE(packs(4096 + 16, 30, 1));  // too few columns
}

// Bytes on three places of L1: rows are packed, columns go by single microtiles.
TEST(Choice, TellsBytesOnThreePlaces) {
  if (!HasAvx2AndOneMegabyteL2()) GTEST_SKIP() << "no AVX2, or other caches";
  const auto describe = [](int64_t rows, int64_t cols) { return Describe(rows, cols, 1, "AVX2"); };
  EXPECT_NE(describe(410, 1365).find(" packs rows "), std::string::npos);
  EXPECT_EQ(describe(410, 1375).find(" packs "), std::string::npos);
  EXPECT_EQ(describe(64, 1365).find(" packs "), std::string::npos);
  EXPECT_NE(describe(2730, 484).find(HasSpareWays() ? " panel 256 abreast 16 " : " panel 128 abreast 16 "),
            std::string::npos);
  EXPECT_EQ(describe(2750, 484).find(" abreast "), std::string::npos);
  EXPECT_EQ(Contains(describe(820, 1365), " packs rows "), !HasSpareWays());  // columns on five places
}

// Where L1 soon loses rows, as those of a third of a page, panels are short; where columns lie like that, long.
TEST(Choice, TakesPanelsThatStay) {
  if (!HasAvx2AndOneMegabyteL2() || HasSpareWays()) GTEST_SKIP() << "no AVX2, or other caches";
  const auto panel = [](int64_t rows, int64_t cols, int64_t element, const char* target = "AVX2") {
    return NumberAfter(" panel ", Describe(rows, cols, element, target));
  };
  EXPECT_EQ(panel(115, 1707, 4), 16);
  EXPECT_EQ(panel(122, 1609, 4), 32);
  EXPECT_EQ(panel(115, 1709, 4), 115);
  EXPECT_EQ(panel(152, 3414, 2), 16);
  EXPECT_EQ(panel(145, 1639, 2), 32);
  EXPECT_EQ(panel(144, 2457, 1), 32);
  EXPECT_EQ(panel(152, 1366, 1), 128);  // less than a vector would stay
  EXPECT_EQ(panel(27, 1609, 4), 27);    // no more than stay
  EXPECT_EQ(panel(2048, 683, 2), 32);   // of columns that go abreast
  EXPECT_EQ(panel(2048, 679, 2), 256);
  EXPECT_EQ(panel(1024, 128, 4), 64);
  EXPECT_EQ(panel(1706, 633, 4), 128);
  EXPECT_EQ(panel(1708, 633, 4), 40);
  EXPECT_EQ(panel(684, 99, 2), 128);
  EXPECT_EQ(panel(700, 101, 2), 64);
  EXPECT_EQ(panel(555, 555, 8), 128);
  EXPECT_EQ(panel(555, 55, 8), 16);
  if (std::ranges::count(TargetNames(), "AVX3") == 0) return;
  EXPECT_EQ(panel(1708, 633, 4, "AVX3"), 128);
  EXPECT_EQ(panel(240, 500, 2, "AVX3"), 240);
  EXPECT_EQ(panel(240, 512, 2, "AVX3"), 32);
  EXPECT_EQ(panel(437, 500, 2, "AVX3"), 64);
}

// Ways that are spare hold rows, too.
TEST(Choice, TakesPanelsThatStayInAllWays) {
  if (!HasAvx2AndOneMegabyteL2() || MachineL1().all_ways != 12) GTEST_SKIP() << "no AVX2, or other caches";
  const auto panel = [](int64_t rows, int64_t cols, int64_t element) {
    return NumberAfter(" panel ", Describe(rows, cols, element, "AVX2"));
  };
  EXPECT_EQ(panel(115, 1707, 4), 16);
  EXPECT_EQ(panel(152, 3414, 2), 16);
  EXPECT_EQ(panel(145, 1639, 2), 32);
  EXPECT_EQ(panel(70, 1639, 2), 70);    // nearly all of them stay
  EXPECT_EQ(panel(122, 1609, 4), 122);  // on seven places
  EXPECT_EQ(panel(1300, 101, 2), 128);
  EXPECT_EQ(panel(1280, 101, 2), 64);  // columns collide
}

// Rows that L1 holds go by whole lines, too, where they are many, and L2 is large.
TEST(Choice, TakesLinesOfManyRows) {
  if (!HasAvx2AndOneMegabyteL2()) GTEST_SKIP() << "no AVX2, or other caches";
  const auto takes = [](int64_t rows, int64_t cols, int64_t element, const char* target = "AVX2") {
    return Contains(Describe(rows, cols, element, target), " abreast ");
  };
  EXPECT_TRUE(takes(416, 3136, 4));
  EXPECT_TRUE(takes(40, 200, 8));
  EXPECT_TRUE(takes(200, 1000, 8));
  EXPECT_TRUE(takes(3136, 256, 2));
  EXPECT_TRUE(takes(130, 160, 2));
  EXPECT_TRUE(takes(70, 1088, 1));
  EXPECT_FALSE(takes(416, 3136, 4, "SSE4"));
  EXPECT_FALSE(takes(3136, 256, 2, "SSE4"));
  EXPECT_FALSE(takes(24, 200, 8));
  EXPECT_FALSE(takes(120, 1000, 8));  // L2 does not hold both sides
  EXPECT_FALSE(takes(400, 3136, 2));  // the same, and rows do not collide
  EXPECT_FALSE(takes(512, 3136, 4));  // columns collide
  EXPECT_FALSE(takes(416, 3137, 4));  // rows cut lines
  EXPECT_EQ(takes(768, 1088, 1), !HasSpareWays());
  EXPECT_EQ(takes(256, 256, 4), !HasSpareWays());
  if (std::ranges::count(TargetNames(), "AVX3") == 0) return;
  EXPECT_TRUE(takes(1040, 784, 4, "AVX3"));
  EXPECT_TRUE(takes(1041, 1056, 2, "AVX3"));
  EXPECT_EQ(takes(600, 640, 8, "AVX3"), !HasSpareWays());
  EXPECT_EQ(takes(600, 640, 1, "AVX3"), !HasSpareWays());
  if (HasSpareWays()) return;
  EXPECT_TRUE(takes(600, 320, 2, "AVX3"));
  EXPECT_FALSE(takes(400, 640, 1, "AVX3"));
}

// Whole lines are asked for where a move fills L2.
TEST(Choice, AsksForRowsOfLines) {
  if (!HasAvx2AndOneMegabyteL2()) GTEST_SKIP() << "no AVX2, or other caches";
  const auto describe = [](int64_t rows, int64_t cols, int64_t element, const char* target = "AVX2") {
    return Describe(rows, cols, element, target);
  };
  EXPECT_NE(describe(3136, 64, 4).find(" panel 3136 abreast 16 asking "), std::string::npos);
  EXPECT_NE(describe(3136, 256, 2).find(" panel 3136 abreast 32 asking "), std::string::npos);
  EXPECT_NE(describe(1000, 64, 4).find(" panel 1000 abreast 16 threads "), std::string::npos);
  if (HasSpareWays()) return;
  EXPECT_NE(describe(3136, 256, 1).find(" panel 3136 abreast 64 threads "), std::string::npos);
  EXPECT_NE(describe(500, 128, 8).find(" panel 500 abreast 8 asking "), std::string::npos);
  if (std::ranges::count(TargetNames(), "AVX3") == 0) return;
  EXPECT_NE(describe(3136, 64, 4, "AVX3").find(" panel 3136 abreast 16 threads "), std::string::npos);
  EXPECT_NE(describe(500, 128, 8, "AVX3").find(" panel 256 abreast 8 threads "), std::string::npos);  // rows collide
}

// Few long rows, by vectors of half a line.
TEST(Choice, TakesPanelsOfALine) {
  if (!HasAvx2AndOneMegabyteL2()) GTEST_SKIP() << "no AVX2, or other caches";
  const auto takes = [](int64_t rows, int64_t cols, int64_t element) {
    return NumberAfter(" panel ", Describe(rows, cols, element, "AVX2")) == kLineBytes / element;
  };
  EXPECT_TRUE(takes(64, 3136, 4));
  EXPECT_TRUE(takes(160, 1000, 8));
  EXPECT_FALSE(takes(64, 784, 4));    // L2 holds both sides
  EXPECT_FALSE(takes(256, 3136, 4));  // columns collide
  EXPECT_FALSE(takes(72, 3136, 4));   // columns cut lines
  EXPECT_FALSE(takes(64, 4096, 4));   // rows collide
  EXPECT_FALSE(takes(208, 3136, 4));  // many rows
}

// Columns abreast where L1 has ways to spare: those of one microtile, if it holds no two.
TEST(Choice, TakesOneMicrotileAbreast) {
  if (MachineL1().all_ways != 12 || !HasSpareWays()) GTEST_SKIP() << "L1 has other ways than 12, 4 of them spare";
  const auto describe = [](int64_t rows, int64_t cols, int64_t element) {
    return Describe(rows, cols, element, nullptr);
  };
  EXPECT_NE(describe(2048, 49, 2).find(" panel 256 abreast 8 "), std::string::npos);
  EXPECT_NE(describe(2048, 49, 1).find(" panel 256 abreast 16 "), std::string::npos);
  EXPECT_EQ(describe(1024, 49, 2).find(" abreast "), std::string::npos);  // L1 holds two
  EXPECT_EQ(describe(4096, 49, 1).find(" abreast "), std::string::npos);  // and here none
  EXPECT_EQ(describe(2048, 64, 2).find(" abreast "), std::string::npos);  // rows collide, too
}

// There, by vectors of a line, what three quarters of L1 hold goes by half lines, microtiles two by two.
TEST(Choice, TakesHalfLines) {
  if (std::ranges::count(TargetNames(), "AVX3") == 0) GTEST_SKIP() << "no AVX3";
  if (!HasSpareWays() || MachineCaches().l1 != int64_t{48} * 1024) GTEST_SKIP() << "no spare ways, or another L1";
  const auto columns = [](int64_t rows, int64_t cols, int64_t element, const char* target = "AVX3") {
    return NumberAfter(" abreast ", Describe(rows, cols, element, target));
  };
  EXPECT_EQ(columns(64, 64, 1), 32);
  EXPECT_EQ(columns(50, 80, 2), 16);
  EXPECT_EQ(columns(900, 10, 4), 8);
  EXPECT_EQ(columns(64, 49, 8), 4);
  EXPECT_EQ(columns(64, 49, 8, "AVX2"), 0);
  EXPECT_EQ(columns(15, 64, 4), 0);    // no line of a column
  EXPECT_EQ(columns(64, 7, 4), 0);     // no half line of a row
  EXPECT_EQ(columns(100, 100, 4), 0);  // more than three quarters of L1
}

// Moves of which L2 holds each side alone take line tiles, if rows are whole lines and columns do not collide; and so
// do all whose columns are half a line and adjoin.
TEST(Choice, TakesLineTiles) {
  if (std::ranges::count(TargetNames(), "AVX3") == 0) GTEST_SKIP() << "no AVX3";
  if (!HasSpareWays() || MachineCaches().l2 != int64_t{1} << 20) GTEST_SKIP() << "no spare ways, or another L2";
  const auto takes = [](int64_t rows, int64_t cols, int64_t element, const char* target = "AVX3") {
    return Contains(Describe(rows, cols, element, target), " line tiles ");
  };
  EXPECT_TRUE(takes(64, 1280, 4));
  EXPECT_TRUE(takes(49, 2048, 4));  // rows collide
  EXPECT_TRUE(takes(256, 256, 8));
  EXPECT_TRUE(takes(320, 320, 2));
  EXPECT_TRUE(takes(1600, 128, 4));  // more than half of L2
  EXPECT_FALSE(takes(3136, 96, 4));  // more than L2
  EXPECT_FALSE(takes(256, 256, 4, "AVX2"));
  EXPECT_FALSE(takes(320, 320, 1));
  EXPECT_FALSE(takes(64, 64, 4));     // within L1
  EXPECT_FALSE(takes(64, 1279, 4));   // rows cut lines
  EXPECT_FALSE(takes(31, 1280, 4));   // and so do short columns
  EXPECT_FALSE(takes(1024, 64, 4));   // columns collide
  EXPECT_FALSE(takes(49, 2048, 8));   // rows of 8 bytes do
  EXPECT_FALSE(takes(256, 1024, 4));  // both do
  EXPECT_FALSE(takes(256, 2048, 2));
  EXPECT_FALSE(takes(1000, 1024, 4));
  EXPECT_TRUE(takes(8, 16, 4));
  EXPECT_TRUE(takes(32, 1000001, 1));
  EXPECT_FALSE(takes(8, 16, 4, "AVX2"));
  EXPECT_FALSE(takes(8, 7, 4));  // less than a tile
  EXPECT_FALSE(takes(7, 16, 4));
}

// Columns that collide are packed, by vectors of more than 16 bytes as long ones: floats where L1 has ways to spare,
// and, where L2 is large, floats and elements of 2 bytes that all fall on one set.
TEST(Choice, PacksLongColumns) {
  const auto packing = [](int64_t rows, int64_t cols, int64_t element_bytes, const char* target) {
    const Options options = {.target = target, .stores = Stores::kTemporal};
    const std::string text = Plan::Create(Move::Permute({rows, cols}, {1, 0}, element_bytes), options)->Describe();
    const size_t at = text.find(" packs ");
    return at == std::string::npos ? std::string() : text.substr(at, text.find(" threads ") - at);
  };
  const std::string yes = " packs long columns";
  const std::vector<std::string> targets = TargetNames();
  for (const char* const target : {"SSE4", "AVX2", "AVX3"}) {
    if (std::ranges::count(targets, target) == 0) continue;
    const bool vectors = target != std::string("SSE4");
    EXPECT_EQ(packing(1024, 1024, 4, target).starts_with(yes), vectors && (HasSpareWays() || HasLargeL2())) << target;
    EXPECT_EQ(packing(2048, 512, 2, target).starts_with(yes), vectors && HasLargeL2()) << target;
    EXPECT_FALSE(packing(1024, 1024, 2, target).starts_with(yes)) << target;  // on two sets
    EXPECT_FALSE(packing(4096, 512, 1, target).starts_with(yes)) << target;
    EXPECT_FALSE(packing(1024, 1024, 8, target).starts_with(yes)) << target;
  }
}

// Where the last level is far, short columns of small elements that cut lines are one panel, and longer ones ask.
TEST(Choice, MovesShortCutColumnsByOnePanel) {
  if (std::ranges::count(TargetNames(), "AVX2") == 0) GTEST_SKIP() << "no AVX2";
  if (LevelIsNear() || L1Ways() != 12) GTEST_SKIP() << "the last level is near, or L1 has other ways than 12";
  const auto describe = [](int64_t rows, int64_t cols) {
    const Options options = {.target = "AVX2", .stores = Stores::kTemporal};
    return Plan::Create(Move::Permute({rows, cols}, {1, 0}, 2), options)->Describe();
  };
  EXPECT_NE(describe(40, 1280).find(" Tile2 {40:2560>2}{512:2>80}"), std::string::npos) << describe(40, 1280);
  EXPECT_NE(describe(40, 1280).find(" panel 40 "), std::string::npos) << describe(40, 1280);
  EXPECT_EQ(describe(64, 1280).find(" panel 64 "), std::string::npos) << describe(64, 1280);  // whole lines
  EXPECT_NE(describe(49, 1280).find(" Ahead2 {49:2560>2}{1280:2>98} "), std::string::npos) << describe(49, 1280);
}

// Panels are long where rows cut lines, and as long as their source is a part of L1 where columns collide.
TEST(Choice, TakesLongPanelsOfRowsThatCutLines) {
  if (LevelIsNear() || L1Ways() != 12) GTEST_SKIP() << "the last level is near, or L1 has other ways than 12";
  struct Case {
    const char* target;
    int64_t rows, cols, element_bytes;
    const char* panel;
  };
  for (const Case& c : {Case{"AVX2", 1280, 49, 4, " panel 128 "},
                        {"AVX2", 1280, 48, 4, " panel 64 "},
                        {"AVX2", 1280, 49, 2, " panel 64 "},
                        {"AVX3", 2048, 49, 2, " panel 128 "}}) {
    if (std::ranges::count(TargetNames(), std::string(c.target)) == 0) continue;
    const Options options = {.target = c.target, .stores = Stores::kTemporal};
    const std::string plan =
        Plan::Create(Move::Permute({c.rows, c.cols}, {1, 0}, c.element_bytes), options)->Describe();
    EXPECT_NE(plan.find(c.panel), std::string::npos) << plan;
  }
}

// Elements of 16 bytes that collide on both sides go by small blocks there.
TEST(Choice, CutsCollidingBoxesOf16) {
  for (const char* const target : {"AVX2", "AVX3"}) {
    const Options options = {.target = target, .stores = Stores::kTemporal};
    const Result<Plan> both = Plan::Create(Move::Permute({512, 256}, {1, 0}, 16), options);
    const Result<Plan> rows = Plan::Create(Move::Permute({500, 256}, {1, 0}, 16), options);
    if (!both.ok()) continue;
    EXPECT_EQ(both->Describe().find(" 16/16@1") != std::string::npos, HasSpareWays()) << both->Describe();
    EXPECT_EQ(rows->Describe().find(" 16/16@1"), std::string::npos) << rows->Describe();
  }
}

}  // namespace
}  // namespace dimorder::test
