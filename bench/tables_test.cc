// SPDX-License-Identifier: Apache-2.0
#include "bench/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace dimorder::bench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string Print(const std::vector<RowResult>& results, size_t threads = 1) {
  std::ostringstream out;
  PrintTables(RowsOf(Suite::kFull), results, threads, out);
  return out.str();
}

TEST(TablesTest, NothingWithoutResults) { EXPECT_EQ(Print({}), ""); }

TEST(TablesTest, UnknownKeysAreLeftOut) { EXPECT_EQ(Print({{.key = "no/such/4", .ratio = 1}}), ""); }

TEST(TablesTest, ARowSaysWhatWasMeasured) {
  const std::string text = Print({{.key = "t2d/256x256/4",
                                   .ns = 12'345,
                                   .gbps = 42.5,
                                   .ratio = 1.5,
                                   .lower = 1.45,
                                   .upper = 1.55,
                                   .vs_memcpy = 1.25,
                                   .loop = 1.13}});
  EXPECT_THAT(text,
              ContainsRegex("t2d/256x256/4 +262144 +12.3[45] us +42.50 +1.50 +1.45\\.\\.1.55 +1.13 +1.25 +1.71 xnn"));
  EXPECT_THAT(text, Not(HasSubstr("Own cases")));
}

TEST(TablesTest, MeansAreGeometricAndPerClassAndSize) {
  const std::string text = Print({{.key = "t2d/256x256/1", .ratio = 2, .loop = 1},
                                  {.key = "t2d/1000x1000/1", .ratio = 8, .loop = 1.44},
                                  {.key = "t2d/256x256/4", .ratio = 1.5},
                                  {.key = "t2d/257x257/4", .ratio = 50}});
  // Peers of the two rows at 1 byte: 3.27 and 2.52. The own case counts for nothing here.
  EXPECT_THAT(text, ContainsRegex("t2d-cache +4.00/1.80 \\(2.87\\) +- +1.50/1.30 \\(1.71\\) +-"));
  EXPECT_THAT(text, ContainsRegex("t2d-cache +1.20 +"));
  EXPECT_THAT(text, HasSubstr("Own cases"));
}

TEST(TablesTest, InstalledPeersGoBeforeThoseOfTheTable) {
  const std::string text =
      Print({{.key = "t2d/256x256/1", .ratio = 2, .peers = {{"naive", 9}, {"other", 1.6}}, .slower_than_peer = 1.25}});
  EXPECT_THAT(text, ContainsRegex("1.60 other +1.25"));
  EXPECT_THAT(text, ContainsRegex("t2d-cache +2.00/1.80 \\(1.60; 3.27\\)"));
  EXPECT_THAT(text, HasSubstr("more than 5 %, confirmed: 1\n  t2d/256x256/1 1.25 times other"));
}

TEST(TablesTest, OwnCasesSlowerThanAPeerAreNamedToo) {
  const std::string text =
      Print({{.key = "t2d/257x257/4", .ratio = 4, .peers = {{"other", 2}}, .slower_than_peer = 2}});
  EXPECT_THAT(text, HasSubstr("more than 5 %, confirmed: 1\n  t2d/257x257/4 2.00 times other"));
}

TEST(TablesTest, TheVerdictNamesRows) {
  const std::string text = Print({{.key = "t2d/1000x1000/1", .ratio = 8}, {.key = "t2d/256x256/1", .ratio = 2}});
  EXPECT_THAT(text, HasSubstr("slower than 1.1 times that peer: 1\n  t2d/1000x1000/1 3.17 times"));
  EXPECT_THAT(text, HasSubstr("above 1.7 times their class's figure: 1\n  t2d/1000x1000/1 8.00 of 3.06"));
}

TEST(TablesTest, WithThreadsLargeMovesHaveAFigureAndNoneMayLose) {
  const std::string text = Print({{.key = "t2d/4096x4096/4", .ratio = 2},
                                  {.key = "perm0213/32x48x56x64/4", .ratio = 0.5},
                                  {.key = "t2d/256x256/4", .ratio = 50, .slower_than_serial = 1.5}},
                                 4);
  EXPECT_THAT(text, HasSubstr("4 threads, geometric means of the ratio: ours/asked\n   4 B  1.00/1.40\n"));
  EXPECT_THAT(text, HasSubstr("on one thread by more than 5 %, confirmed: 1\n  t2d/256x256/4 1.50 times"));
  EXPECT_THAT(text, Not(HasSubstr("class")));
}

TEST(TablesTest, CallsStandTogether) {
  const std::string text = Print({{.key = "nchw2nhwc/1x8x4x4/4", .ns = 30, .ratio = 4, .vs_memcpy = 4},
                                  {.key = "oneshot/nchw2nhwc/1x8x4x4/4", .ns = 60, .ratio = 8, .vs_memcpy = 8},
                                  {.key = "create/nchw2nhwc/1x8x4x4/4", .ns = 300, .ratio = 40, .vs_memcpy = 40}});
  const std::string calls = text.substr(text.find("\nCalls"));
  EXPECT_THAT(calls, ContainsRegex("execute/nchw2nhwc/1x8x4x4/4 +30.0 ns +4.00"));
  EXPECT_THAT(calls, ContainsRegex("oneshot/nchw2nhwc/1x8x4x4/4 +60.0 ns +8.00"));
  EXPECT_THAT(calls, ContainsRegex("create/nchw2nhwc/1x8x4x4/4 +300.0 ns +40.00"));
}

}  // namespace
}  // namespace dimorder::bench
