// SPDX-License-Identifier: Apache-2.0
#include "dimorder/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <vector>

#include "dimorder/dimorder.h"

// Dim orders and strides by ExecuTorch's rules. The counts below are facts about those rules, found with a model of
// them; here the library recomputes them.
namespace dimorder::test {
namespace {

using Shape = std::array<int64_t, 4>;

std::vector<DimOrder> AllOrders() {
  std::vector<DimOrder> orders;
  int axes[] = {0, 1, 2, 3};
  do {
    orders.emplace_back(axes, size_t{4});
  } while (std::next_permutation(std::begin(axes), std::end(axes)));
  return orders;
}

// All shapes of rank 4 with sizes `smallest`, 2 and 3.
std::vector<Shape> AllShapes(int64_t smallest) {
  const int64_t sizes[] = {smallest, 2, 3};
  std::vector<Shape> shapes;
  for (int i = 0; i < 81; ++i) shapes.push_back({sizes[i / 27], sizes[i / 9 % 3], sizes[i / 3 % 3], sizes[i % 3]});
  return shapes;
}

bool Has(const Shape& shape, int64_t size) { return std::find(shape.begin(), shape.end(), size) != shape.end(); }

DimOrder RoundTrip(const Shape& shape, const DimOrder& order) {
  int64_t strides[4];
  EXPECT_TRUE(DimOrderToStrides(shape, order, 1, strides).ok());
  const Result<DimOrder> back = StridesToDimOrder(strides);
  EXPECT_TRUE(back.ok());
  return *back;
}

TEST(DimOrderToStrides, KnownTensors) {
  int64_t strides[4];
  ASSERT_TRUE(DimOrderToStrides({1, 64, 56, 56}, kNHWC, 4, strides).ok());
  EXPECT_EQ(std::vector<int64_t>(strides, strides + 4), (std::vector<int64_t>{802816, 4, 14336, 256}));
  ASSERT_TRUE(DimOrderToStrides({1, 64, 56, 56}, kNCHW, 1, strides).ok());
  EXPECT_EQ(std::vector<int64_t>(strides, strides + 4), (std::vector<int64_t>{200704, 3136, 56, 1}));
}

TEST(DimOrderToStrides, SizeZeroCountsAsOne) {
  int64_t strides[3];
  ASSERT_TRUE(DimOrderToStrides({2, 5, 0}, {0, 1, 2}, 1, strides).ok());
  EXPECT_EQ(std::vector<int64_t>(strides, strides + 3), (std::vector<int64_t>{5, 1, 1}));
}

TEST(DimOrderToStrides, RankZeroAndLimit) {
  EXPECT_TRUE(DimOrderToStrides({}, {}, 4, nullptr).ok());
  const std::vector<int64_t> ones(kMaxRank, 1);
  int64_t strides[kMaxRank];
  EXPECT_TRUE(DimOrderToStrides(ones, IdentityOrder(kMaxRank), 4, strides).ok());
  const std::vector<int64_t> more(kMaxRank + 1, 1);
  EXPECT_EQ(DimOrderToStrides(more, IdentityOrder(kMaxRank), 4, strides).rule(), Rule::kRankLimit);
}

TEST(DimOrderToStrides, Refusals) {
  int64_t strides[4];
  EXPECT_EQ(DimOrderToStrides({2, 3}, {0}, 1, strides).rule(), Rule::kDimOrderLength);
  EXPECT_EQ(DimOrderToStrides({2, 3}, {0, 2}, 1, strides).rule(), Rule::kDimOrderRange);
  EXPECT_EQ(DimOrderToStrides({2, 3}, {0, -1}, 1, strides).rule(), Rule::kDimOrderRange);
  EXPECT_EQ(DimOrderToStrides({2, 3}, {1, 1}, 1, strides).rule(), Rule::kDimOrderRepeated);
  EXPECT_EQ(DimOrderToStrides({2, -3}, {0, 1}, 1, strides).rule(), Rule::kSizeNegative);
  EXPECT_EQ(DimOrderToStrides({4, INT64_MAX / 2, 3}, {0, 1, 2}, 1, strides).code(), StatusCode::kOverflow);
}

TEST(StridesToDimOrder, TiesKeepTheirOrder) {
  EXPECT_EQ(*StridesToDimOrder({1, 1, 1, 2}), DimOrder({3, 0, 1, 2}));
  for (const Shape& strides : AllShapes(1)) {
    std::vector<int> expected(4);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](int a, int b) { return strides[static_cast<size_t>(a)] > strides[static_cast<size_t>(b)]; });
    EXPECT_EQ(*StridesToDimOrder(strides), DimOrder(expected.data(), expected.size()));
  }
}

TEST(StridesToDimOrder, MagnitudeDecides) {
  EXPECT_EQ(*StridesToDimOrder({-8, 2, -16, 0}), DimOrder({2, 0, 1, 3}));
  EXPECT_EQ(*StridesToDimOrder({INT64_MAX, INT64_MIN}), DimOrder({1, 0}));
  EXPECT_EQ(StridesToDimOrder({})->size(), 0u);
  EXPECT_EQ(StridesToDimOrder(std::vector<int64_t>(kMaxRank + 1, 1)).status().rule(), Rule::kRankLimit);
}

