// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/executors.h"
#include "tests/targets.h"

namespace dimorder::test {
namespace {

static_assert(std::is_nothrow_move_constructible_v<Plan> && std::is_nothrow_move_assignable_v<Plan>);
static_assert(!std::is_copy_constructible_v<Plan> && !std::is_copy_assignable_v<Plan>);
static_assert(std::is_trivially_copyable_v<Status> && sizeof(Status) == 40);

Plan Make(const Move& move, const Options& options = {}) {
  Result<Plan> plan = Plan::Create(move, options);
  EXPECT_TRUE(plan.ok()) << plan.status().ToString();
  return std::move(plan).value();
}

TEST(Plan, EmptyOnesMoveNothing) {
  const Plan plan;
  EXPECT_TRUE(plan.Execute(nullptr, nullptr).ok());
  EXPECT_TRUE(plan.Execute(nullptr, nullptr, {}).ok());
  EXPECT_EQ(plan.ScratchBytes(), 0u);
  EXPECT_EQ(plan.Threads(), 1u);
  EXPECT_EQ(plan.Bytes(), 0);
  EXPECT_EQ(plan.EstimatedCost(), 0);
  EXPECT_FALSE(plan.Describe().empty());
}

// Of nearly 2^63 bytes, dense, repeated, and far apart.
std::vector<Move> HugeMoves(int64_t element, int64_t boxes, int64_t rows) {
  const int64_t cols = INT64_MAX / element / rows / boxes;
  const Layout once = Layout::Contiguous({boxes, rows, cols});
  const Layout few = Layout::Contiguous({boxes, rows, 5});
  const int64_t row = (INT64_MAX - 5 * element) / (boxes * rows - 1);
  const Layout apart = Layout::Strided({boxes, rows, 5}, {boxes > 1 ? rows * row : 0, row, element});
  return {Move::Permute({boxes, rows, cols}, {0, 2, 1}, element),
          Move::Permute({rows, boxes, cols}, {2, 1, 0}, element),
          Move::Permute({boxes, cols, rows}, {0, 2, 1}, element),
          Move::Permute({cols, boxes, rows}, {1, 0, 2}, element),
          Move::Between(Layout::Strided({boxes, rows, cols}, {0, 0, 0}), once, element),
          Move::Between(Layout::Strided({boxes, rows, cols}, {rows * element, element, 0}), once, element),
          Move::Between(apart, few, element),
          Move::Between(few, apart, element),
          Move::Between(apart, Layout::InOrder({boxes, rows, 5}, {2, 0, 1}), element),
          Move::Between(Layout::InOrder({boxes, rows, 5}, {2, 0, 1}), apart, element)};
}

// What is computed of sizes and strides must not overflow, which UBSan sees.
TEST(Plan, AreMadeOfMovesOfAnySize) {
  const dimorder_executor three = ReversedExecutor(3);
  for (const int64_t element : {1, 2, 3, 4, 8, 12, 16, 1000}) {
    for (const int64_t rows : {int64_t{2}, int64_t{3}, int64_t{9}, int64_t{40}, int64_t{1} << 31}) {
      for (const int64_t boxes : {1, 2, 7, 300}) {
        for (const Move& move : HugeMoves(element, boxes, rows)) {
          for (const Stores stores : {Stores::kAuto, Stores::kTemporal, Stores::kNonTemporal}) {
            EXPECT_FALSE(Make(move, {.stores = stores}).Describe().empty());
            EXPECT_FALSE(Make(move, {.executor = &three, .stores = stores}).Describe().empty());
          }
        }
      }
    }
  }
}

TEST(Plan, MovesLeaveEmptyOnesBehind) {
  const std::vector<int32_t> src = {1, 2, 3, 4, 5, 6};
  std::vector<int32_t> dst(6);
  Plan first = Make(Move::Permute({2, 3}, {1, 0}, 4));
  Plan second = std::move(first);
  EXPECT_EQ(first.Bytes(), 0);  // NOLINT(bugprone-use-after-move): what this test is about
  EXPECT_TRUE(first.Execute(src.data(), dst.data()).ok());
  EXPECT_EQ(dst, std::vector<int32_t>(6));
  EXPECT_TRUE(second.Execute(src.data(), dst.data()).ok());
  EXPECT_EQ(dst, (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  Plan third = Make(Move::Permute({2, 2}, {1, 0}, 4));
  third = std::move(second);
  EXPECT_EQ(third.Bytes(), 24);
  EXPECT_EQ(second.Bytes(), 0);  // NOLINT(bugprone-use-after-move): the same
  Plan& self = third;
  third = std::move(self);
  EXPECT_EQ(third.Bytes(), 24);
}

TEST(Plan, MovesOfNoElementsTakeNull) {
  for (const Move& move : {Move::Permute({0}, {0}, 4), Move::Permute({3, 0, 5}, {2, 1, 0}, 16),
                           Move::Between(Layout::Strided({0, 4}, {0, 0}), Layout::Strided({0, 4}, {0, 0}), 3)}) {
    const Plan plan = Make(move);
    EXPECT_EQ(plan.Bytes(), 0);
    EXPECT_TRUE(plan.Execute(nullptr, nullptr).ok());
    EXPECT_TRUE(Execute(move, nullptr, nullptr).ok());
  }
}

TEST(Plan, RankZeroIsOneElement) {
  const double src = 0.1;
  double dst = 0;
  const Plan plan = Make(Move::Permute({}, {}, 8));
  EXPECT_EQ(plan.Bytes(), 8);
  EXPECT_TRUE(plan.Execute(&src, &dst).ok());
  EXPECT_EQ(dst, src);
}

// Three steps of so many bytes would not fit into 63 bits; two do: on each axis, and however it is stored.
TEST(Plan, TakesTheLongestStrides) {
  constexpr int64_t kStride = 4'000'000'000'000'000'000;
  for (const Stores stores : {Stores::kAuto, Stores::kTemporal, Stores::kNonTemporal}) {
    for (size_t axis = 0; axis < 3; ++axis) {
      std::vector<int64_t> sizes = {16, 16, 20};
      std::vector<int64_t> src_strides = {1280, 80, 4};
      std::vector<int64_t> dst_strides = {1280, 4, 64};
      sizes[axis] = 3;
      src_strides[axis] = dst_strides[axis] = kStride;
      const Move move = Move::Between(Layout::Strided(sizes, src_strides), Layout::Strided(sizes, dst_strides), 4);
      EXPECT_TRUE(Plan::Create(move, {.stores = stores}).ok()) << axis;
    }
    const Move joined =
        Move::Between(Layout::Strided({3, 4, 20}, {kStride, 80, 4}), Layout::Strided({3, 4, 20}, {16, 4, 48}), 4);
    EXPECT_TRUE(Plan::Create(joined, {.stores = stores}).ok());
  }
}

TEST(Plan, DescribesItselfInOneLine) {
  for (const std::string& target : TargetNames()) {
    Options options;
    options.target = target.c_str();
    const Plan plan = Make(Move::ToDimOrder({8, 64, 56, 56}, kNCHW, kNHWC, 4), options);
    const std::string text = plan.Describe();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    for (const std::string& word :
         {target, std::string("bytes 6422528"), std::string("threads 1"), std::string("cost ")}) {
      EXPECT_NE(text.find(word), std::string::npos) << word << ": " << text;
    }
    char cut[8];
    EXPECT_EQ(plan.Describe(cut, sizeof(cut)), text.size());
    EXPECT_EQ(std::string(cut), text.substr(0, 7));
  }
}

TEST(Plan, CostGrowsWithBytes) {
  const double small = Make(Move::Permute({64, 64}, {1, 0}, 4)).EstimatedCost();
  const double large = Make(Move::Permute({512, 512}, {1, 0}, 4)).EstimatedCost();
  EXPECT_GT(small, 0);
  EXPECT_GT(large, small);
}

TEST(Plan, UsesNoMoreThreadsThanItIsGiven) {
  for (size_t concurrency : {1, 2, 3, 7, 64}) {
    const dimorder_executor executor = ReversedExecutor(concurrency);
    Options options;
    options.executor = &executor;
    const Plan large = Make(Move::Permute({2048, 2048}, {1, 0}, 4), options);
    EXPECT_LE(large.Threads(), concurrency);
    EXPECT_GE(large.Threads(), concurrency > 1 ? 2u : 1u);
    EXPECT_EQ(Make(Move::Permute({2, 2}, {1, 0}, 4), options).Threads(), 1u);
  }
}

// One task more than the plan says, or a task twice, would show here.
TEST(Plan, RunsEachTaskOnce) {
  struct Counter {
    size_t calls = 0;
    size_t tasks = 0;
  } counter;
  const dimorder_executor executor = {sizeof(dimorder_executor), 5,
                                      [](void* ctx, size_t n, dimorder_task task, void* arg) {
                                        Counter* c = static_cast<Counter*>(ctx);
                                        ++c->calls;
                                        c->tasks += n;
                                        for (size_t i = 0; i < n; ++i) task(arg, i);
                                      },
                                      &counter};
  Options options;
  options.executor = &executor;
  const Plan plan = Make(Move::Permute({1024, 1024}, {1, 0}, 4), options);
  std::vector<int32_t> src(1024 * 1024, 1), dst(src.size());
  ASSERT_TRUE(plan.Execute(src.data(), dst.data()).ok());
  EXPECT_EQ(counter.calls, 1u);
  EXPECT_EQ(counter.tasks, plan.Threads());
  EXPECT_EQ(dst, src);
}

}  // namespace
}  // namespace dimorder::test
