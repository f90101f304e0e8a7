// SPDX-License-Identifier: Apache-2.0
#include "bench/flags.h"

#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace dimorder::bench {
namespace {

constexpr int64_t kMaxThreads = 1024;
constexpr int64_t kMaxMeasureMs = 60'000;

// The value of `--name=value`; empty for a bare `--name`.
std::optional<std::string_view> ValueOf(std::string_view argument, std::string_view name) {
  if (!argument.starts_with("--") || argument.substr(2, name.size()) != name) return std::nullopt;
  argument.remove_prefix(2 + name.size());
  if (argument.empty()) return argument;
  if (argument.front() != '=') return std::nullopt;
  return argument.substr(1);
}

// As google-benchmark reads them.
bool IsTruthy(std::string_view value) {
  return value.empty() || value == "true" || value == "yes" || value == "on" || value == "1" || value == "t" ||
         value == "y";
}

int64_t ParseNumber(std::string_view name, std::string_view value, int64_t most) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 1 || number > most) {
    throw std::runtime_error("--" + std::string(name) + "=" + std::string(value) + ": not a number from 1 to " +
                             std::to_string(most));
  }
  return number;
}

// Whether the flag is one of ours.
bool TakeOwn(std::string_view argument, Flags* flags) {
  if (const auto suite = ValueOf(argument, "suite")) {
    flags->suite_name = *suite;
    if (!ParseSuite(*suite, &flags->suite)) {
      throw std::runtime_error("--suite=" + flags->suite_name + ": not quick, standard or full");
    }
    return true;
  }
  if (const auto threads = ValueOf(argument, "threads")) {
    flags->threads = static_cast<size_t>(ParseNumber("threads", *threads, kMaxThreads));
    return true;
  }
  if (const auto peers = ValueOf(argument, "peers")) {
    if (!peers->empty() && *peers != "all" && *peers != "none") {
      throw std::runtime_error("--peers=" + std::string(*peers) + ": not all or none");
    }
    flags->peers = *peers != "none";
    return true;
  }
  if (const auto measure = ValueOf(argument, "measure")) {
    flags->tuning_ns = ParseNumber("measure", *measure, kMaxMeasureMs) * 1'000'000;
    return true;
  }
  if (const auto target = ValueOf(argument, "target")) {
    if (target->empty()) throw std::runtime_error("--target needs a name, as in --target=AVX2");
    flags->target = *target;
    return true;
  }
  if (const auto list = ValueOf(argument, "benchmark_list_tests")) {
    flags->list = IsTruthy(*list);
    return true;
  }
  return false;
}

}  // namespace

const char kFlagsHelp[] =
    R"(dimorder-bench: how close moves come to the speed of a copy

  --suite=quick|standard|full  which cases (bench/cases.csv, bench/own_cases.csv); default quick
  --threads=N                  threads for moves and copies alike; default 1
  --peers[=all|none]           time the other libraries in this build, too; default none
  --measure=MS                 plans by Tuning::kMeasure, for about MS milliseconds each; default: by estimate
  --target=NAME                instruction set, as DIMORDER_TARGET in the environment; default: none is named
  --help

The flags of google-benchmark work too. Without --benchmark_format, progress goes to stderr and tables to stdout;
with it, google-benchmark's output goes to stdout and the tables to stderr. --benchmark_filter takes the case names.

)";

Flags TakeFlags(int* argc, char** argv) {
  Flags flags;
  bool json = true;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = argv[i];
    if (TakeOwn(argument, &flags)) continue;
    flags.has_format |= ValueOf(argument, "benchmark_format").has_value();
    flags.has_min_time |= ValueOf(argument, "benchmark_min_time").has_value();
    flags.json_file |= ValueOf(argument, "benchmark_out").has_value();
    if (const auto format = ValueOf(argument, "benchmark_out_format")) json = *format == "json";
    argv[kept++] = argv[i];
  }
  argv[kept] = nullptr;
  *argc = kept;
  flags.json_file &= json;
  return flags;
}

}  // namespace dimorder::bench