TEST(RoundTrip, ChangesTheOrderOnlyWhereASizeIsOneOrZero) {
  int changed = 0, changed_without_ones = 0, with_zeros = 0, changed_with_zeros = 0;
  for (const DimOrder& order : AllOrders()) {
    for (const Shape& shape : AllShapes(1)) {
      if (RoundTrip(shape, order) == order) continue;
      ++changed;
      if (!Has(shape, 1)) ++changed_without_ones;
    }
    for (const Shape& shape : AllShapes(0)) {
      if (!Has(shape, 0)) continue;
      ++with_zeros;
      if (RoundTrip(shape, order) != order) ++changed_with_zeros;
    }
  }
  EXPECT_EQ(changed, 849);  // of 1944
  EXPECT_EQ(changed_without_ones, 0);
  EXPECT_EQ(with_zeros, 1560);
  EXPECT_EQ(changed_with_zeros, 849);
}

TEST(RoundTrip, ChannelsLastIsLostWithOneChannel) {
  std::map<std::string, int> became;
  for (const Shape& shape : AllShapes(1)) {
    const DimOrder back = RoundTrip(shape, kNHWC);
    EXPECT_EQ(back == kNHWC, shape[1] != 1);
    if (back != kNHWC) ++became[DimOrderToString(back)];
  }
  EXPECT_EQ(became, (std::map<std::string, int>{{"(0,1,2,3)", 9}, {"(0,2,1,3)", 18}}));
}

// The number of layouts that differ in memory, of the 24 orders of a shape.
int CountLayouts(const Shape& shape) {
  std::vector<Layout> different;
  for (const DimOrder& order : AllOrders()) {
    const Layout layout = Layout::InOrder(shape, order);
    const auto alike = [&](const Layout& other) { return LaidOutAlike(layout, other, 4); };
    if (std::none_of(different.begin(), different.end(), alike)) different.push_back(layout);
  }
  return static_cast<int>(different.size());
}

TEST(LaidOutAlike, CountsPhysicalLayouts) {
  EXPECT_EQ(CountLayouts({2, 3, 4, 5}), 24);
  EXPECT_EQ(CountLayouts({3, 1, 3, 3}), 6);
  EXPECT_EQ(CountLayouts({1, 3, 224, 224}), 6);
  EXPECT_EQ(CountLayouts({1, 64, 1, 1}), 1);
  EXPECT_EQ(CountLayouts({1, 1, 1, 1}), 1);
  EXPECT_EQ(CountLayouts({4, 0, 3, 2}), 1);
}

TEST(LaidOutAlike, LooksAtAxesLargerThanOneOnly) {
  const Layout nchw = Layout::InOrder({2, 1, 4, 4}, kNCHW);
  EXPECT_TRUE(LaidOutAlike(nchw, Layout::InOrder({2, 1, 4, 4}, kNHWC), 4));
  EXPECT_TRUE(LaidOutAlike(nchw, Layout::Strided({2, 1, 4, 4}, {64, 999, 16, 4}), 4));
  EXPECT_TRUE(LaidOutAlike(nchw, Layout::Strided({2, 1, 4, 4}, {64, 0, 16, 4}, 128), 4));
  EXPECT_FALSE(LaidOutAlike(nchw, Layout::Strided({2, 1, 4, 4}, {64, 0, 16, 8}), 4));
  EXPECT_FALSE(LaidOutAlike(nchw, Layout::InOrder({2, 1, 4, 4}, {0, 1, 3, 2}), 4));
}

TEST(LaidOutAlike, IsFalseForWhatIsInvalidOrOfOtherSizes) {
  const Layout good = Layout::Contiguous({2, 3});
  EXPECT_TRUE(LaidOutAlike(good, good, 1));
  EXPECT_FALSE(LaidOutAlike(good, Layout::Contiguous({3, 2}), 1));
  EXPECT_FALSE(LaidOutAlike(good, Layout::Contiguous({2, 3, 1}), 1));
  EXPECT_FALSE(LaidOutAlike(good, good, 0));
  const Layout repeated = Layout::InOrder({2, 3}, {0, 0});
  EXPECT_FALSE(LaidOutAlike(repeated, repeated, 1));
  const Layout negative = Layout::Contiguous({-2, 3});
  EXPECT_FALSE(LaidOutAlike(negative, negative, 1));
  const Layout short_strides = Layout::Strided({2, 3}, {3});
  EXPECT_FALSE(LaidOutAlike(short_strides, short_strides, 1));
  const Layout high = Layout::Contiguous(std::vector<int64_t>(kMaxRank + 1, 1));
  EXPECT_FALSE(LaidOutAlike(high, high, 1));
}

TEST(Layout, KeepsWhatItIsGiven) {
  const Layout scalar;
  EXPECT_EQ(scalar.rank(), 0u);
  EXPECT_TRUE(scalar.has_order());
  const Layout strided = Layout::Strided({2, 3}, {-12, 4}, 12);
  EXPECT_FALSE(strided.has_order());
  EXPECT_EQ(strided.num_strides(), 2u);
  EXPECT_EQ(strided.stride(0), -12);
  EXPECT_EQ(strided.byte_offset(), 12);
  EXPECT_EQ(Layout::Contiguous({2, 3, 4}).order(), DimOrder({0, 1, 2}));
}

TEST(AxisList, KeepsCountsAndOutOfRangeEntriesVisible) {
  const std::vector<int64_t> many(40, 1);
  EXPECT_EQ(AxisList(many.data(), many.size()).size(), 40u);
  const int64_t wild[] = {-7, int64_t{1} << 40, 3};
  const AxisList list(wild, size_t{3});
  EXPECT_EQ(list[0], -7);
  EXPECT_EQ(list[1], INT32_MAX);
  EXPECT_EQ(list[2], 3);
  EXPECT_EQ(IdentityOrder(100).size(), static_cast<size_t>(kMaxRank));
}

}  // namespace
}  // namespace dimorder::test
