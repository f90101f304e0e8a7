// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_GATE_H_
#define DIMORDER_BENCH_GATE_GATE_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gate/verdict.h"
#include "bench/rows.h"

// Compares builds of two revisions: which cases became slower?
namespace dimorder::bench::gate {

// A revision that was built. `directory` has its object files somewhere below, and in layouts/ several libraries linked
// from them, each in another order.
struct Build {
  std::string name;    // what it is to the gate: "merge base"
  std::string commit;  // or what else was built
  std::filesystem::path directory;
};

// A slowdown that its author announced: Perf-Accept in a commit message.
struct Acceptance {
  std::string base;    // Build::commit of the base that it holds for
  std::string commit;  // the one that announces it
  std::string glob;    // of case keys
  std::string reason;
};

struct Options {
  double budget_seconds = 600;
  uint64_t seed = 1;
  bool skip_same_code = true;
  std::vector<Acceptance> accepted;
};

// What became of a case; what an exit code or a label says comes from the last one that any case has.
enum class Outcome {
  kSameCode,      // not timed: both builds have the same machine code for it
  kNew,           // not timed: base cannot run it
  kSame,          // no slower
  kCleared,       // looked changed, and was not when measured again
  kFaster,        // surely faster
  kAccepted,      // slower, as announced
  kUntimed,       // no time left for it
  kUnconfirmed,   // looked slower, and there was no time to measure it again
  kInconclusive,  // looked slower, but base against itself did not look even
  kRegression,
};

struct CaseReport {
  Row row;
  Outcome outcome = Outcome::kUntimed;
  std::string base_plan;  // Plan::Describe
  std::string head_plan;
  std::string note;  // what a reader may want to know, too
  ProcessBlocks screen;
  ProcessBlocks confirm;  // none, unless it was suspected
  ProcessBlocks control;  // base against its copy, between the blocks of `confirm`
};

struct Comparison {
  Build base;
  std::vector<CaseReport> cases;
  double seconds = 0;

  Outcome worst() const;
};

// Both builds run every row alike and as fast, or else. Throws std::runtime_error where there is nothing to compare:
// outputs differ, head cannot run a case that base can, a library cannot be opened, a worker fails.
Comparison Compare(const Build& base, const Build& head, const std::vector<Row>& rows, const Options& options);

// The announced slowdowns of a list, one per line: base, commit, date, glob and reason, between tabs. Throws
// std::runtime_error with the commit where there is no reason.
std::vector<Acceptance> ParseAccepted(std::string_view list);
// Regressions that were announced after this base become accepted.
void Accept(const std::vector<Acceptance>& accepted, Comparison* comparison);

// The rows of a list: their keys, one per line, with comments from '#' on. Throws std::runtime_error with line and key
// where there is no such row.
std::vector<Row> ParseGatedRows(std::string_view list);
// Those of bench/gate/cases.
const std::vector<Row>& GatedRows();

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_GATE_H_
