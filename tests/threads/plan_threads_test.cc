// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/executors.h"
#include "tests/reference.h"
#include "tests/threads/together.h"
#include "tests/threads/transpose.h"

// One plan, many threads at once.
namespace dimorder::test {
namespace {

constexpr size_t kThreads = 8;
constexpr int kRounds = 20;

// Runs `plan` in kThreads threads, each into a destination of its own.
void RunFromAllThreads(const Plan& plan, const Transpose& transpose) {
  std::vector<std::vector<float>> results(kThreads, std::vector<float>(transpose.source.size()));
  std::vector<int> failures(kThreads, 0);
  Together(kThreads, [&](size_t t) {
    for (int i = 0; i < kRounds; ++i) failures[t] += !plan.Execute(transpose.source.data(), results[t].data()).ok();
  });
  for (size_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(failures[t], 0);
    EXPECT_EQ(results[t], transpose.expected);
  }
}

TEST(PlanThreadsTest, DirectPlan) {
  const Transpose transpose(123, 77);
  const Result<Plan> plan = Plan::Create(transpose.move);
  ASSERT_TRUE(plan.ok());
  RunFromAllThreads(*plan, transpose);
}

// More threads than slots: those without one must store directly.
TEST(PlanThreadsTest, PlanWithScratch) {
  const Transpose transpose(333, 301);
  Options options;
  options.stores = Stores::kNonTemporal;
  const Result<Plan> plan = Plan::Create(transpose.move, options);
  ASSERT_TRUE(plan.ok());
  EXPECT_GT(plan->ScratchBytes(), 0u);
  RunFromAllThreads(*plan, transpose);
}

// Which of them store and which stream is chance.
TEST(PlanThreadsTest, PlanThatAsks) {
  const Transpose transpose(512, 1024);
  const Result<Plan> plan = Plan::Create(transpose.move);
  ASSERT_TRUE(plan.ok());
  RunFromAllThreads(*plan, transpose);
}

TEST(PlanThreadsTest, PlanWithThreadsOfItsOwn) {
  const Transpose transpose(900, 301);
  const dimorder_executor executor = ThreadExecutor(4);
  for (Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    Options options;
    options.executor = &executor;
    options.stores = stores;
    const Result<Plan> plan = Plan::Create(transpose.move, options);
    ASSERT_TRUE(plan.ok());
    EXPECT_EQ(plan->Threads(), 4u);
    RunFromAllThreads(*plan, transpose);
  }
}

// Shapes that many tasks cut in many ways: pixels taken apart and put together, few long columns, joined axes, runs,
// two passes.
TEST(PlanThreadsTest, AnyNumberOfTasksMovesTheSame) {
  struct Permutation {
    std::vector<int64_t> sizes;
    Perm perm;
    int64_t element;
  };
  for (const Permutation& p :
       {Permutation{{86, 3136, 6}, {0, 2, 1}, 1}, Permutation{{480, 3, 31, 4}, {1, 3, 0, 2}, 4},
        Permutation{{86, 6, 3136}, {0, 2, 1}, 1}, Permutation{{6272, 64}, {1, 0}, 8},
        Permutation{{4096, 49}, {1, 0}, 4}, Permutation{{1000, 600}, {1, 0}, 3},
        Permutation{{64, 4, 2, 2, 16, 16, 2}, {6, 2, 5, 3, 4, 0, 1}, 4}, Permutation{{256, 2, 1250}, {1, 0, 2}, 4},
        Permutation{{200, 3, 9, 200}, {3, 0, 2, 1}, 2}, Permutation{{24, 301, 12, 9, 8}, {4, 1, 2, 0, 3}, 1}}) {
    const Move move = Move::Permute(p.sizes, p.perm, p.element);
    int64_t bytes = p.element;
    for (const int64_t size : p.sizes) bytes *= size;
    std::vector<uint8_t> source(static_cast<size_t>(bytes)), expected(source.size());
    std::minstd_rand random(1);
    for (uint8_t& byte : source) byte = static_cast<uint8_t>(random() >> 8);
    ReferenceMove(move, source.data(), expected.data());
    for (const Stores stores : {Stores::kAuto, Stores::kTemporal, Stores::kNonTemporal}) {
      for (size_t tasks = 1; tasks <= 12; ++tasks) {
        const dimorder_executor executor = ReversedExecutor(tasks);
        Options options;
        options.executor = &executor;
        options.stores = stores;
        const Result<Plan> plan = Plan::Create(move, options);
        ASSERT_TRUE(plan.ok());
        std::vector<uint8_t> result(source.size());
        EXPECT_TRUE(plan->Execute(source.data(), result.data()).ok());
        EXPECT_TRUE(result == expected) << plan->Describe();
      }
    }
  }
}

// What an executor claims is a limit, of however many threads.
TEST(PlanThreadsTest, AnyConcurrencyIsTaken) {
  const Transpose transpose(700, 301);
  for (size_t concurrency : {SIZE_MAX, SIZE_MAX / 2, size_t{UINT32_MAX} + 1}) {
    const dimorder_executor executor = ReversedExecutor(concurrency);
    Options options;
    options.executor = &executor;
    const Result<Plan> plan = Plan::Create(transpose.move, options);
    ASSERT_TRUE(plan.ok());
    EXPECT_GE(plan->Threads(), 1u);
    EXPECT_LE(plan->Threads(), transpose.source.size());
    std::vector<float> result(transpose.source.size());
    EXPECT_TRUE(plan->Execute(transpose.source.data(), result.data()).ok());
    EXPECT_EQ(result, transpose.expected);
  }
}

// Two threads that share a table, each writing what the other one leaves out. A gap byte that was written, be it with
// its own value, would be a race that ThreadSanitizer sees, and a lost element where it does not run.
TEST(PlanThreadsTest, GapsOfADestinationBelongToOthers) {
  constexpr int64_t kRows = 61, kColumns = 67, kBytes = sizeof(uint16_t);
  struct Interleaved {
    std::vector<int64_t> strides;
    int64_t other;  // elements from one thread's part to the other's
  };
  std::vector<uint16_t> source(kRows * kColumns);
  std::iota(source.begin(), source.end(), uint16_t{1});
  Options options;
  options.assume_disjoint = true;
  for (Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    options.stores = stores;
    for (const Interleaved& part : {Interleaved{{2 * kColumns * kBytes, kBytes}, kColumns},  // alternate rows
                                    Interleaved{{kBytes, 2 * kRows * kBytes}, kRows},        // and transposed
                                    Interleaved{{2 * kColumns * kBytes, 2 * kBytes}, 1},     // alternate columns
                                    Interleaved{{2 * kBytes, 2 * kRows * kBytes}, 1}}) {     // and transposed
      const Move move = Move::Between(Layout::Contiguous({kRows, kColumns}),
                                      Layout::Strided({kRows, kColumns}, part.strides), kBytes);
      const Result<Plan> plan = Plan::Create(move, options);
      ASSERT_TRUE(plan.ok());
      std::vector<uint16_t> table(2 * source.size()), expected(table.size());
      for (int64_t t : {0, 1}) ReferenceMove(move, source.data(), expected.data() + t * part.other);
      Together(2, [&](size_t t) {
        uint16_t* dst = table.data() + static_cast<int64_t>(t) * part.other;
        for (int i = 0; i < kRounds; ++i) EXPECT_TRUE(plan->Execute(source.data(), dst).ok());
      });
      EXPECT_EQ(table, expected);
    }
  }
}

}  // namespace
}  // namespace dimorder::test
