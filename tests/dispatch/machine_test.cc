// SPDX-License-Identifier: Apache-2.0
#include "dispatch/machine.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace dimorder::test {
namespace {

TEST(Machine, LevelsGrow) {
  const Caches caches = AskCaches();
  EXPECT_GE(caches.l1, int64_t{8} << 10);
  EXPECT_LE(caches.l1, caches.l2);
  EXPECT_LE(caches.l2, caches.last);
}

#if defined(__x86_64__) || defined(__i386__)

// Also where only the sum of a socket's last levels can be read: all of AMD's cores have a near one.
TEST(Machine, CountsWhatCoresShareOnAmd) {
  if (!__builtin_cpu_is("amd")) GTEST_SKIP() << "not AMD";
  EXPECT_TRUE(LevelIsNear()) << MachineCaches().last;
}

#endif

}  // namespace
}  // namespace dimorder::test
