// SPDX-License-Identifier: Apache-2.0
// Boxes of two axes, and how the further axes of a call walk from one to the next.
#if defined(DIMORDER_KERNELS_BOX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_BOX_INL_H_
#undef DIMORDER_KERNELS_BOX_INL_H_
#else
#define DIMORDER_KERNELS_BOX_INL_H_
#endif

#include "kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// A 2-D box of elements: arguments of which inner[2] and inner[3] do not count. inner[0].n source rows, inner[0].is
// bytes apart, each inner[1].n contiguous elements; destination columns inner[1].os bytes apart, each inner[0].n
// contiguous elements.
using Box = KernelArgs;

HWY_INLINE Box MakeBox(int64_t is, int64_t rows, int64_t os, int64_t cols, int64_t panel) {
  Box box = {};
  box.inner[0] = Axis{rows, is, 0};
  box.inner[1] = Axis{cols, 0, os};
  box.panel = panel;
  return box;
}

// Calls move(src, dst, args) for each step of inner[2] and inner[3]. Not inline, so that a single box has nothing to
// set up.
template <class Function>
HWY_NOINLINE void ForEachOfBoxes(const uint8_t* src, uint8_t* dst, const KernelArgs& args, const Function& move) {
  const Box box = args;  // in registers: what is stored cannot change it
  const Axis y = args.inner[2];
  const Axis z = args.inner[3];
  for (int64_t k = 0; k < z.n; ++k) {
    const uint8_t* from = src + k * z.is;
    uint8_t* to = dst + k * z.os;
    for (int64_t j = 0; j < y.n; ++j) {
      move(from, to, box);
      from += y.is;
      to += y.os;
    }
  }
}

template <class Function>
HWY_INLINE void ForEachBox(const uint8_t* src, uint8_t* dst, const KernelArgs& args, const Function& move) {
  if (args.inner[2].n * args.inner[3].n == 1) return move(src, dst, args);
  ForEachOfBoxes(src, dst, args, move);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_BOX_INL_H_
