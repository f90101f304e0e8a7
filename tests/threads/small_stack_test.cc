// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <limits.h>
#include <pthread.h>

#include <algorithm>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/threads/transpose.h"

// Threads with stacks of 64 KB, as embedded runtimes have them, or as little as the system allows.
namespace dimorder::test {
namespace {

constexpr size_t kStackBytes = 64 * 1024;

struct Work {
  const Transpose* transpose;
  const Plan* plan;  // null: the one-shot call
  std::vector<float> result;
  bool ok = false;
};

void* Run(void* arg) {
  Work& work = *static_cast<Work*>(arg);
  const void* src = work.transpose->source.data();
  const Status status = work.plan != nullptr ? work.plan->Execute(src, work.result.data())
                                             : Execute(work.transpose->move, src, work.result.data());
  work.ok = status.ok();
  return nullptr;
}

void RunOnSmallStack(const Transpose& transpose, const Plan* plan) {
  Work work{&transpose, plan, std::vector<float>(transpose.source.size())};
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::max<size_t>(kStackBytes, PTHREAD_STACK_MIN)), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, &Run, &work), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
  EXPECT_TRUE(work.ok);
  EXPECT_EQ(work.result, transpose.expected);
}

TEST(SmallStackTest, PlansAndOneShots) {
  for (Stores stores : {Stores::kTemporal, Stores::kNonTemporal}) {
    Options options;
    options.stores = stores;
    // The first one's scratch fits a stack, the second one's does not.
    for (const Transpose& transpose : {Transpose(200, 24), Transpose(301, 333)}) {
      const Result<Plan> plan = Plan::Create(transpose.move, options);
      ASSERT_TRUE(plan.ok());
      RunOnSmallStack(transpose, &*plan);
      RunOnSmallStack(transpose, nullptr);
    }
  }
}

}  // namespace
}  // namespace dimorder::test
