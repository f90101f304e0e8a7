// SPDX-License-Identifier: Apache-2.0
#include "dimorder/openmp.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/threads/together.h"
#include "tests/threads/transpose.h"

namespace dimorder::test {
namespace {

bool MovesRight(const Plan& plan, const Transpose& transpose) {
  std::vector<float> result(transpose.source.size());
  return plan.Execute(transpose.source.data(), result.data()).ok() && result == transpose.expected;
}

Result<Plan> MakePlan(const Transpose& transpose, const dimorder_executor& executor) {
  Options options;
  options.executor = &executor;
  return Plan::Create(transpose.move, options);
}

TEST(OpenMPTest, RunsEachTaskOnce) {
  const dimorder_executor executor = OpenMPExecutor(4);
  EXPECT_EQ(executor.concurrency, 4u);
  std::vector<std::atomic<int>> runs(100);
  executor.parallel_for(
      executor.ctx, runs.size(), [](void* arg, size_t i) { ++(*static_cast<std::vector<std::atomic<int>>*>(arg))[i]; },
      &runs);
  for (const std::atomic<int>& n : runs) EXPECT_EQ(n, 1);
}

TEST(OpenMPTest, DefaultsToAllThreads) { EXPECT_GE(OpenMPExecutor().concurrency, 1u); }

TEST(OpenMPTest, MovesRight) {
  const Transpose transpose(900, 301);
  const Result<Plan> plan = MakePlan(transpose, OpenMPExecutor(4));
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->Threads(), 4u);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(MovesRight(*plan, transpose));
}

// A move inside a move's task is serial, and right.
TEST(OpenMPTest, Nested) {
  const Transpose transpose(700, 301);
  const dimorder_executor executor = OpenMPExecutor(4);
  const Result<Plan> plan = MakePlan(transpose, executor);
  ASSERT_TRUE(plan.ok());
  struct Nested {
    const Plan& plan;
    const Transpose& transpose;
    std::atomic<int> right{0};
  } nested{*plan, transpose};
  executor.parallel_for(
      executor.ctx, 4,
      [](void* arg, size_t) {
        Nested& n = *static_cast<Nested*>(arg);
        n.right += MovesRight(n.plan, n.transpose);
      },
      &nested);
  EXPECT_EQ(nested.right, 4);
}

TEST(OpenMPTest, FromManyThreadsAtOnce) {
  const Transpose transpose(700, 301);
  const Result<Plan> plan = MakePlan(transpose, OpenMPExecutor(3));
  ASSERT_TRUE(plan.ok());
  std::atomic<int> right{0};
  Together(8, [&](size_t) { right += MovesRight(*plan, transpose); });
  EXPECT_EQ(right, 8);
}

TEST(OpenMPTest, ForkedChildRunsSerially) {
  const Transpose transpose(700, 301);
  const Result<Plan> plan = MakePlan(transpose, OpenMPExecutor(4));
  ASSERT_TRUE(plan.ok());
  ASSERT_TRUE(MovesRight(*plan, transpose));
  const pid_t child = fork();
  if (child == 0) _exit(MovesRight(*plan, transpose) ? 0 : 1);
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
}

}  // namespace
}  // namespace dimorder::test
