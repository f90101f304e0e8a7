// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_TARGETS_H_
#define DIMORDER_TESTS_TARGETS_H_

#include <string>
#include <vector>

#include "dimorder/targets.h"

namespace dimorder::test {

// The targets of this machine, as tests are parametrized by them.
inline std::vector<std::string> TargetNames() {
  const TargetList targets = SupportedTargets();
  return {targets.begin(), targets.end()};
}

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_TARGETS_H_
