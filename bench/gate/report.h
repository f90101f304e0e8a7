// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_REPORT_H_
#define DIMORDER_BENCH_GATE_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "bench/gate/gate.h"

namespace dimorder::bench::gate {

// A run of the gate: head against each base.
struct Report {
  std::string date;  // ISO 8601, UTC
  uint64_t seed = 0;
  Build head;
  std::vector<Comparison> comparisons;
};

// "same-code", "regression", ...: what the JSON calls an outcome.
std::string_view OutcomeName(Outcome outcome);

// "pass", "improved", "inconclusive" or "regression".
std::string_view Verdict(Outcome worst);
Outcome Worst(const Report& report);

// 1 for a regression, else 0.
int ExitCode(const Report& report);

// What people read: per base a sentence, and a table of the cases that are worth a word.
std::string Markdown(const Report& report);

// The same with all cases and all block ratios, for programs.
std::string Json(const Report& report);

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_REPORT_H_
