// SPDX-License-Identifier: Apache-2.0
// Family kTwoPass: two other kernels, one after the other.
#include "kernels/units.h"

namespace dimorder {
inline namespace v1 {

void TwoPass(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const Passes& passes = args.passes();
  const Pass* pass = args.inner[passes.cut].n == passes.block ? passes.whole : passes.rest;
  pass[0].kernel(src, args.scratch, pass[0].args);
  pass[1].kernel(args.scratch, dst, pass[1].args);
}

}  // namespace v1
}  // namespace dimorder
