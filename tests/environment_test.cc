// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "dimorder/dimorder.h"
#include "dimorder/targets.h"

// Prints what DIMORDER_TARGET, as the environment has it, does to plans; tests/CMakeLists.txt knows what it should be.
int main() {
  const dimorder::Move move = dimorder::Move::Permute({64, 64}, {1, 0}, 4);
  const auto plan = dimorder::Plan::Create(move);
  std::printf("plan: %s\n", plan.ok() ? plan->Describe().c_str() : plan.status().ToString().c_str());
  const dimorder::Status chosen = dimorder::SetTarget(nullptr);
  const bool works = chosen.ok() && dimorder::Plan::Create(move).ok();
  std::printf("SetTarget: %s\n", works ? "ok" : "fails");
  return works ? 0 : 1;
}
