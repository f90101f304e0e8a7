// SPDX-License-Identifier: Apache-2.0
// dimorder-bench-kernels: every microkernel on every target of this machine, against a memcpy of the same bytes, within
// L1 and beyond it. What a plan makes of a kernel, dimorder-bench shows.
//
// Each is a duet on shared buffers, as there; the flags are google-benchmark's. Names are kernel/target/bytes:
//   dimorder-bench-kernels --benchmark_filter=^Tile4/ --benchmark_format=json
// Nothing is timed before its result has been compared with the oracle.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "bench/contest.h"
#include "bench/kernels/kernel_case.h"
#include "bench/limit.h"
#include "bench/machine_context.h"
#include "bench/reporters.h"
#include "bench/state_duet.h"
#include "dimorder/targets.h"
#include "dispatch/target.h"
#include "tests/reference.h"

namespace dimorder::bench {
namespace {

// Both sides, and scratch, are within any L1, and beyond any.
constexpr int64_t kSizes[] = {int64_t{8} * 1024, int64_t{256} * 1024};
// Seconds that a kernel runs where --benchmark_min_time is not given.
constexpr double kMinTime = 0.02;

void SetCounters(const DuetResult& result, int64_t bytes, benchmark::State& state) {
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["GBps"] = 2 * static_cast<double>(bytes) / result.b_ns;
  state.counters["ratio"] = result.ratio;
}

// Whether its result is right.
bool RunCase(benchmark::State& state, const KernelCase& c) {
  BufferPairs pairs(test::ReferenceExtent(c.move.src, c.move.element_bytes).bytes(), c.bytes, kMostPlacements);
  c.call->Run(pairs, 0, 1);
  if (const std::string wrong = FindMismatch(c.move, pairs.src(0), pairs.dst(0)); !wrong.empty()) {
    state.SkipWithError(wrong.c_str());
    return false;
  }
  const std::unique_ptr<Contender> copy = MakeMemcpy(c.bytes, Threads(1));
  SetCounters(RunDuet(state, *copy, *c.call, pairs), c.bytes, state);
  return true;
}

// Names a kernel and target with the bytes of each case; of kernels that move no more than a few, there is one.
void Register(KernelId id, const std::string& target, bool has_min_time, int* failures) {
  int64_t last = 0;
  for (const int64_t bytes : kSizes) {
    const auto c = std::make_shared<const KernelCase>(MakeKernelCase(id, *ResolveTarget(target.c_str()), bytes));
    if (c->call == nullptr || c->bytes == last) continue;
    last = c->bytes;
    const std::string name = c->call->name() + "/" + target + "/" + std::to_string(c->bytes);
    const auto run = [c, failures](benchmark::State& state) { *failures += RunCase(state, *c) ? 0 : 1; };
    auto* registered = benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime();
    if (!has_min_time) registered->MinTime(kMinTime);
  }
}

bool HasMinTime(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](std::string_view flag) { return flag.starts_with("--benchmark_min_time"); });
}

int Main(int argc, char** argv) {
  const bool has_min_time = HasMinTime(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  int failures = 0;
  for (const char* target : SupportedTargets()) {
    for (int id = 0; id < kNumKernels; ++id) Register(static_cast<KernelId>(id), target, has_min_time, &failures);
  }
  for (const Context& part : {BuildContext(), MachineContext()}) Publish(part);
  KeyReporter display{std::unique_ptr<benchmark::BenchmarkReporter>(benchmark::CreateDefaultDisplayReporter())};
  return benchmark::RunSpecifiedBenchmarks(&display) == 0 || failures != 0 ? 1 : 0;
}

}  // namespace
}  // namespace dimorder::bench

int main(int argc, char** argv) { return dimorder::bench::Main(argc, argv); }
