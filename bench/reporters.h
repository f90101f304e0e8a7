// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_REPORTERS_H_
#define DIMORDER_BENCH_REPORTERS_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/tables.h"

namespace dimorder::bench {

// Passes runs on with the rows' keys as names: google-benchmark's own reporters add "/manual_time" and the like.
class KeyReporter : public benchmark::BenchmarkReporter {
 public:
  // `next` may be null.
  explicit KeyReporter(std::unique_ptr<benchmark::BenchmarkReporter> next) : next_(std::move(next)) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  std::unique_ptr<benchmark::BenchmarkReporter> next_;
};

// Also finishes the line of progress that Stage began, and keeps the results for the tables.
class ProgressReporter final : public KeyReporter {
 public:
  using KeyReporter::KeyReporter;

  void ReportRuns(const std::vector<Run>& runs) override;

  const std::vector<RowResult>& results() const { return results_; }

 private:
  std::vector<RowResult> results_;
};

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_REPORTERS_H_
