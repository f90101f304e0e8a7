// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_SWEEP_ENGINE_H_
#define DIMORDER_TESTS_SWEEP_ENGINE_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "tests/sweep/families.h"
#include "tests/trial.h"

namespace dimorder::test {

// Runs families of moves on all cores, under conditions drawn from a seed, on each target one after the other, and
// counts what it has checked.
class Sweep {
 public:
  Sweep(std::vector<std::string> targets, uint64_t seed, int jobs)
      : targets_(std::move(targets)), seed_(seed), jobs_(jobs) {}

  // Runs every `every`-th move of the family. Returns early once there are too many failures.
  void Run(const Family& family, int64_t every);

  // Two moves are the same when their canonical problem, element size, alignment phases and target are.
  int64_t DistinctMoves();
  int64_t DistinctShapes();
  int64_t runs() const { return runs_; }
  int skipped() const { return skipped_; }
  int failures() const { return failures_; }

 private:
  // What a worker has counted, as hashes.
  struct Counts {
    std::vector<uint64_t> moves;
    std::vector<uint64_t> shapes;
    int64_t runs = 0;
    int skipped = 0;
  };

  void RunMove(const Family& family, int64_t index, Counts* counts);
  void Add(const Counts& counts);
  void Report(const Trial& trial, const std::string& wrong);

  const std::vector<std::string> targets_;
  const uint64_t seed_;
  const int jobs_;
  std::mutex mutex_;  // of all below but failures_
  std::vector<uint64_t> moves_;
  std::vector<uint64_t> shapes_;
  int64_t runs_ = 0;
  int skipped_ = 0;
  std::atomic<int> failures_{0};
};

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_SWEEP_ENGINE_H_
