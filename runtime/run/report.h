// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_REPORT_H_
#define DIMORDER_RUNTIME_RUN_REPORT_H_

#include "dimorder/program.h"
#include "runtime/run/program_data.h"

namespace dimorder {

// Lists the copies that a program runs: the steps of copy ops that are no renames.
void ReportCopies(const ProgramData& program, CompileReport& report);

// Throws an Error that names the copies when there are more than the options allow.
void CheckBudget(const CompileOptions& options, const CompileReport& report);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_REPORT_H_
