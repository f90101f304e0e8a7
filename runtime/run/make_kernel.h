// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_RUN_MAKE_KERNEL_H_
#define DIMORDER_RUNTIME_RUN_MAKE_KERNEL_H_

#include <memory>

#include "runtime/run/kernel.h"

namespace dimorder {

// The kernel of any node of a verified graph; an Error names the node.
std::unique_ptr<Kernel> MakeKernel(const Graph& graph, const Node& node, const Options& options);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_RUN_MAKE_KERNEL_H_
