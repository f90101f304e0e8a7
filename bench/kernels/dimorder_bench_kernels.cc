// SPDX-License-Identifier: Apache-2.0
// dimorder-bench-kernels: every microkernel on every target of this machine, against a memcpy of the same bytes, within
// L1 and beyond it. What a plan makes of a kernel, dimorder-bench shows.
//
// Each is a duet on shared buffers, as there; the flags are google-benchmark's. Names are kernel/target/bytes:
//   dimorder-bench-kernels --benchmark_filter=^Tile4/ --benchmark_format=json
// Nothing is timed before its result has been compared with the oracle.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/contest.h"
#include "bench/kernels/kernel_case.h"
#include "bench/limit.h"
#include "bench/machine_context.h"
#include "bench/reporters.h"
#include "dimorder/targets.h"
#include "dispatch/target.h"
#include "tests/reference.h"

namespace dimorder::bench {
namespace {

// Source and destination together are two thirds of 48 KB, and more than any L1.
constexpr int64_t kSizes[] = {int64_t{16} * 1024, int64_t{256} * 1024};
constexpr double kMinTime = 0.02;  // seconds that a kernel runs

void SetCounters(const DuetResult& result, int64_t bytes, benchmark::State& state) {
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["GBps"] = 2 * static_cast<double>(bytes) / result.b_ns;
  state.counters["ratio"] = result.ratio;
}

// Whether its result is right.
bool RunCase(benchmark::State& state, KernelId id, int64_t target, int64_t bytes) {
  const KernelCase c = MakeKernelCase(id, target, bytes);
  const BufferPairs pairs(test::ReferenceExtent(c.move.src, c.move.element_bytes).bytes(), c.bytes);
  c.call->Run(pairs, 0, 1);
  FenceStreams();
  if (const std::string wrong = FindMismatch(c.move, pairs.src(0), pairs.dst(0)); !wrong.empty()) {
    state.SkipWithError(wrong.c_str());
    return false;
  }
  const std::unique_ptr<Contender> copy = MakeMemcpy(c.bytes, Threads(1));
  const Side limit{*copy, pairs};
  const Side subject{*c.call, pairs};
  AbbaSampler sampler(limit, subject);
  sampler.WarmUp();
  const int64_t calls = 2 * sampler.calls();
  std::vector<BlockTimes> blocks;
  while (state.KeepRunningBatch(calls)) {
    blocks.push_back(sampler.Next());
    state.SetIterationTime(blocks.back().b_ns * static_cast<double>(calls) * 1e-9);
  }
  SetCounters(Summarize(blocks), c.bytes, state);
  return true;
}

void Register(KernelId id, const char* target_name, int64_t target, int* failures) {
  for (const int64_t bytes : kSizes) {
    if (MakeKernelCase(id, target, bytes).call == nullptr) return;
    const std::string name = std::string(GetKernelInfo(id).name) + "/" + target_name + "/" + std::to_string(bytes);
    const auto run = [=](benchmark::State& state) { *failures += RunCase(state, id, target, bytes) ? 0 : 1; };
    benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->MinTime(kMinTime);
  }
}

int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  int failures = 0;
  for (const char* target : SupportedTargets()) {
    for (int id = 0; id < kNumKernels; ++id) {
      Register(static_cast<KernelId>(id), target, *ResolveTarget(target), &failures);
    }
  }
  for (const Context& part : {BuildContext(), MachineContext()}) {
    for (const auto& [key, value] : part) benchmark::AddCustomContext(key, value);
  }
  KeyReporter display{std::unique_ptr<benchmark::BenchmarkReporter>(benchmark::CreateDefaultDisplayReporter())};
  return benchmark::RunSpecifiedBenchmarks(&display) == 0 || failures != 0 ? 1 : 0;
}

}  // namespace
}  // namespace dimorder::bench

int main(int argc, char** argv) { return dimorder::bench::Main(argc, argv); }
