// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_PROCESS_H_
#define DIMORDER_BENCH_GATE_PROCESS_H_

#include <string>
#include <vector>

namespace dimorder::bench::gate {

// Runs this program again with other arguments and returns the lines that it writes to stdout; stderr stays shared.
// Throws std::runtime_error when it fails, or when it is not done after that many seconds: it is killed then.
std::vector<std::string> RunSelf(const std::vector<std::string>& arguments, double seconds);

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_PROCESS_H_
