// SPDX-License-Identifier: Apache-2.0
#include "dispatch/store_trials.h"

#include <gtest/gtest.h>

#include <set>

// Moves to destinations in turn, and caches that hold those that were stored last.
namespace dimorder::test {
namespace {

// How many of `moves` moves are streamed.
int Streamed(StoreTrials trials, int places, bool fit_the_caches, int moves) {
  std::set<int> cached;
  int streamed = 0;
  for (int i = 0; i < moves; ++i) {
    const int place = i % places;
    if (trials.NextStreams(cached.count(place) == 0)) {
      ++streamed;
    } else if (fit_the_caches) {
      cached.insert(place);
    }
  }
  return streamed;
}

TEST(StoreTrials, StreamOnceWhatIsRepeated) { EXPECT_EQ(Streamed(StoreTrials(true), 1, true, 1000), 1); }

TEST(StoreTrials, FindOutThatSeveralPlacesStay) {
  for (const int places : {2, 3, 4, 8, 16}) EXPECT_LE(Streamed(StoreTrials(true), places, true, 1000), 8 * places);
}

TEST(StoreTrials, HardlyStoreWhatLeavesTheCaches) {
  for (const int places : {1, 2, 31}) EXPECT_GE(Streamed(StoreTrials(true), places, false, 10000), 9940);
}

// Moves to memory among others, as many of each.
TEST(StoreTrials, StreamHalfOfWhatIsInMemoryAmongOthers) {
  StoreTrials trials(true);
  int streamed = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(trials.NextStreams(false));
    streamed += trials.NextStreams(true);
  }
  EXPECT_GE(streamed, 500);
}

TEST(StoreTrials, DoWhatTheAnswerSaysWithoutThem) {
  EXPECT_EQ(Streamed(StoreTrials(false), 1, true, 100), 100);
  EXPECT_FALSE(StoreTrials(false).NextStreams(false));
}

}  // namespace
}  // namespace dimorder::test
