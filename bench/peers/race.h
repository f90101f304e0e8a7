// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_PEERS_RACE_H_
#define DIMORDER_BENCH_PEERS_RACE_H_

#include <map>
#include <string>

#include "bench/contest.h"

namespace dimorder::bench {

struct PeerRace {
  std::map<std::string, double> ratios;  // by peer: its time / the limit's; only of those with the right result
  std::string wrong;                     // the peers with a wrong one, or that failed, and how
  double slower = 0;                     // SlowerThan the best of them
};

inline constexpr double kSlowerBy = 1.05;

// Our time / the other's, when that was more than kSlowerBy faster and stayed so in a second, longer duet; else 0.
double SlowerThan(Contender& other, Contest& contest);

// As FindMismatch, but NaNs may have become quiet: libraries that multiply by 1 do that to floats.
std::string FindPeerMismatch(const Move& move, const uint8_t* src, const uint8_t* dst);

// Runs every peer, and us, on a contest that is ready.
PeerRace RacePeers(const Row& row, Contest& contest, size_t threads);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_PEERS_RACE_H_
