// SPDX-License-Identifier: Apache-2.0
#include "bench/cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>

#include "bench/buffers.h"
#include "bench/rows.h"

namespace dimorder::bench {
namespace {

const std::string kHeader = "name,element_bytes,sizes,perm,class,suite,best_peer_ratio,best_peer,why\n";

std::string ParseError(const std::string& row) {
  try {
    ParseCases(kHeader + row, false);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(CasesTest, KeysAreUnique) {
  std::set<std::string> keys;
  for (const Row& row : RowsOf(Suite::kFull)) EXPECT_TRUE(keys.insert(row.key).second) << row.key;
}

TEST(CasesTest, EveryRowSaysWhyItIsThere) {
  for (const Case& c : AllCases()) {
    EXPECT_FALSE(c.why.empty()) << c.Key();
    EXPECT_FALSE(c.group.empty()) << c.Key();
    EXPECT_EQ(c.peer.empty(), c.peer_ratio == 0) << c.Key();
  }
}

TEST(CasesTest, EveryRowMakesAPlan) {
  for (const Case& c : AllCases()) {
    const Result<Plan> plan = Plan::Create(c.ToMove());
    ASSERT_TRUE(plan.ok()) << c.Key() << ": " << plan.status().ToString();
    EXPECT_EQ(plan.value().Bytes(), c.Bytes()) << c.Key();
  }
}

TEST(CasesTest, BothTablesAreThere) {
  const auto own = [](const Case& c) { return c.own; };
  EXPECT_EQ(std::count_if(AllCases().begin(), AllCases().end(), std::not_fn(own)), 245);
  EXPECT_GT(std::count_if(AllCases().begin(), AllCases().end(), own), 50);
}

TEST(CasesTest, SuitesNest) {
  EXPECT_LT(RowsOf(Suite::kQuick).size(), RowsOf(Suite::kStandard).size());
  EXPECT_LT(RowsOf(Suite::kStandard).size(), RowsOf(Suite::kFull).size());
}

TEST(CasesTest, RowsAreParsed) {
  const std::vector<Case> cases =
      ParseCases(kHeader + "a/1x2x3,4,1x2x3,201,run-cache,quick,1.25,eigen,for fun\n", true);
  ASSERT_EQ(cases.size(), 1u);
  const Case& c = cases[0];
  EXPECT_EQ(c.Key(), "a/1x2x3/4");
  EXPECT_EQ(c.sizes, (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(c.perm, (std::vector<int>{2, 0, 1}));
  EXPECT_FALSE(c.IsView());
  EXPECT_EQ(c.Bytes(), 24);
  EXPECT_EQ(c.suite, Suite::kQuick);
  EXPECT_EQ(c.peer_ratio, 1.25);
  EXPECT_EQ(c.peer, "eigen");
  EXPECT_EQ(c.why, "for fun");
  EXPECT_TRUE(c.own);
}

TEST(CasesTest, ViewsAreParts) {
  const std::vector<Case> cases = ParseCases(kHeader + "a,4,5x1:3x6:8,201,view,quick,,,w\n", true);
  ASSERT_EQ(cases.size(), 1u);
  const Case& c = cases[0];
  EXPECT_TRUE(c.IsView());
  EXPECT_EQ(c.sizes, (std::vector<int64_t>{5, 1, 6}));
  EXPECT_EQ(c.allocated, (std::vector<int64_t>{5, 3, 8}));
  EXPECT_EQ(c.Bytes(), 120);
  EXPECT_EQ(c.SourceBytes(), 480);
  const Case::View view = c.ToView();
  EXPECT_EQ(view.sizes, (std::vector<int64_t>{6, 5, 1}));
  EXPECT_EQ(view.src_strides, (std::vector<int64_t>{4, 96, 32}));
  EXPECT_EQ(view.dst_strides, (std::vector<int64_t>{20, 4, 4}));
}

TEST(CasesTest, ErrorsNameTheLineAndWhatIsWrong) {
  EXPECT_EQ(ParseError("a,4,2x2,10,c,quick,,"), "case table, line 2: not 9 fields");
  EXPECT_EQ(ParseError("a,four,2x2,10,c,quick,,,w"), "case table, line 2: \"four\" is no number");
  EXPECT_EQ(ParseError("a,4,2x,10,c,quick,,,w"), "case table, line 2: \"\" is no number");
  EXPECT_EQ(ParseError("a,4,2x0,10,c,quick,,,w"), "case table, line 2: a size below 1");
  EXPECT_EQ(ParseError("a,4,2x2:1,10,c,quick,,,w"), "case table, line 2: \"2:1\" is no part of an axis");
  EXPECT_EQ(ParseError("a,4,2x2,11,c,quick,,,w"), "case table, line 2: perm is no permutation");
  EXPECT_EQ(ParseError("a,4,2x2,102,c,quick,,,w"), "case table, line 2: perm and sizes differ in length");
  EXPECT_EQ(ParseError("a,4,2x2,10,c,slow,,,w"), "case table, line 2: \"slow\" is no suite");
  EXPECT_THROW(ParseCases("name\n", false), std::runtime_error);
}

TEST(RowsTest, FilterFollowsGoogleBenchmark) {
  const std::vector<Row> rows = RowsOf(Suite::kStandard);
  EXPECT_EQ(Filter(rows, "").size(), rows.size());
  EXPECT_EQ(Filter(rows, "all").size(), rows.size());
  ASSERT_EQ(Filter(rows, "^t2d/2x3/4$").size(), 1u);
  EXPECT_EQ(Filter(rows, "-^t2d/2x3/4$").size(), rows.size() - 1);
  EXPECT_EQ(Filter(rows, "create|oneshot").size(), 2u);
}

TEST(BuffersTest, PairsRotateOnlyBeyondTheCaches) {
  EXPECT_EQ(PairsFor(1024), 1);
  EXPECT_EQ(PairsFor(int64_t{16} << 20), 1);
  EXPECT_EQ(PairsFor((int64_t{16} << 20) + 1), 13);  // 12 are 192 MB, odd are 13
  EXPECT_EQ(PairsFor(int64_t{600} << 20), 1);
}

TEST(BuffersTest, PlacementsStayInTheCaches) {
  EXPECT_EQ(PlacementsFor(0, 8), 8);
  EXPECT_EQ(PlacementsFor(int64_t{1} << 20, 8), 8);
  EXPECT_EQ(PlacementsFor(int64_t{2} << 20, 8), 4);
  EXPECT_EQ(PlacementsFor((int64_t{2} << 20) + 1, 8), 1);
  EXPECT_EQ(PlacementsFor(int64_t{64} << 20, 8), 1);
}

TEST(BuffersTest, EachPlacementHasPagesOfItsOwn) {
  BufferPairs pairs(5000, 5000, 3);
  ASSERT_EQ(pairs.placements(), 3);
  const uint8_t* const first = pairs.src(0);
  EXPECT_EQ(pairs.src(1), first);
  pairs.Place(2);
  EXPECT_GE(pairs.src(0) - first, 2 * 10000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pairs.dst(0)) % 4096, 1088u);
  EXPECT_EQ(std::memcmp(pairs.src(0), first, 5000), 0);
  pairs.Place(3);
  EXPECT_EQ(pairs.src(0), first);
}

TEST(BuffersTest, PhasesAreAsPromised) {
  const BufferPairs pairs(12'000'001);
  for (int64_t turn = 0; turn < 2 * pairs.count(); ++turn) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pairs.src(turn)) % 4096, 0u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pairs.dst(turn)) % 4096, 1088u);
    EXPECT_GE(pairs.dst(turn) - pairs.src(turn), 12'000'001 + 256 * 1024);
    EXPECT_EQ(pairs.src(turn), pairs.src(turn + pairs.count()));
  }
}

}  // namespace
}  // namespace dimorder::bench
