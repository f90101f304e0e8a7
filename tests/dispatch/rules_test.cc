// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/targets.h"
#include "dimorder/wisdom.h"
#include "tests/executors.h"
#include "tests/targets.h"

// Every rule of status.h, broken: the Status must name the rule and its text the values.
namespace dimorder::test {
namespace {

struct BrokenRule {
  Rule rule;
  StatusCode code;
  std::vector<std::string> words;  // of the text
  std::function<Status()> provoke;
};

constexpr int64_t kNoNumbers[1] = {};

Status Creating(const Move& move, const Options& options = {}) { return Plan::Create(move, options).status(); }

Move Small() { return Move::Permute({2, 3}, {1, 0}, 4); }

Status CreatingWith(const std::function<void(Options*)>& change) {
  Options options;
  change(&options);
  return Creating(Small(), options);
}

Status Executing(int64_t src_at, int64_t dst_at) {
  static char buffer[200];
  return Plan::Create(Small())->Execute(src_at < 0 ? nullptr : buffer + src_at, dst_at < 0 ? nullptr : buffer + dst_at);
}

Status ExecutingInWorkspace(size_t bytes) {
  static char buffer[2][256 * 256];
  static std::byte workspace[64];
  Options options;
  options.stores = Stores::kNonTemporal;
  return Plan::Create(Move::Permute({250, 250}, {1, 0}, 1), options)  // staged: columns are not whole lines apart
      ->Execute(buffer[0], buffer[1], std::span<std::byte>(workspace, bytes));
}

void* NoMemory(void*, size_t, size_t) { return nullptr; }
void Release(void*, void*, size_t) {}

// A target that Highway knows and this build lacks: it has one of the two without vectors.
std::string UnsupportedTarget() { return std::ranges::count(TargetNames(), "SCALAR") == 0 ? "SCALAR" : "EMU128"; }

// Wisdom of this machine for so many problems.
std::string WisdomOf(size_t problems) {
  const std::string empty = ExportWisdom();
  std::string text = empty.substr(0, empty.find('\n') + 1);
  for (size_t i = 0; i < problems; ++i) {
    const std::string number = std::to_string(i);
    text += std::string(SupportedTargets()[0]) + " threads=1 problem=" + std::string(32 - number.size(), '0') + number +
            " Run pack=0 panel=1 run=0 rows=0 cols=0 swap=0 copy=0\n";
  }
  return text + "end " + std::to_string(problems) + "\n";
}

std::vector<BrokenRule> MovesThatBreakRules() {
  constexpr auto kInvalid = StatusCode::kInvalidArgument;
  const std::vector<int64_t> long_sizes(33, 1);
  return {
      {Rule::kRankLimit, kInvalid, {"rank 33", "32"}, [=] { return Creating(Move::Permute(long_sizes, {}, 4)); }},
      {Rule::kRankLimit,
       kInvalid,
       {"rank 9223372036854775807"},
       [] { return StridesToDimOrder(std::span<const int64_t>(kNoNumbers, SIZE_MAX)).status(); }},
      {Rule::kStridesLength,
       kInvalid,
       {"1 strides", "2 axes", "of the source"},
       [] {
         return Creating(Move::Between(Layout::Strided({2, 3}, {4}), Layout::Contiguous({2, 3}), 4));
       }},
      {Rule::kSizeNegative,
       kInvalid,
       {"axis 1", "of the source", "-3"},
       [] {
         return Creating(Move::Permute({2, -3}, {1, 0}, 4));
       }},
      {Rule::kElementBytes,
       kInvalid,
       {"0 bytes"},
       [] {
         return Creating(Move::Permute({2, 3}, {1, 0}, 0));
       }},
      {Rule::kElementBytes,
       kInvalid,
       {"-4 bytes"},
       [] {
         return Creating(Move::Permute({2, 3}, {1, 0}, -4));
       }},
      {Rule::kPermLength,
       kInvalid,
       {"perm", "3 entries", "2 axes"},
       [] {
         return Creating(Move::Permute({2, 3}, {1, 0, 2}, 4));
       }},
      {Rule::kPermRange,
       kInvalid,
       {"perm[1]", "2"},
       [] {
         return Creating(Move::Permute({2, 3}, {0, 2}, 4));
       }},
      {Rule::kPermRange,
       kInvalid,
       {"perm[0]", "-2147483648"},
       [] {
         const int64_t below[] = {INT64_MIN, 0};
         return Creating(Move::Permute({2, 3}, Perm(below, 2), 4));
       }},
      {Rule::kPermRepeated,
       kInvalid,
       {"perm[1]", "axis 1"},
       [] {
         return Creating(Move::Permute({2, 3}, {1, 1}, 4));
       }},
      {Rule::kDimOrderLength,
       kInvalid,
       {"dim_order", "1 entries", "2 axes"},
       [] {
         return Creating(Move::ToDimOrder({2, 3}, {0}, {0, 1}, 4));
       }},
      {Rule::kDimOrderRange,
       kInvalid,
       {"dim_order[0]", "-1"},
       [] {
         return Creating(Move::ToDimOrder({2, 3}, {0, 1}, {-1, 0}, 4));
       }},
      {Rule::kDimOrderRepeated,
       kInvalid,
       {"dim_order[1]", "axis 0"},
       [] {
         return Creating(Move::ToDimOrder({2, 3}, {0, 0}, {0, 1}, 4));
       }},
      {Rule::kRanksDiffer,
       kInvalid,
       {"rank 1", "rank 2"},
       [] {
         return Creating(Move::Between(Layout::Contiguous({6}), Layout::Contiguous({2, 3}), 4));
       }},
      {Rule::kSizesDiffer,
       kInvalid,
       {"axis 1", "3", "4"},
       [] {
         return Creating(Move::Between(Layout::Contiguous({2, 3}), Layout::Contiguous({2, 4}), 4));
       }},
      {Rule::kBytesOverflow,
       StatusCode::kOverflow,
       {"axis 1", "4294967296"},
       [] {
         return Creating(Move::Permute({int64_t{1} << 31, int64_t{1} << 32}, {1, 0}, 4));
       }},
      {Rule::kSpanOverflow,
       StatusCode::kOverflow,
       {"of the source", "axis 0", "size 3", "stride 4611686018427387904"},
       [] {
         const Layout far = Layout::Strided({3, 2}, {int64_t{1} << 62, 4});
         return Creating(Move::Between(far, Layout::Contiguous({3, 2}), 4));
       }},
      {Rule::kSpanOverflow,
       StatusCode::kOverflow,
       {"of the destination"},
       [] {
         const Layout far = Layout::Strided({3, 2}, {int64_t{1} << 62, 4});
         return Creating(Move::Between(Layout::Contiguous({3, 2}), far, 4));
       }},
      {Rule::kSpanOverflow,
       StatusCode::kOverflow,
       {"2^63", "the offset 9223372036854775805"},
       [] {
         const Layout offset = Layout::Strided({3, 2}, {8, 4}, INT64_MAX - 2);
         return Creating(Move::Between(offset, Layout::Contiguous({3, 2}), 4));
       }},
      {Rule::kSpanOverflow,  // both ends fit, what lies between them does not
       StatusCode::kOverflow,
       {"2^63", "all axes"},
       [] {
         const Layout wide = Layout::Strided({2, 2}, {-(int64_t{1} << 62), 4}, -(int64_t{1} << 62));
         const Layout wider = Layout::Strided({2, 2}, {-(int64_t{1} << 62), int64_t{1} << 62});
         EXPECT_TRUE(Creating(Move::Between(wide, Layout::Contiguous({2, 2}), 4)).ok());
         return Creating(Move::Between(wider, Layout::Contiguous({2, 2}), 4));
       }},
      {Rule::kDestinationOverlap,
       kInvalid,
       {"stride of 4", "12 bytes"},
       [] {
         return Creating(Move::Between(Layout::Contiguous({2, 3}), Layout::Strided({2, 3}, {4, 4}), 4));
       }},
  };
}

std::vector<BrokenRule> RunsThatBreakRules() {
  constexpr auto kInvalid = StatusCode::kInvalidArgument;
  static dimorder_executor idle = ReversedExecutor(2);
  static dimorder_allocator allocator = {sizeof(dimorder_allocator), &NoMemory, &Release, nullptr};
  return {
      {Rule::kNullPointer, kInvalid, {"source", "null"}, [] { return Executing(-1, 0); }},
      {Rule::kNullPointer, kInvalid, {"destination", "null"}, [] { return Executing(0, -1); }},
      {Rule::kBuffersOverlap, kInvalid, {"24 bytes", "overlap", "23 bytes"}, [] { return Executing(0, 23); }},
      {Rule::kBuffersOverlap, kInvalid, {"-23 bytes"}, [] { return Executing(23, 0); }},
      {Rule::kBuffersOverlap, kInvalid, {" 0 bytes"}, [] { return Executing(5, 5); }},
      {Rule::kWorkspaceSize, kInvalid, {"has 7 bytes"}, [] { return ExecutingInWorkspace(7); }},
      {Rule::kExecutor,
       kInvalid,
       {"concurrency", "0"},
       [] {
         idle = ReversedExecutor(0);
         return CreatingWith([](Options* o) { o->executor = &idle; });
       }},
      {Rule::kExecutor,
       kInvalid,
       {"parallel_for"},
       [] {
         idle = {sizeof(dimorder_executor), 2, nullptr, nullptr};
         return CreatingWith([](Options* o) { o->executor = &idle; });
       }},
      {Rule::kAllocator,
       kInvalid,
       {"allocate", "release"},
       [] {
         static constexpr dimorder_allocator half = {sizeof(dimorder_allocator), &NoMemory, nullptr, nullptr};
         return CreatingWith([](Options* o) { o->allocator = &half; });
       }},
      {Rule::kAllocationFailed,
       StatusCode::kOutOfMemory,
       {"allocation of", "bytes failed"},
       [] { return CreatingWith([](Options* o) { o->allocator = &allocator; }); }},
      {Rule::kUnknownTarget,
       kInvalid,
       {"\"AVX17\"", SupportedTargets()[0]},
       [] { return CreatingWith([](Options* o) { o->target = "AVX17"; }); }},
      {Rule::kOrderName, kInvalid, {"\"NHCW->\"", "dim order"}, [] { return ParseDimOrder("NHCW->").status(); }},
      {Rule::kStructSize,
       kInvalid,
       {"dimorder_executor is 8", std::to_string(sizeof(dimorder_executor))},
       [] {
         static constexpr dimorder_executor old = {8, 2, nullptr, nullptr};
         return CreatingWith([](Options* o) { o->executor = &old; });
       }},
      {Rule::kStructSize,
       kInvalid,
       {"dimorder_allocator is 8", std::to_string(sizeof(dimorder_allocator))},
       [] {
         static constexpr dimorder_allocator old = {8, &NoMemory, &Release, nullptr};
         return CreatingWith([](Options* o) { o->allocator = &old; });
       }},
      {Rule::kWisdomLine, kInvalid, {"line 1"}, [] { return ImportWisdom("nonsense").status(); }},
      {Rule::kWisdomMachine,
       StatusCode::kUnsupported,
       {"1 and 2 bytes"},
       [] { return ImportWisdom("dimorder-wisdom 2 l2=1 last=2\nend 0\n").status(); }},
      {Rule::kWisdomSize,
       kInvalid,
       {std::to_string(kMaxWisdom + 1), std::to_string(kMaxWisdom)},
       [] { return ImportWisdom(WisdomOf(kMaxWisdom + 1)).status(); }},
      {Rule::kEnumValue,
       kInvalid,
       {"77", "stores"},
       [] { return CreatingWith([](Options* o) { o->stores = static_cast<Stores>(77); }); }},
      {Rule::kEnumValue,
       kInvalid,
       {"-1", "tuning"},
       [] { return CreatingWith([](Options* o) { o->tuning = static_cast<Tuning>(-1); }); }},
      {Rule::kUnsupportedTarget,
       StatusCode::kUnsupported,
       {'"' + UnsupportedTarget() + '"', SupportedTargets()[0]},
       [] { return SetTarget(UnsupportedTarget().c_str()); }},
  };
}

std::vector<BrokenRule> All() {
  std::vector<BrokenRule> all = MovesThatBreakRules();
  const std::vector<BrokenRule> runs = RunsThatBreakRules();
  all.insert(all.end(), runs.begin(), runs.end());
  return all;
}

TEST(Rules, EachNamesItselfAndItsValues) {
  for (const BrokenRule& broken : All()) {
    const Status status = broken.provoke();
    const std::string text = status.ToString();
    EXPECT_EQ(static_cast<int>(status.rule()), static_cast<int>(broken.rule)) << text;
    EXPECT_EQ(static_cast<int>(status.code()), static_cast<int>(broken.code)) << text;
    for (const std::string& word : broken.words) EXPECT_NE(text.find(word), std::string::npos) << word << ": " << text;
  }
}

TEST(Rules, NoneIsLeftOut) {
  std::set<int> seen;
  for (const BrokenRule& broken : All()) seen.insert(static_cast<int>(broken.rule));
  for (int rule = 1; rule <= static_cast<int>(Rule::kWisdomSize); ++rule) {
    EXPECT_EQ(seen.count(rule), 1u) << rule;
  }
}

TEST(Rules, EachHasOneSentence) {
  std::set<std::string> sentences;
  for (int rule = 0; rule <= static_cast<int>(Rule::kWisdomSize); ++rule) {
    const std::string text = Status(StatusCode::kInvalidArgument, static_cast<Rule>(rule)).ToString();
    EXPECT_GE(text.size(), 2u) << rule;
    EXPECT_EQ(text.find('{'), std::string::npos) << text;
    EXPECT_TRUE(sentences.insert(text).second) << text;
  }
  EXPECT_EQ(Status().ToString(), "ok");
  EXPECT_FALSE(Status(StatusCode::kInvalidArgument, static_cast<Rule>(1000)).ToString().empty());
}

TEST(Rules, TextIsCutToTheBuffer) {
  const Status status = Creating(Move::Permute({2, -3}, {1, 0}, 4));
  const std::string full = status.ToString();
  for (size_t capacity = 0; capacity <= full.size() + 2; ++capacity) {
    std::vector<char> buffer(capacity + 1, '?');
    EXPECT_EQ(status.Format(buffer.data(), capacity), full.size());
    if (capacity > 0) {
      EXPECT_EQ(std::string(buffer.data()), full.substr(0, capacity - 1));
    }
    EXPECT_EQ(buffer[capacity], '?');
  }
}

TEST(Rules, OneShotCallsAnswerAsPlansDo) {
  const char src[24] = {};
  char dst[24];
  EXPECT_EQ(Permute(src, dst, {2, 3}, {0, 2}, 4).rule(), Rule::kPermRange);
  EXPECT_EQ(ToDimOrder(src, dst, {2, 3}, {0, 1}, {1, 1}, 4).rule(), Rule::kDimOrderRepeated);
  EXPECT_EQ(Permute(src, dst, {2, 3}, {1, 0}, 0).rule(), Rule::kElementBytes);
  // Twice: the second time the plan is in the cache.
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Permute(nullptr, dst, {2, 3}, {1, 0}, 4).rule(), Rule::kNullPointer);
    EXPECT_EQ(Permute(dst, dst, {2, 3}, {1, 0}, 4).rule(), Rule::kBuffersOverlap);
    EXPECT_TRUE(Permute(src, dst, {2, 3}, {1, 0}, 4).ok());
  }
}

