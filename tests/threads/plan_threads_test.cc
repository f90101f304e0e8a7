// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/executors.h"
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

TEST(PlanThreadsTest, PlanWithThreadsOfItsOwn) {
  const Transpose transpose(700, 301);
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

}  // namespace
}  // namespace dimorder::test
