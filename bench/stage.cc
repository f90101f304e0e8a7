// SPDX-License-Identifier: Apache-2.0
#include "bench/stage.h"

#include <cmath>
#include <cstdio>
#include <new>

#include "bench/state_duet.h"

namespace dimorder::bench {
namespace {

// Names of counters are keys of recorded results: results/README.md says what they mean.
void SetCounters(const Contest& contest, const DuetResult& result, benchmark::State& state) {
  const double memcpy_ns = result.a_ns / contest.limit.over_memcpy;
  const double both_ways = 2 * static_cast<double>(contest.bytes);
  state.counters["bytes"] = static_cast<double>(contest.bytes);
  state.counters["ns"] = result.b_ns;
  state.counters["GBps"] = both_ways / result.b_ns;
  state.counters["ratio"] = result.ratio;
  if (std::isfinite(result.upper)) {  // JSON has no infinity
    state.counters["ratio_lower"] = result.lower;
    state.counters["ratio_upper"] = result.upper;
  }
  state.counters["vs_memcpy"] = result.ratio * contest.limit.over_memcpy;
  state.counters["loop"] = contest.limit.loop;
  state.counters["memcpy_GBps"] = both_ways / memcpy_ns;
  state.counters["limit_GBps"] = both_ways / result.a_ns;
  state.counters["plan_ns"] = contest.plan_ns;
  state.counters["blocks"] = static_cast<double>(result.blocks);
  state.counters["placements"] = static_cast<double>(contest.pairs.placements());
}

void SetPeerCounters(const PeerRace& race, double slower_than_serial, benchmark::State& state) {
  for (const auto& [name, ratio] : race.ratios) state.counters["peer_" + name] = ratio;
  if (race.slower != 0) state.counters["slower_than_peer"] = race.slower;
  if (slower_than_serial != 0) state.counters["slower_than_serial"] = slower_than_serial;
}

}  // namespace

void Stage::Enter(const Row& row) {
  if (row_ == &row) return;
  row_ = &row;
  contest_.reset();  // before the next one allocates
  std::fprintf(stderr, "[%3zu/%zu] %-36s ", ++entered_, rows_, row.key.c_str());
  std::fflush(stderr);
  try {
    contest_ = Prepare(row, settings_);
  } catch (const std::bad_alloc&) {
    contest_.emplace().error = "not enough memory for the buffers";
  }
  race_ = PeerRace();
  slower_than_serial_ = 0;
  if (!contest_->error.empty()) {
    ++failures_;
    std::fprintf(stderr, "FAILED: %s\n", contest_->error.c_str());
    return;
  }
  if (contest_->serial != nullptr) slower_than_serial_ = SlowerThan(*contest_->serial, *contest_);
  if (settings_.peers && row.call == Call::kExecute) {
    race_ = RacePeers(row, *contest_, settings_.threads->count());
    if (!race_.wrong.empty()) std::fprintf(stderr, "(%s) ", race_.wrong.c_str());
  }
}

void Stage::Run(benchmark::State& state, const Row& row) {
  Enter(row);
  Contest& contest = *contest_;
  if (!contest.error.empty()) {
    state.SkipWithError(contest.error.c_str());
    return;
  }
  SetCounters(contest, RunDuet(state, *contest.limit.copy, *contest.subject, contest.pairs, {.seed = ++seed_}), state);
  SetPeerCounters(race_, slower_than_serial_, state);
  state.SetLabel(contest.description);
}

}  // namespace dimorder::bench
