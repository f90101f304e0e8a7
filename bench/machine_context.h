// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_MACHINE_CONTEXT_H_
#define DIMORDER_BENCH_MACHINE_CONTEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "bench/contest.h"

namespace dimorder::bench {

// What a reader of recorded results must know to judge them, as keys and values of the JSON's context. No host name,
// user name or path is among them.
using Context = std::vector<std::pair<std::string, std::string>>;

// Processor, caches, operating system's settings that move results.
Context MachineContext();
// Version, commit, compiler and flags.
Context BuildContext();
// Hands it to google-benchmark, which then has nothing else to say of where a program ran: results are published, and
// host names and paths are nobody's business.
void Publish(const Context& context);
// GB/s (read + written) of both copies at a few sizes, with the run's threads. Takes under a second.
Context CopyContext(const Settings& settings);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_MACHINE_CONTEXT_H_
