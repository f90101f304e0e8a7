// SPDX-License-Identifier: Apache-2.0
#include "bench/reporters.h"

#include <cstdio>
#include <string_view>

namespace dimorder::bench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

double Counter(const Run& run, const char* name) {
  const auto found = run.counters.find(name);
  return found == run.counters.end() ? 0 : found->second.value;
}

// The run that stands for the row: the median over repetitions, or the only one.
const Run& Representative(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.aggregate_name == "median") return run;
  }
  return runs.front();
}

// The counters whose names begin with "peer_", by the rest of the name.
std::map<std::string, double> Peers(const Run& run) {
  constexpr std::string_view kPrefix = "peer_";
  std::map<std::string, double> peers;
  for (const auto& [name, counter] : run.counters) {
    if (name.starts_with(kPrefix)) peers[name.substr(kPrefix.size())] = counter.value;
  }
  return peers;
}

RowResult ToResult(const Run& run) {
  return {.key = run.run_name.function_name,
          .ns = Counter(run, "ns"),
          .gbps = Counter(run, "GBps"),
          .ratio = Counter(run, "ratio"),
          .lower = Counter(run, "ratio_lower"),
          .upper = Counter(run, "ratio_upper"),
          .vs_memcpy = Counter(run, "vs_memcpy"),
          .loop = Counter(run, "loop"),
          .peers = Peers(run),
          .slower_than_peer = Counter(run, "slower_than_peer"),
          .slower_than_serial = Counter(run, "slower_than_serial")};
}

}  // namespace

bool KeyReporter::ReportContext(const Context& context) {
  if (next_ == nullptr) return true;
  next_->SetOutputStream(&GetOutputStream());
  next_->SetErrorStream(&GetErrorStream());
  return next_->ReportContext(context);
}

void KeyReporter::ReportRuns(const std::vector<Run>& runs) {
  if (next_ == nullptr) return;
  std::vector<Run> named = runs;
  for (Run& run : named) {
    const std::string key = run.run_name.function_name;
    run.run_name = {};
    run.run_name.function_name = key;
  }
  next_->ReportRuns(named);
}

void KeyReporter::Finalize() {
  if (next_ != nullptr) next_->Finalize();
}

void ProgressReporter::ReportRuns(const std::vector<Run>& runs) {
  KeyReporter::ReportRuns(runs);
  if (runs.empty()) return;
  const Run& run = Representative(runs);
  if (run.counters.empty()) return;  // Stage has said why
  results_.push_back(ToResult(run));
  std::fprintf(stderr, "%7.2f GB/s  ratio %.2f\n", results_.back().gbps, results_.back().ratio);
}

}  // namespace dimorder::bench
