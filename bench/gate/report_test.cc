// SPDX-License-Identifier: Apache-2.0
#include "bench/gate/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "bench/gate/sample.h"

namespace dimorder::bench::gate {
namespace {

using testing::HasSubstr;
using testing::Not;

ProcessBlocks Blocks(double ratio, size_t processes) {
  const BlockTimes block{100, 100 * ratio, std::log(ratio)};
  return ProcessBlocks(processes, std::vector<BlockTimes>(16, block));
}

CaseReport CaseOf(const Row& row, Outcome outcome) {
  CaseReport report;
  report.row = row;
  report.outcome = outcome;
  if (outcome > Outcome::kNew && outcome != Outcome::kUntimed) report.screen = Blocks(1.25, 4);
  return report;
}

// One case for each outcome.
Report ReportOf(std::initializer_list<Outcome> outcomes) {
  Comparison comparison{{"merge base", "0123456789ab", {}}, {}, 12};
  for (const Outcome outcome : outcomes) {
    comparison.cases.push_back(CaseOf(GatedRows()[comparison.cases.size()], outcome));
  }
  return {"2026-01-02T03:04:05Z", 7, {"head", "ba9876543210", {}}, {comparison}};
}

TEST(ReportTest, TheWorstOutcomeDecides) {
  const auto verdict = [](std::initializer_list<Outcome> outcomes) { return Verdict(Worst(ReportOf(outcomes))); };
  EXPECT_EQ(verdict({}), "pass");
  EXPECT_EQ(verdict({Outcome::kSameCode, Outcome::kSame, Outcome::kCleared, Outcome::kNew}), "pass");
  EXPECT_EQ(verdict({Outcome::kSame, Outcome::kAccepted}), "pass");
  EXPECT_EQ(verdict({Outcome::kSame, Outcome::kFaster}), "improved");
  EXPECT_EQ(verdict({Outcome::kFaster, Outcome::kUntimed}), "inconclusive");
  EXPECT_EQ(verdict({Outcome::kUnconfirmed}), "inconclusive");
  EXPECT_EQ(verdict({Outcome::kInconclusive, Outcome::kFaster}), "inconclusive");
  EXPECT_EQ(verdict({Outcome::kInconclusive, Outcome::kRegression}), "regression");
  EXPECT_EQ(Verdict(Worst(Report())), "inconclusive") << "no comparison came to an end";
}

TEST(ReportTest, OnlyRegressionsFail) {
  EXPECT_EQ(ExitCode(ReportOf({Outcome::kRegression})), 1);
  EXPECT_EQ(ExitCode(ReportOf({Outcome::kInconclusive, Outcome::kUntimed, Outcome::kAccepted})), 0);
  // The second base counts as much as the first.
  Report report = ReportOf({Outcome::kSame});
  report.comparisons.push_back(ReportOf({Outcome::kRegression}).comparisons[0]);
  EXPECT_EQ(ExitCode(report), 1);
}

TEST(ReportTest, MarkdownNamesCasesAndRatios) {
  Report report = ReportOf({Outcome::kSame, Outcome::kRegression});
  CaseReport& slow = report.comparisons[0].cases[1];
  slow.confirm = Blocks(1.2, 12);
  slow.control = Blocks(1, 12);
  const std::string text = Markdown(report);
  EXPECT_THAT(text, HasSubstr("## dimorder gate: regression"));
  EXPECT_THAT(text, HasSubstr("Against merge base 0123456789ab: regression"));
  EXPECT_THAT(text, HasSubstr("2 cases, 1 same, 1 regression; 12 s."));
  EXPECT_THAT(text, HasSubstr("| `" + slow.row.key + "` | regression | 1.200 (1.200 to 1.200) |"));
  EXPECT_THAT(text, Not(HasSubstr("`" + GatedRows()[0].key + "`")));
}

TEST(ReportTest, JsonHasAllCasesAndBlocks) {
  Report report = ReportOf({Outcome::kSame, Outcome::kUntimed});
  report.comparisons[0].cases[1].note = "a \"quoted\"\tnote";
  const std::string text = Json(report);
  EXPECT_THAT(text, HasSubstr("\"verdict\": \"inconclusive\""));
  EXPECT_THAT(text, HasSubstr("\"blocks_per_process\": [16, 16, 16, 16]"));
  EXPECT_THAT(text, HasSubstr("0.22314, 0.22314"));
  EXPECT_THAT(text, HasSubstr(R"("note": "a \"quoted\"\u0009note")"));
}

TEST(ReportTest, ProcessesWithoutBlocksAreNoMeasurement) {
  Report report = ReportOf({Outcome::kUntimed});
  CaseReport& never = report.comparisons[0].cases[0];
  never.screen = never.confirm = never.control = ProcessBlocks(4);
  EXPECT_THAT(Json(report), Not(HasSubstr("\"ratio\"")));
  EXPECT_THAT(Markdown(report), HasSubstr("| untimed | | | | |"));
}

TEST(ReportTest, BoundsOfTooFewBlocksAreNull) {
  Report report = ReportOf({Outcome::kSame});
  report.comparisons[0].cases[0].screen = {{BlockTimes{100, 110, std::log(1.1)}}};
  EXPECT_THAT(Json(report), HasSubstr("\"lower\": null, \"upper\": null"));
}

TEST(GatedRowsTest, AreAboutSixtyAndCoverAllElementSizesAndCalls) {
  EXPECT_GE(GatedRows().size(), 50u);
  EXPECT_LE(GatedRows().size(), 70u);
  std::set<int64_t> element_bytes;
  std::set<Call> calls;
  for (const Row& row : GatedRows()) {
    element_bytes.insert(row.c->element_bytes);
    calls.insert(row.call);
  }
  EXPECT_EQ(element_bytes, (std::set<int64_t>{1, 2, 4, 8, 16}));
  EXPECT_EQ(calls, (std::set<Call>{Call::kExecute, Call::kOneShot, Call::kCreate}));
}

TEST(GatedRowsTest, ListsHaveCommentsAndErrors) {
  EXPECT_EQ(ParseGatedRows("# nothing\n\n  t2d/64x64/1   # small\ncreate/nchw2nhwc/1x8x4x4/4\n").size(), 2u);
  EXPECT_THROW(ParseGatedRows("t2d/64x64/1\nt2d/64x64/1\n"), std::runtime_error);
  try {
    ParseGatedRows("t2d/64x64/1\nt2d/no-such-case/1\n");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "gated cases, line 2: t2d/no-such-case/1: no such case");
  }
}

TEST(AcceptTest, HoldsForItsBaseAndItsCases) {
  const Comparison slow = ReportOf({Outcome::kRegression, Outcome::kRegression, Outcome::kInconclusive}).comparisons[0];
  const std::string key = slow.cases[0].row.key;
  const std::string list = "0123456789ab\tdddddddddddd\t2026-01-02T03:04:05Z\t" + key +
                           "\tless code\neeeeeeeeeeee\tffffffffffff\t2026-01-01T03:04:05Z\t*\tlong ago\n";
  const std::vector<Acceptance> accepted = ParseAccepted(list);
  Comparison near = slow;
  Accept(accepted, &near);
  EXPECT_EQ(near.cases[0].outcome, Outcome::kAccepted);
  EXPECT_EQ(near.cases[0].note, "accepted by dddddddddddd: less code");
  EXPECT_EQ(near.cases[1].outcome, Outcome::kRegression);

  Comparison far = slow;
  far.base.commit = "eeeeeeeeeeee";
  Accept(accepted, &far);
  EXPECT_EQ(far.cases[0].note, "accepted by ffffffffffff: long ago");
  EXPECT_EQ(far.cases[1].outcome, Outcome::kAccepted);
  EXPECT_EQ(far.cases[2].outcome, Outcome::kInconclusive);
}

TEST(AcceptTest, NeedsAReason) {
  EXPECT_TRUE(ParseAccepted("").empty());
  EXPECT_THROW(ParseAccepted("0123456789ab\tdddddddddddd\t2026-01-02T03:04:05Z\t*\n"), std::runtime_error);
}

TEST(LinesTest, WorkersAreReadExactly) {
  const SampleLine line = ParseSampleLine("control\tt2d/64x64/1\t1.5\t3\t0.693147");
  EXPECT_EQ(line.pair, Pair::kControl);
  EXPECT_EQ(line.key, "t2d/64x64/1");
  EXPECT_EQ(line.times.a_ns, 1.5);
  EXPECT_EQ(line.times.b_ns, 3);
  EXPECT_EQ(line.times.log_ratio, 0.693147);
  EXPECT_EQ(ParseInspectLine("key\t1\tone plan\tanother").result, Inspection::Result::kDiffers);
  for (const char* wrong :
       {"", "head\tkey\t1\t2", "head\tkey\t1\t2\tx", "other\tkey\t1\t2\t0", "head\tkey\t1\t2\t0\t"}) {
    EXPECT_THROW(ParseSampleLine(wrong), std::runtime_error) << wrong;
  }
  EXPECT_THROW(ParseInspectLine("key\t9\ta\tb"), std::runtime_error);
}

}  // namespace
}  // namespace dimorder::bench::gate
