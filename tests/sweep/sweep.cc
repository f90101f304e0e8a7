// SPDX-License-Identifier: Apache-2.0
//
// The sweep: every kind of move, on every target of the machine, byte for byte against the oracle.
//
//   sweep                                   all families, about a minute
//   sweep --moves=5000000 --seed=7          random moves on top until that many distinct ones were checked
//   sweep --every=20                        a twentieth of it, for sanitizers
//   sweep --families=sizes,sparse --targets=AVX2
//   sweep --cases=cases.csv,own_cases.csv   the rows of these tables too
//   sweep --repro="element=4 sizes=..."     one run, as a failure prints it
//
// Exits with 1 when anything differs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include "dimorder/targets.h"
#include "tests/check.h"
#include "tests/fault.h"
#include "tests/sweep/engine.h"

namespace dimorder::test {
namespace {

struct Flags {
  int64_t moves = 0;
  uint64_t seed = std::random_device{}();
  int64_t every = 1;
  int jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::string families;  // empty: all
  std::vector<std::string> targets;
  std::vector<std::string> cases;  // csv tables
  std::string repro;
};

std::vector<std::string> SplitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

bool ParseFlag(const std::string& argument, Flags* flags) {
  const size_t equals = argument.find('=');
  if (equals == std::string::npos) return false;
  const std::string name = argument.substr(0, equals);
  const std::string value = argument.substr(equals + 1);
  if (name == "--moves")
    flags->moves = std::atoll(value.c_str());
  else if (name == "--seed")
    flags->seed = std::strtoull(value.c_str(), nullptr, 10);
  else if (name == "--every")
    flags->every = std::max(1LL, std::atoll(value.c_str()));
  else if (name == "--jobs")
    flags->jobs = std::max(1, std::atoi(value.c_str()));
  else if (name == "--families")
    flags->families = value;
  else if (name == "--targets")
    flags->targets = SplitAtCommas(value);
  else if (name == "--cases")
    flags->cases = SplitAtCommas(value);
  else if (name == "--repro")
    flags->repro = value;
  else
    return false;
  return true;
}

int Repeat(const std::string& text) {
  Trial trial;
  if (!FromText(text, &trial)) {
    std::fprintf(stderr, "this is no trial: %s\n", text.c_str());
    return 2;
  }
  NoteForFault(text);
  int skipped = 0;
  const std::string wrong = IsSparse(trial.move) ? CheckSparse(trial.move, trial.conditions, &skipped)
                                                 : MoveCheck(trial.move).Run(trial.conditions);
  std::printf("%s\n", wrong.empty() ? (skipped > 0 ? "skipped" : "right") : wrong.c_str());
  return wrong.empty() ? 0 : 1;
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void RunFamily(const Family& family, const Flags& flags, Sweep* sweep) {
  const auto start = std::chrono::steady_clock::now();
  const int64_t before = sweep->runs();
  sweep->Run(family, flags.every);
  std::printf("%-14s %9lld runs %6.1f s\n", family.name, static_cast<long long>(sweep->runs() - before),
              SecondsSince(start));
  std::fflush(stdout);
}

int RunAll(const Flags& flags) {
  std::printf("seed %llu\n", static_cast<unsigned long long>(flags.seed));
  const auto start = std::chrono::steady_clock::now();
  Sweep sweep(flags.targets, flags.seed, flags.jobs);
  const std::vector<std::string> wanted = SplitAtCommas(flags.families);
  for (const Family& family :
       {AllPermutations(), AllSizes(), DegenerateSizes(), SpecialShapes(), StridedLayouts(), ParallelMoves(),
        SparseLayouts(), BenchCases(flags.cases), RandomMoves(flags.seed, 10000)}) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), family.name) != wanted.end()) {
      RunFamily(family, flags, &sweep);
    }
  }
  for (uint64_t round = 1; sweep.DistinctMoves() < flags.moves && sweep.failures() == 0; ++round) {
    RunFamily(RandomMoves(Combine(flags.seed, round), 50000), flags, &sweep);
  }
  std::string targets;
  for (const std::string& target : flags.targets) targets += " " + target;
  std::printf("%s: %lld distinct moves in %lld runs, at %lld shapes, on%s, in %.0f s; %d skipped\n",
              sweep.failures() == 0 ? "right" : "WRONG", static_cast<long long>(sweep.DistinctMoves()),
              static_cast<long long>(sweep.runs()), static_cast<long long>(sweep.DistinctShapes()), targets.c_str(),
              SecondsSince(start), sweep.skipped());
  return sweep.failures() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dimorder::test

int main(int argc, char** argv) {
  dimorder::test::Flags flags;
  for (int i = 1; i < argc; ++i) {
    if (dimorder::test::ParseFlag(argv[i], &flags)) continue;
    std::fprintf(stderr, "unknown argument %s\n", argv[i]);
    return 2;
  }
  if (flags.targets.empty()) {
    const dimorder::TargetList supported = dimorder::SupportedTargets();
    flags.targets.assign(supported.begin(), supported.end());
  }
  dimorder::test::InstallFaultHandler();
  return flags.repro.empty() ? dimorder::test::RunAll(flags) : dimorder::test::Repeat(flags.repro);
}
