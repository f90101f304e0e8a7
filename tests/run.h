// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_RUN_H_
#define DIMORDER_TESTS_RUN_H_

#include "dimorder/dimorder.h"
#include "tests/trial.h"

namespace dimorder::test {

// Makes the plan that the conditions ask for and runs it once. Phases are the caller's business: they are in the
// pointers. Fails also when the call wrote outside the workspace that it was given.
Status RunMove(const Move& move, const Conditions& conditions, const void* src, void* dst);

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_RUN_H_
