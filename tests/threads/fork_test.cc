// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/threads/transpose.h"

// The one-shot calls in a child that was forked while another thread was inside them.
namespace dimorder::test {
namespace {

bool OneShotWorks(const Transpose& transpose) {
  std::vector<float> result(transpose.source.size());
  return Execute(transpose.move, transpose.source.data(), result.data()).ok() && result == transpose.expected;
}

TEST(ForkTest, ChildOfAHammeredCache) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own locks do not survive such a fork";
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer's own locks do not survive such a fork";
#endif
#endif
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
    const pid_t child = fork();
    if (child == 0) {
      bool ok = true;
      for (const Transpose& transpose : transposes) ok = ok && OneShotWorks(transpose);
      _exit(ok ? 0 : 1);
    }
    int state = 0;
    ASSERT_EQ(waitpid(child, &state, 0), child);
    EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  }
  stop = true;
  hammer.join();
}

}  // namespace
}  // namespace dimorder::test
