// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_KERNELS_BOXES_H_
#define DIMORDER_TESTS_KERNELS_BOXES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace dimorder::test {

struct Box {
  Axis inner[kInnerAxes];
};

// Boxes that the contract of a kernel's family allows: all sizes round its tiles, strides of either sign, gaps.
std::vector<Box> BoxesOf(const KernelInfo& info);

// KernelArgs::run for the box of that number, if it is staged.
int64_t RunOf(const KernelInfo& info, const Box& box, size_t number);

// KernelArgs::panel, lines_panel, group and abreast for the box of that number.
int64_t PanelOf(const KernelInfo& info, size_t number);
int64_t LinesPanelOf(const KernelInfo& info, size_t number);
int64_t GroupOf(const KernelInfo& info, const Box& box, size_t number);
int64_t AbreastOf(const KernelInfo& info, size_t number);

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_KERNELS_BOXES_H_
