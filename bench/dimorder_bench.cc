// SPDX-License-Identifier: Apache-2.0
// dimorder-bench: every case of a suite against the limit, a copy of the same bytes.
//
// google-benchmark supplies flags, iterations, repetitions and JSON; what it times is replaced. Each row is a duet: the
// move and the limit take turns on the same buffers in blocks of about a millisecond, and the ratio is the median over
// blocks (dispatch/measure.h says why). Nothing is timed before its result has been compared with the oracle.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <iostream>
#include <new>
#include <regex>
#include <stdexcept>

#include "bench/flags.h"
#include "bench/machine_context.h"
#include "bench/peers/peers.h"
#include "bench/reporters.h"
#include "bench/rows.h"
#include "bench/stage.h"
#include "bench/tables.h"
#include "bench/threads.h"
#include "dimorder/targets.h"
#include "dispatch/target.h"

namespace dimorder::bench {
namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;

// Seconds that a row's moves run, half of its time in the duet or less.
double MinTime(Suite suite) { return suite == Suite::kQuick ? 0.2 : 0.3; }

void PrintHelp() {
  std::fputs(kFlagsHelp, stdout);
  benchmark::PrintDefaultHelp();
}

int Complain(const std::string& what) {
  std::fprintf(stderr, "dimorder-bench: %s\n", what.c_str());
  return kUsage;
}

// Makes the named target the active one. Throws with the list of the known ones when there is no such.
int64_t ChooseTarget(const std::string& name) {
  const Status status = name.empty() ? Status() : SetTarget(name.c_str());
  const Result<int64_t> target = status.ok() ? ResolveTarget(nullptr) : Result<int64_t>(status);
  if (target.ok()) return target.value();
  std::string text = target.status().ToString() + " (this machine has";
  for (const char* supported : SupportedTargets()) text += std::string(" ") + supported;
  throw std::runtime_error(text + ")");
}

std::vector<Row> SelectRows(const Flags& flags) {
  try {
    std::vector<Row> rows = Filter(RowsOf(flags.suite), benchmark::GetBenchmarkFilter());
    if (!rows.empty()) return rows;
  } catch (const std::regex_error& error) {
    throw std::runtime_error(std::string("--benchmark_filter: ") + error.what());
  }
  const size_t others = Filter(RowsOf(Suite::kFull), benchmark::GetBenchmarkFilter()).size();
  throw std::runtime_error("no case of suite " + flags.suite_name + " matches; of --suite=full, " +
                           std::to_string(others) + " do");
}

std::string PeerNames() {
  std::string names;
  for (const Peer& peer : Peers()) names += (names.empty() ? "" : " ") + peer.name;
  return names;
}

void AddContext(const Flags& flags, const Settings& settings) {
  Context context = {{"suite", flags.suite_name},
                     {"target", TargetName(settings.target)},
                     {"threads", std::to_string(settings.threads->count())},
                     {"executor", settings.threads->kind()},
                     {"peers", settings.peers ? PeerNames() : "not timed"},
                     {"tuning", settings.tuning_ns == 0 ? "estimate" : "measure"}};
  for (const Context& part : {BuildContext(), MachineContext(), CopyContext(settings)}) {
    context.insert(context.end(), part.begin(), part.end());
  }
  for (const auto& [key, value] : context) std::fprintf(stderr, "%s: %s\n", key.c_str(), value.c_str());
  Publish(context);
}

void Register(const std::vector<Row>& rows, const Flags& flags, Stage* stage) {
  for (const Row& row : rows) {
    auto* registered = benchmark::RegisterBenchmark(row.key.c_str(),
                                                    [stage, &row](benchmark::State& state) { stage->Run(state, row); });
    registered->UseManualTime()->Unit(benchmark::kMicrosecond);
    if (!flags.has_min_time) registered->MinTime(MinTime(flags.suite));
  }
  benchmark::SetBenchmarkFilter("all");  // the rows were filtered by key; the library would use its longer names
}

int Run(const std::vector<Row>& rows, const Flags& flags, const Settings& settings) {
  AddContext(flags, settings);
  Stage stage(settings, rows.size());
  Register(rows, flags, &stage);
  ProgressReporter display(std::unique_ptr<benchmark::BenchmarkReporter>(
      flags.has_format ? benchmark::CreateDefaultDisplayReporter() : nullptr));
  KeyReporter file(std::make_unique<benchmark::JSONReporter>());
  benchmark::RunSpecifiedBenchmarks(&display, flags.json_file ? &file : nullptr);
  PrintTables(rows, display.results(), settings.threads->count(), flags.has_format ? std::cerr : std::cout);
  if (stage.failures() == 0) return 0;
  std::fprintf(stderr, "dimorder-bench: %d of %zu rows FAILED\n", stage.failures(), rows.size());
  return kFailed;
}

int Main(int argc, char** argv) {
  try {
    const Flags flags = TakeFlags(&argc, argv);
    benchmark::Initialize(&argc, argv, PrintHelp);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return kUsage;
    const std::vector<Row> rows = SelectRows(flags);
    if (flags.list) {
      for (const Row& row : rows) std::puts(row.key.c_str());
      return 0;
    }
    const int64_t target = ChooseTarget(flags.target);
    const Threads threads(flags.threads);
    return Run(rows, flags,
               {.threads = &threads, .target = target, .peers = flags.peers, .tuning_ns = flags.tuning_ns});
  } catch (const std::runtime_error& error) {
    return Complain(error.what());
  } catch (const std::bad_alloc&) {
    return Complain("not enough memory for the buffers of the copies");
  }
}

}  // namespace
}  // namespace dimorder::bench

int main(int argc, char** argv) { return dimorder::bench::Main(argc, argv); }
