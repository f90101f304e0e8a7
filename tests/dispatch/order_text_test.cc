// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dimorder/layout.h"

namespace dimorder::test {
namespace {

// Every name of layout.h's table with the letters of its logical order.
struct Named {
  const char* name;
  const char* letters;
  DimOrder order;
};

const std::vector<Named>& NamedOrders() {
  static const std::vector<Named> orders = {
      {"NCHW", "NCHW", kNCHW},    {"NHWC", "NCHW", kNHWC},    {"CHWN", "NCHW", kCHWN},    {"HWCN", "NCHW", kHWCN},
      {"NCW", "NCW", kNCW},       {"NWC", "NCW", kNWC},       {"CHW", "CHW", kCHW},       {"HWC", "CHW", kHWC},
      {"NCDHW", "NCDHW", kNCDHW}, {"NDHWC", "NCDHW", kNDHWC}, {"OIHW", "OIHW", kOIHW},    {"OHWI", "OIHW", kOHWI},
      {"HWIO", "OIHW", kHWIO},    {"OIDHW", "OIDHW", kOIDHW}, {"ODHWI", "OIDHW", kODHWI}, {"DHWIO", "OIDHW", kDHWIO},
      {"CMHW", "CMHW", kCMHW},    {"HWCM", "CMHW", kHWCM},
  };
  return orders;
}

TEST(ParseDimOrder, ReadsEveryName) {
  for (const Named& named : NamedOrders()) {
    const Result<DimOrder> order = ParseDimOrder(named.name);
    ASSERT_TRUE(order.ok()) << named.name;
    EXPECT_EQ(*order, named.order) << named.name;
    EXPECT_EQ(DimOrderToString(*order, named.letters), named.name);
    const std::string arrow = std::string(named.letters) + "->" + named.name;
    EXPECT_EQ(*ParseDimOrder(arrow), named.order) << arrow;
  }
}

TEST(ParseDimOrder, ReadsLettersAndNumbers) {
  EXPECT_EQ(*ParseDimOrder("NHWC->NCHW"), DimOrder({0, 3, 1, 2}));
  EXPECT_EQ(*ParseDimOrder(" NCHW -> NHWC "), kNHWC);
  EXPECT_EQ(*ParseDimOrder("abc->cab"), DimOrder({2, 0, 1}));
  EXPECT_EQ(*ParseDimOrder("0,2,3,1"), kNHWC);
  EXPECT_EQ(*ParseDimOrder("(0, 2, 3, 1)"), kNHWC);
  EXPECT_EQ(*ParseDimOrder(" ( 0 ,2, 3,1 ) "), kNHWC);
  EXPECT_EQ(ParseDimOrder("()")->size(), 0u);
  EXPECT_EQ(*ParseDimOrder("0"), DimOrder({0}));
}

TEST(ParseDimOrder, RefusesOtherText) {
  for (const char* text : {"",
                           " ",
                           "NCWH",
                           "nchw",
                           "X",
                           "NCHW->",
                           "->NHWC",
                           "NCHW->NHW",
                           "NCHW->NHWW",
                           "NNHW->NHWN",
                           "NCHW->NHWX",
                           "NCHW>NHWC",
                           "0,2,3",
                           "0,0",
                           "1",
                           "-1,0",
                           "0,1,",
                           ",0,1",
                           "0,,1",
                           "0 1",
                           "(0,1",
                           "0,1)",
                           "0;1",
                           "0,1 x",
                           "N1->1N",
                           "0x0",
                           "99999999999999999999",
                           "(,)",
                           "NCHW->NHWC->NCHW"}) {
    const Result<DimOrder> order = ParseDimOrder(text);
    EXPECT_FALSE(order.ok()) << '"' << text << '"';
    EXPECT_EQ(order.status().rule(), Rule::kOrderName) << text;
  }
  EXPECT_FALSE(ParseDimOrder(std::string("NHWC\0", 5)).ok());
  EXPECT_FALSE(ParseDimOrder(std::string(1000, '(')).ok());
}

TEST(ParseDimOrder, ReadsWhatIsPrintedAtEveryRank) {
  for (size_t rank = 0; rank <= kMaxRank; ++rank) {
    std::vector<int> axes(rank);
    for (size_t i = 0; i < rank; ++i) axes[i] = static_cast<int>(rank - 1 - i);
    if (rank > 3) std::swap(axes[1], axes[rank / 2]);
    const DimOrder order(axes.data(), axes.size());
    EXPECT_EQ(*ParseDimOrder(DimOrderToString(order)), order);
  }
  std::string numbers = "0";
  for (int axis = 1; axis <= kMaxRank; ++axis) numbers += "," + std::to_string(axis);
  EXPECT_FALSE(ParseDimOrder(numbers).ok());
}

TEST(FormatDimOrder, FallsBackToNumbers) {
  EXPECT_EQ(DimOrderToString(kNHWC), "(0,2,3,1)");
  EXPECT_EQ(DimOrderToString(kNHWC, "NCH"), "(0,2,3,1)");
  EXPECT_EQ(DimOrderToString(DimOrder({0, 0, 5}), "ABC"), "(0,0,5)");
  EXPECT_EQ(DimOrderToString(DimOrder()), "()");
}

TEST(FormatDimOrder, CutsToTheBuffer) {
  char buffer[5] = "????";
  EXPECT_EQ(FormatDimOrder(kNHWC, {}, buffer, sizeof(buffer)), 9u);
  EXPECT_STREQ(buffer, "(0,2");
  EXPECT_EQ(FormatDimOrder(kNHWC, {}, nullptr, 0), 9u);
  char untouched = '?';
  EXPECT_EQ(FormatDimOrder(kNHWC, {}, &untouched, 0), 9u);
  EXPECT_EQ(untouched, '?');
}

}  // namespace
}  // namespace dimorder::test
