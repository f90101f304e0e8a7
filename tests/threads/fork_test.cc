// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "dimorder/dimorder.h"
#include "dispatch/once.h"
#include "tests/threads/transpose.h"

// What a child finds that was forked while another thread was inside the library.
namespace dimorder::test {
namespace {

bool SanitizerForbidsFork() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
  return __has_feature(thread_sanitizer) || __has_feature(address_sanitizer);
#else
  return false;
#endif
}

// Whether `check` holds in a child.
template <class Check>
bool HoldsInChild(const Check& check) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  int state = 0;
  return waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

bool OneShotWorks(const Transpose& transpose) {
  std::vector<float> result(transpose.source.size());
  return Execute(transpose.move, transpose.source.data(), result.data()).ok() && result == transpose.expected;
}

TEST(ForkTest, ChildOfAHammeredCache) {
  if (SanitizerForbidsFork()) GTEST_SKIP() << "the sanitizer's own locks do not survive such a fork";
  std::vector<Transpose> transposes;
  for (int64_t i = 0; i < 16; ++i) transposes.emplace_back(3 + i, 50 - i);
  std::atomic<bool> stop{false};
  std::thread hammer([&] {
    for (size_t i = 0; !stop; ++i) {
      if (i % 5 == 0) ClearPlanCache();
      OneShotWorks(transposes[i % transposes.size()]);
    }
  });
  for (int round = 0; round < 20; ++round) {
    EXPECT_TRUE(HoldsInChild([&] { return std::ranges::all_of(transposes, OneShotWorks); }));
  }
  stop = true;
  hammer.join();
}

// The caches' sizes and the target are found out by the first call.
TEST(ForkTest, ChildOfAFirstUse) {
  if (SanitizerForbidsFork()) GTEST_SKIP() << "the sanitizer's own locks do not survive such a fork";
  static constinit Once<int> once;
  std::atomic<bool> making{false}, forked{false};
  std::thread first([&] {
    EXPECT_EQ(once.Get([&] {
      making = true;
      while (!forked) std::this_thread::yield();
      return 7;
    }),
              7);
  });
  while (!making) std::this_thread::yield();
  EXPECT_TRUE(HoldsInChild([] {
    int made = 0;
    const auto make = [&made] { return ++made, 7; };
    return once.Get(make) == 7 && once.Get(make) == 7 && made == 1;
  }));
  forked = true;
  first.join();
  EXPECT_EQ(once.Get([] { return 8; }), 7) << "made once";
}

}  // namespace
}  // namespace dimorder::test
