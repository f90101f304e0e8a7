// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_TRIAL_H_
#define DIMORDER_TESTS_TRIAL_H_

#include <cstdint>
#include <string>

#include "dimorder/dimorder.h"

namespace dimorder::test {

enum class Runner : int { kSerial, kReversed, kThreads };  // executors.h
enum class Call : int { kPlan, kWorkspace, kOneShot };     // Plan::Execute, the same with scratch, Execute

// How a move is run: everything but the move itself that can change what the code does.
struct Conditions {
  std::string target;     // empty: none is named
  int64_t src_phase = 0;  // bytes between a 64-byte boundary and the first byte that the layout touches
  int64_t dst_phase = 0;
  Stores stores = Stores::kAuto;
  Runner runner = Runner::kSerial;
  int tasks = 1;  // of the executor
  Call call = Call::kPlan;
};

// One run of one move. Its text is one line that a failure prints and that `sweep --repro=...` reads back, as in
//   element=4 sizes=2,3,5 src=order:0,1,2 dst=strides:4,8,24@16 phases=0,13 target=AVX2 stores=2 runner=threads:3
//   call=plan
struct Trial {
  Move move;
  Conditions conditions;
};

std::string ToText(const Trial& trial);
// False when the text is not of that form. Absent keys keep their defaults.
bool FromText(const std::string& text, Trial* trial);

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_TRIAL_H_
