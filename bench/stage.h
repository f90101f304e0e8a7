// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_STAGE_H_
#define DIMORDER_BENCH_STAGE_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bench/contest.h"
#include "bench/peers/race.h"
#include "bench/rows.h"

namespace dimorder::bench {

// The rows of a run as google-benchmark calls them, several times each while it looks for the number of iterations.
// Holds one contest at a time: memory of a row is freed when the next one begins.
class Stage {
 public:
  // `rows` is how many will come, for the progress on stderr.
  Stage(const Settings& settings, size_t rows) : settings_(settings), rows_(rows) {}

  // Times a row against its limit, see state_duet.h.
  void Run(benchmark::State& state, const Row& row);

  // Rows that could not be prepared or gave wrong results.
  int failures() const { return failures_; }

 private:
  void Enter(const Row& row);

  Settings settings_;
  size_t rows_;
  size_t entered_ = 0;
  int failures_ = 0;
  uint64_t seed_ = 0;
  const Row* row_ = nullptr;
  std::optional<Contest> contest_;
  PeerRace race_;  // of contest_; empty when peers are not timed
  double slower_than_serial_ = 0;
};

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_STAGE_H_
