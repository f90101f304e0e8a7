// SPDX-License-Identifier: Apache-2.0
// dimorder-gate, as bench/gate.sh calls it, and as it calls itself for each job of its workers.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gate/gate.h"
#include "bench/gate/report.h"
#include "bench/gate/sample.h"

namespace dimorder::bench::gate {
namespace {

constexpr char kHelp[] = R"(dimorder-gate: does head move any case slower than base?  (called by bench/gate.sh)

  --base=NAME,COMMIT,DIRECTORY  a build to compare with; once per base
  --head=NAME,COMMIT,DIRECTORY  the build to be judged
  --budget=SECONDS              for all of it; default 600
  --seed=N                      decides all orders; default 1
  --filter=REGEX                only the gated cases that match, by the rules of --benchmark_filter
  --no-skip                     time cases whose machine code is the same, too
  --accepted=FILE               announced slowdowns: the base, and what bench/gate/accepted.sh prints
  --markdown=FILE  --json=FILE  where reports go; the first also to stdout

Exit code: 0 for pass, improved or inconclusive, 1 for a regression, 2 where there was nothing to compare.
)";

constexpr int kBroken = 2;

// The value of `--name=value`.
std::optional<std::string> ValueOf(std::string_view argument, std::string_view name) {
  const std::string start = "--" + std::string(name) + "=";
  if (!argument.starts_with(start)) return std::nullopt;
  return std::string(argument.substr(start.size()));
}

template <class Number>
bool Take(std::string_view argument, std::string_view name, Number* number) {
  const std::optional<std::string> value = ValueOf(argument, name);
  if (!value) return false;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), *number);
  if (error != std::errc() || end != value->data() + value->size()) {
    throw std::runtime_error(std::string(argument) + ": not a number");
  }
  return true;
}

bool Take(std::string_view argument, std::string_view name, std::string* text) {
  const std::optional<std::string> value = ValueOf(argument, name);
  if (!value) return false;
  *text = *value;
  return true;
}

// "NAME,COMMIT,DIRECTORY"
bool Take(std::string_view argument, std::string_view name, Build* build) {
  const std::optional<std::string> value = ValueOf(argument, name);
  if (!value) return false;
  const size_t first = value->find(',');
  const size_t second = first == std::string::npos ? first : value->find(',', first + 1);
  if (second == std::string::npos) throw std::runtime_error(std::string(argument) + ": not NAME,COMMIT,DIRECTORY");
  *build = {value->substr(0, first), value->substr(first + 1, second - first - 1), value->substr(second + 1)};
  return true;
}

[[noreturn]] void RefuseArgument(std::string_view argument) {
  throw std::runtime_error(std::string(argument) + ": unknown; --help lists what there is");
}

std::vector<Acceptance> ReadAccepted(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  return ParseAccepted(std::string(std::istreambuf_iterator<char>(in), {}));
}

void WriteFile(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::ofstream out(path);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

int RunWorker(std::string_view kind, const std::vector<std::string_view>& arguments) {
  Libraries libraries;
  SampleJob job;
  std::vector<Row> rows;
  const std::vector<Row> all = RowsOf(Suite::kFull);
  for (const std::string_view argument : arguments) {
    if (Take(argument, "base", &libraries.base) || Take(argument, "head", &libraries.head) ||
        Take(argument, "control", &libraries.control) || Take(argument, "seed", &job.seed) ||
        Take(argument, "rounds", &job.rounds) || Take(argument, "blocks", &job.blocks) ||
        Take(argument, "slow-blocks", &job.slow_blocks) || Take(argument, "seconds", &job.seconds)) {
      continue;
    }
    if (argument == "--with-control") {
      job.with_control = true;
      continue;
    }
    const auto found = std::find_if(all.begin(), all.end(), [&](const Row& row) { return row.key == argument; });
    if (found == all.end()) RefuseArgument(argument);
    rows.push_back(*found);
  }
  if (kind == "inspect") {
    Inspect(libraries, rows, std::cout);
  } else {
    Sample(libraries, rows, job, std::cout);
  }
  return std::cout.flush() ? 0 : kBroken;
}

int RunGate(const std::vector<std::string_view>& arguments) {
  Options options;
  Report report;
  std::vector<Build> bases;
  std::string filter, accepted, markdown, json;
  for (const std::string_view argument : arguments) {
    if (Build base; Take(argument, "base", &base)) {
      bases.push_back(base);
    } else if (argument == "--no-skip") {
      options.skip_same_code = false;
    } else if (!Take(argument, "head", &report.head) && !Take(argument, "budget", &options.budget_seconds) &&
               !Take(argument, "seed", &options.seed) && !Take(argument, "filter", &filter) &&
               !Take(argument, "accepted", &accepted) && !Take(argument, "markdown", &markdown) &&
               !Take(argument, "json", &json)) {
      RefuseArgument(argument);
    }
  }
  if (bases.empty() || report.head.directory.empty()) throw std::runtime_error("--base and --head are needed");
  if (!accepted.empty()) options.accepted = ReadAccepted(accepted);
  report.date = Now();
  report.seed = options.seed;
  const std::vector<Row> rows = Filter(GatedRows(), filter);
  if (rows.empty()) throw std::runtime_error("--filter=" + filter + ": no gated case matches");
  using Seconds = std::chrono::duration<double>;
  const auto end = std::chrono::steady_clock::now() + Seconds(options.budget_seconds);
  std::string broken;
  for (size_t i = 0; i < bases.size(); ++i) {
    const Seconds left = end - std::chrono::steady_clock::now();
    options.budget_seconds = left.count() / static_cast<double>(bases.size() - i);
    try {
      report.comparisons.push_back(Compare(bases[i], report.head, rows, options));
    } catch (const std::exception& error) {
      // What the other base shows is not lost.
      broken += "dimorder-gate: " + bases[i].name + ": " + error.what() + "\n";
    }
  }
  const std::string text = Markdown(report);
  std::cout << text;
  WriteFile(markdown, text);
  WriteFile(json, Json(report));
  std::cerr << broken;
  const int code = ExitCode(report);
  return broken.empty() || code == 1 ? code : 2;
}

int Run(const std::vector<std::string_view>& arguments) {
  if (arguments.size() == 1 && arguments[0] == "--help") {
    std::cout << kHelp;
    return 0;
  }
  if (!arguments.empty() && (arguments[0] == "inspect" || arguments[0] == "sample")) {
    return RunWorker(arguments[0], {arguments.begin() + 1, arguments.end()});
  }
  return RunGate(arguments);
}

}  // namespace
}  // namespace dimorder::bench::gate

int main(int argc, char** argv) {
  try {
    return dimorder::bench::gate::Run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "dimorder-gate: " << error.what() << '\n';
    return 2;
  }
}
