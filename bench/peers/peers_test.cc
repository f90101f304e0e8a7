// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/peers.h"

#include <gtest/gtest.h>

#include <vector>

#include "bench/peers/race.h"

namespace dimorder::bench {
namespace {

Case MakeCase(std::vector<int64_t> sizes, std::vector<int> perm, int64_t element_bytes) {
  Case c;
  c.sizes = std::move(sizes);
  c.perm = std::move(perm);
  c.element_bytes = element_bytes;
  return c;
}

TEST(PermutationTest, DropsUnitAxesAndFusesNeighbours) {
  const Permutation p = Fuse(MakeCase({1, 64, 56, 56}, {0, 2, 3, 1}, 4));
  EXPECT_EQ(p.sizes, (std::vector<int64_t>{64, 3136}));
  EXPECT_EQ(p.perm, (std::vector<int>{1, 0}));
  const Permutation copy = Fuse(MakeCase({3, 1, 5}, {0, 2, 1}, 4));
  EXPECT_EQ(copy.sizes, (std::vector<int64_t>{15}));
  EXPECT_EQ(copy.perm, (std::vector<int>{0}));
  const Permutation attention = Fuse(MakeCase({2, 3, 4, 5}, {0, 2, 1, 3}, 2));
  EXPECT_EQ(attention.perm, (std::vector<int>{0, 2, 1, 3}));
}

TEST(PermutationTest, KnowsTransposes) {
  const BatchOfTransposes t = AsTransposes(Fuse(MakeCase({8, 3, 5, 5}, {0, 2, 3, 1}, 4)));
  EXPECT_EQ(t.batch, 8);
  EXPECT_EQ(t.rows, 3);
  EXPECT_EQ(t.cols, 25);
  EXPECT_EQ(AsTransposes(Fuse(MakeCase({2, 3, 4}, {2, 1, 0}, 4))).batch, 0);
}

// Whatever a peer takes it must get right, or it would not be timed.
TEST(PeersTest, MoveWhatTheyTake) {
  const std::vector<Case> cases = {
      MakeCase({6, 7}, {1, 0}, 4),
      MakeCase({2, 33, 5, 4}, {0, 2, 3, 1}, 4),
      MakeCase({40, 30}, {1, 0}, 8),
      MakeCase({3, 4, 5, 6}, {3, 1, 2, 0}, 1),
      MakeCase({2, 3, 4, 5, 6}, {4, 2, 0, 3, 1}, 2),
      MakeCase({9, 11}, {1, 0}, 16),
  };
  for (const Case& c : cases) {
    const BufferPairs pairs(c.Bytes());
    int taken = 0;
    for (const Peer& peer : Peers()) {
      const std::unique_ptr<Contender> made = peer.make(Fuse(c), 1);
      if (made == nullptr) continue;
      ++taken;
      EXPECT_EQ(made->name(), peer.name);
      made->Run(pairs, 0, 1);
      EXPECT_EQ(FindPeerMismatch(c.ToMove(), pairs.src(0), pairs.dst(0)), "") << peer.name << " " << c.element_bytes;
    }
    EXPECT_GE(taken, 1);
  }
}

}  // namespace
}  // namespace dimorder::bench
