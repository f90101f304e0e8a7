// SPDX-License-Identifier: Apache-2.0
#include "dispatch/text.h"

#include <gtest/gtest.h>

#include <climits>
#include <string>

namespace dimorder::test {
namespace {

template <class Add>
std::string Written(const Add& add) {
  char buffer[200];
  TextWriter text(buffer, sizeof(buffer));
  add(text);
  const size_t length = text.Finish();
  EXPECT_EQ(length, std::string(buffer).size());
  return buffer;
}

TEST(TextWriter, WritesNumbers) {
  EXPECT_EQ(Written([](TextWriter& t) { t.Add(int64_t{0}).Add(" ").Add(int64_t{-7}); }), "0 -7");
  EXPECT_EQ(Written([](TextWriter& t) { t.Add(int64_t{INT64_MAX}); }), std::to_string(INT64_MAX));
  EXPECT_EQ(Written([](TextWriter& t) { t.Add(int64_t{INT64_MIN}); }), std::to_string(INT64_MIN));
}

TEST(TextWriter, RoundsToOneDecimal) {
  EXPECT_EQ(Written([](TextWriter& t) { t.AddFixed(0); }), "0.0");
  EXPECT_EQ(Written([](TextWriter& t) { t.AddFixed(12.34); }), "12.3");
  EXPECT_EQ(Written([](TextWriter& t) { t.AddFixed(9.96); }), "10.0");
  EXPECT_EQ(Written([](TextWriter& t) { t.AddFixed(1e9); }), "1000000000.0");
}

TEST(TextWriter, CutsAndCounts) {
  char buffer[4] = "???";
  TextWriter text(buffer, sizeof(buffer));
  text.Add("abcdef").Add(int64_t{12});
  EXPECT_EQ(text.Finish(), 8u);
  EXPECT_STREQ(buffer, "abc");
  TextWriter nowhere(nullptr, 100);
  EXPECT_EQ(nowhere.Add("abc").Finish(), 3u);
}

}  // namespace
}  // namespace dimorder::test
