// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_SCOPE_H_
#define DIMORDER_BENCH_GATE_SCOPE_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/gate/object_code.h"

namespace dimorder::bench::gate {

// Which code a call runs: planner and executor, and the kernels that its plan names.
class Scope {
 public:
  Scope(const ObjectCode& base, const ObjectCode& head) : base_(base), head_(head) {}

  // Whether both builds have the same code for making plans and walking through them.
  bool SamePlanner();
  // The same for the kernels of a plan that describes itself so in both.
  bool SameKernels(const std::string& description);

 private:
  bool Same(const std::string& key, const ObjectCode::Predicate& is_root, const ObjectCode::Predicate& is_border);

  const ObjectCode& base_;
  const ObjectCode& head_;
  std::map<std::string, bool> known_;  // by key: target and kernel, or "" for the planner
};

// The words of a description (Plan::Describe) that can be names of kernels; the target is the first one of all.
std::vector<std::string> KernelWords(std::string_view description);

// Whether a symbol is the function of a kernel's family on a target: ("...N_AVX2::Tile<unsigned int>(...)", "AVX2",
// "Tile4"). All element sizes of a family count as one kernel here.
bool IsKernel(std::string_view symbol, std::string_view target, std::string_view kernel);

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_SCOPE_H_
