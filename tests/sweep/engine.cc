// SPDX-License-Identifier: Apache-2.0
#include "tests/sweep/engine.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <thread>

#include "dispatch/plan.h"
#include "dispatch/problem.h"
#include "tests/check.h"
#include "tests/fault.h"

namespace dimorder::test {
namespace {

constexpr int kMaxFailures = 5;
// From here on a plan may make several tasks.
constexpr int64_t kParallelBytes = 2 * kBytesPerThread;

// What makes a move distinct, apart from target and phases. A move that the library refuses has no problem; running it
// reports that.
uint64_t HashOfMove(const Move& move) {
  Problem problem;
  uint64_t hash = static_cast<uint64_t>(move.element_bytes);
  if (!MakeProblem(move, &problem).ok() || !Canonicalize(&problem).ok()) return hash;
  hash = Combine(hash, static_cast<uint64_t>(problem.unit));
  for (int a = 0; a < problem.num_axes; ++a) {
    const Axis& axis = problem.axes[a];
    for (int64_t value : {axis.n, axis.is, axis.os}) hash = Combine(hash, static_cast<uint64_t>(value));
  }
  return Combine(hash, problem.bytes == 0);
}

uint64_t HashOfShape(const Move& move) {
  uint64_t hash = move.src.rank();
  for (size_t a = 0; a < move.src.rank(); ++a) hash = Combine(hash, static_cast<uint64_t>(move.src.size(a)));
  return hash;
}

void SetPhases(Random& random, int64_t element, int trial, Conditions* c) {
  if (trial == 0) return;
  // As malloc'd arrays of this element would lie, or anywhere.
  const int64_t step = trial == 1 && 64 % element == 0 ? element : 1;
  c->src_phase = random.Below(64 / step) * step;
  c->dst_phase = random.Below(64 / step) * step;
}

Conditions Draw(Random& random, const Move& move, int trial, const std::string& target) {
  Conditions c;
  c.target = target;
  SetPhases(random, move.element_bytes, trial, &c);
  // The first two runs of a move cover both kinds of stores, so that every kernel runs on small shapes too.
  c.stores = trial == 0 ? Stores::kTemporal : trial == 1 ? Stores::kNonTemporal : static_cast<Stores>(random.Below(3));
  c.call = random.OneIn(4) ? static_cast<Call>(random.Below(3)) : Call::kPlan;
  const bool parallel = !IsSparse(move) && ReferenceExtent(move.dst, move.element_bytes).end >= kParallelBytes;
  if (parallel || random.OneIn(16)) c.runner = static_cast<Runner>(random.Below(parallel ? 3 : 2));
  if (c.runner != Runner::kSerial) c.tasks = static_cast<int>(random.Between(1, 4));
  return c;
}

int64_t CountDistinct(std::vector<uint64_t>* hashes) {
  std::sort(hashes->begin(), hashes->end());
  hashes->erase(std::unique(hashes->begin(), hashes->end()), hashes->end());
  return static_cast<int64_t>(hashes->size());
}

}  // namespace

void Sweep::Run(const Family& family, int64_t every) {
  std::atomic<int64_t> next{0};
  const auto work = [&] {
    Counts counts;
    for (int64_t i; (i = next.fetch_add(every)) < family.count && failures_ < kMaxFailures;) {
      RunMove(family, i, &counts);
    }
    Add(counts);
  };
  std::vector<std::thread> workers;
  for (int job = 0; job < jobs_; ++job) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
}

void Sweep::RunMove(const Family& family, int64_t index, Counts* counts) {
  Trial trial{family.move(index), {}};
  const uint64_t hash = HashOfMove(trial.move);
  const bool sparse = IsSparse(trial.move);
  std::optional<MoveCheck> check;
  if (!sparse) check.emplace(trial.move);
  counts->shapes.push_back(HashOfShape(trial.move));
  for (size_t t = 0; t < targets_.size(); ++t) {
    for (int k = 0; k < family.trials; ++k) {
      Random random(Combine(Combine(seed_, static_cast<uint64_t>(index)), t * 64 + static_cast<uint64_t>(k)));
      trial.conditions = Draw(random, trial.move, k, targets_[t]);
      NoteForFault(ToText(trial));
      const Conditions& c = trial.conditions;
      const std::string wrong = sparse ? CheckSparse(trial.move, c, &counts->skipped) : check->Run(c);
      ++counts->runs;
      counts->moves.push_back(Combine(hash, (t << 12) + static_cast<uint64_t>(c.src_phase * 64 + c.dst_phase)));
      if (!wrong.empty()) Report(trial, wrong);
    }
  }
}

void Sweep::Add(const Counts& counts) {
  const std::lock_guard<std::mutex> lock(mutex_);
  moves_.insert(moves_.end(), counts.moves.begin(), counts.moves.end());
  shapes_.insert(shapes_.end(), counts.shapes.begin(), counts.shapes.end());
  runs_ += counts.runs;
  skipped_ += counts.skipped;
}

void Sweep::Report(const Trial& trial, const std::string& wrong) {
  if (failures_.fetch_add(1) >= kMaxFailures) return;
  std::printf("%s\n  --repro=\"%s\"\n", wrong.c_str(), ToText(trial).c_str());
  std::fflush(stdout);
}

int64_t Sweep::DistinctMoves() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return CountDistinct(&moves_);
}

int64_t Sweep::DistinctShapes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return CountDistinct(&shapes_);
}

}  // namespace dimorder::test
