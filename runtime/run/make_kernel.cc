// SPDX-License-Identifier: Apache-2.0
#include "runtime/run/make_kernel.h"

#include <string>
#include <utility>

#include "runtime/copy/lower.h"
#include "runtime/error.h"

namespace dimorder {

std::unique_ptr<Kernel> MakeKernel(const Graph& graph, const Node& node, const Options& options) {
  std::vector<const TensorType*> inputs;
  for (ValueId id : node.inputs) {
    inputs.push_back(id == kNoValue ? nullptr : &graph.values[static_cast<size_t>(id)].type);
  }
  const TensorType& output = graph.values[static_cast<size_t>(node.output)].type;
  return In("node '" + node.name + "' (" + OpName(node.op) + ")", [&] {
    return IsLowered(node.op) ? MakeCopyKernel(node, std::move(inputs), output, options)
                              : MakeReferenceKernel(node, inputs, output);
  });
}

}  // namespace dimorder
