// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_STEPS_H_
#define DIMORDER_RUNTIME_RUN_STEPS_H_

#include <span>
#include <vector>

#include "runtime/passes/claim.h"
#include "runtime/run/program_data.h"

namespace dimorder {

// Makes the program's steps from its graph: compiles and loads the parts that delegates run, makes kernels for all
// other nodes, and plans the memory. Reorders the graph's nodes so that those of each part stand together.
void MakeSteps(ProgramData& program, std::vector<Claim> claims);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_STEPS_H_
