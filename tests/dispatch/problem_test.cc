// SPDX-License-Identifier: Apache-2.0
#include "dispatch/problem.h"

#include <gtest/gtest.h>

#include <climits>
#include <vector>

namespace dimorder::test {
namespace {

Problem Canonical(const Move& move) {
  Problem problem;
  EXPECT_TRUE(MakeProblem(move, &problem).ok());
  EXPECT_TRUE(Canonicalize(&problem).ok());
  return problem;
}

void ExpectAxes(const Problem& problem, int64_t unit, const std::vector<Axis>& axes) {
  EXPECT_EQ(problem.unit, unit);
  ASSERT_EQ(problem.num_axes, static_cast<int>(axes.size()));
  for (size_t i = 0; i < axes.size(); ++i) {
    EXPECT_EQ(problem.axes[i].n, axes[i].n) << i;
    EXPECT_EQ(problem.axes[i].is, axes[i].is) << i;
    EXPECT_EQ(problem.axes[i].os, axes[i].os) << i;
  }
}

TEST(Canonicalize, FusesADenseCopyIntoOneRun) {
  ExpectAxes(Canonical(Move::Permute({2, 3, 4, 5}, {0, 1, 2, 3}, 4)), 1, {{480, 1, 1}});
}

TEST(Canonicalize, MakesChannelsLastATranspose) {
  const Problem problem = Canonical(Move::ToDimOrder({1, 64, 56, 56}, kNCHW, kNHWC, 4));
  ExpectAxes(problem, 4, {{3136, 4, 256}, {64, 12544, 4}});
  EXPECT_EQ(problem.bytes, 802816);
}

TEST(Canonicalize, WidensAnUnchangedInnerAxis) {
  ExpectAxes(Canonical(Move::Permute({3, 5, 4}, {1, 0, 2}, 2)), 8, {{5, 8, 24}, {3, 40, 8}});
  // Three bytes are no unit: a run.
  ExpectAxes(Canonical(Move::Permute({4, 5}, {1, 0}, 3)), 1, {{5, 3, 12}, {4, 15, 3}, {3, 1, 1}});
}

TEST(Canonicalize, DropsAxesOfSizeOneWhateverTheirStrides) {
  const Layout src = Layout::Strided({1, 4, 1, 5}, {INT64_MAX, 20, INT64_MIN, 4});
  const Layout dst = Layout::Strided({1, 4, 1, 5}, {0, 4, -1, 16});
  ExpectAxes(Canonical(Move::Between(src, dst, 4)), 4, {{5, 4, 16}, {4, 20, 4}});
}

TEST(Canonicalize, WalksReversedDestinationsBackwards) {
  const Layout src = Layout::Strided({3, 4}, {16, 4});
  const Layout dst = Layout::Strided({3, 4}, {-100, 8}, 200);
  const Problem problem = Canonical(Move::Between(src, dst, 4));
  ExpectAxes(problem, 4, {{3, -16, 100}, {4, 4, 8}});
  EXPECT_EQ(problem.src_offset, 32);
  EXPECT_EQ(problem.dst_offset, 0);
  EXPECT_EQ(problem.dst_begin, 0);
  EXPECT_EQ(problem.dst_end, 228);
}

TEST(Canonicalize, KeepsBothSidesReversedTogetherAsForward) {
  const Layout src = Layout::Strided({5, 4}, {-16, 4}, 64);
  const Layout dst = Layout::Strided({5, 4}, {-16, 4}, 64);
  ExpectAxes(Canonical(Move::Between(src, dst, 4)), 1, {{80, 1, 1}});
}

TEST(Canonicalize, MovesOfNothingAndOfOneElement) {
  const Problem nothing = Canonical(Move::Permute({3, 0, 4}, {2, 0, 1}, 4));
  EXPECT_EQ(nothing.num_axes, 0);
  EXPECT_EQ(nothing.bytes, 0);
  ExpectAxes(Canonical(Move::Permute({}, {}, 8)), 8, {});
  ExpectAxes(Canonical(Move::Permute({1, 1}, {1, 0}, 7)), 1, {{7, 1, 1}});
}

TEST(Canonicalize, RefusesWhatMayOverlapItself) {
  const auto refused = [](const Layout& dst, int64_t element_bytes) {
    Problem problem;
    EXPECT_TRUE(MakeProblem(Move::Between(Layout::Contiguous({3, 4}), dst, element_bytes), &problem).ok());
    return Canonicalize(&problem).rule() == Rule::kDestinationOverlap;
  };
  EXPECT_TRUE(refused(Layout::Strided({3, 4}, {0, 4}), 4));
  EXPECT_TRUE(refused(Layout::Strided({3, 4}, {16, 2}), 4));
  EXPECT_TRUE(refused(Layout::Strided({3, 4}, {8, 4}), 4));
  EXPECT_TRUE(refused(Layout::Strided({3, 4}, {15, 4}), 4));
  EXPECT_TRUE(refused(Layout::Strided({3, 4}, {4, -4}), 4));
  EXPECT_FALSE(refused(Layout::Strided({3, 4}, {16, 4}), 4));
  EXPECT_FALSE(refused(Layout::Strided({3, 4}, {-16, 4}), 4));
  EXPECT_FALSE(refused(Layout::Strided({3, 4}, {4, 12}), 4));
}

TEST(MakeProblem, MeasuresWhatIsTouched) {
  const Layout src = Layout::Strided({3, 4}, {-100, 4}, 7);
  Problem problem;
  ASSERT_TRUE(MakeProblem(Move::Between(src, Layout::Contiguous({3, 4}), 4), &problem).ok());
  EXPECT_EQ(problem.src_begin, 7 - 200);
  EXPECT_EQ(problem.src_end, 7 + 12 + 4);
  EXPECT_EQ(problem.dst_begin, 0);
  EXPECT_EQ(problem.dst_end, 48);
}

}  // namespace
}  // namespace dimorder::test
