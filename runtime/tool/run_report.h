// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_TOOL_RUN_REPORT_H_
#define DIMORDER_RUNTIME_TOOL_RUN_REPORT_H_

#include <string>
#include <vector>

#include "dimorder/program.h"

namespace dimorder {

// What the runs of a program took.
struct RunTimes {
  std::vector<StepTime> steps;   // of all runs
  std::vector<int64_t> runs_ns;  // each
};

// Copies kept with their median time and reason, copies cancelled, time per op, totals.
std::string ReportText(const Program& program, const RunTimes& times);
std::string ReportJson(const Program& program, const RunTimes& times);
// A row of a Markdown table: of each report, copies, their bytes, and their estimated time, those between caller
// and graph among them.
std::string LayoutsRow(const std::string& name, const std::vector<CompileReport>& reports);
// The trace event format of Chrome: one complete event per step and run.
std::string TraceJson(const Program& program, const RunTimes& times);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_TOOL_RUN_REPORT_H_
