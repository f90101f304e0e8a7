// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_REPORT_H_
#define DIMORDER_RUNTIME_RUN_REPORT_H_

#include <memory>
#include <span>

#include "dimorder/program.h"
#include "runtime/run/kernel.h"

namespace dimorder {

// Lists the copies that a graph runs: the copy ops whose kernel is not null because they are renames.
void ReportCopies(const Graph& graph, std::span<const std::unique_ptr<Kernel>> kernels, CompileReport& report);

// Throws an Error that names the copies when there are more than the options allow.
void CheckBudget(const CompileOptions& options, const CompileReport& report);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_REPORT_H_