TEST(Rules, OverlapIsDecidedBeforeTheFirstByteIsWritten) {
  std::vector<char> buffer(64, 'a');
  const std::vector<char> before = buffer;
  EXPECT_FALSE(Permute(buffer.data(), buffer.data() + 8, {4, 4}, {1, 0}, 1).ok());
  EXPECT_EQ(buffer, before);
  EXPECT_TRUE(Permute(buffer.data(), buffer.data() + 16, {4, 4}, {1, 0}, 1).ok());
}

TEST(Rules, InterleavedViewsNeedAssumeDisjoint) {
  // Even columns to odd ones.
  std::vector<int32_t> table = {1, 0, 2, 0, 3, 0, 4, 0};
  const Move move = Move::Between(Layout::Strided({4}, {8}), Layout::Strided({4}, {8}), 4);
  EXPECT_EQ(Execute(move, table.data(), table.data() + 1).rule(), Rule::kBuffersOverlap);
  Options options;
  options.assume_disjoint = true;
  EXPECT_TRUE(Execute(move, table.data(), table.data() + 1, options).ok());
  EXPECT_EQ(table, (std::vector<int32_t>{1, 1, 2, 2, 3, 3, 4, 4}));
}

TEST(Rules, SizesOfZeroDoNotHideOverflow) {
  const int64_t huge = int64_t{1} << 40;
  EXPECT_EQ(Creating(Move::Permute({0, huge, huge}, {0, 1, 2}, 4)).code(), StatusCode::kOverflow);
  EXPECT_EQ(Creating(Move::Permute({huge, huge, 0}, {0, 1, 2}, 4)).code(), StatusCode::kOverflow);
}

}  // namespace
}  // namespace dimorder::test
