// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_COPY_LOWER_H_
#define DIMORDER_RUNTIME_COPY_LOWER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "runtime/copy/value_change.h"
#include "runtime/copy/view.h"

namespace dimorder {

// What a step reads or writes: an input of the node, by index, or one of these.
inline constexpr int kStepOutput = -1;
inline constexpr int kStepScratch = -2;

// Elements from one view to another of the same sizes.
struct MoveStep {
  int from;
  int to;
  View src;
  View dst;
  int64_t element_bytes;
};

// Elements in the order in which they lie in memory; only their values change.
struct ChangeStep {
  int from;
  int to;
  ValueChange change;
};

// A copy op as the moves and changes that it consists of, one after the other.
struct CopySteps {
  std::vector<std::variant<MoveStep, ChangeStep>> steps;
  int64_t scratch_bytes = 0;
};

// For the ops that do no more than permute axes: which one of the input each one of the output is.
std::optional<std::vector<int64_t>> PermutedAxes(const Node& node, size_t rank);

// Whether LowerCopy knows the op: the copy ops, quantize and dequantize.
bool IsLowered(Op op);

// For any dim orders of inputs and output, which has the type that the op makes of its inputs.
CopySteps LowerCopy(const Node& node, std::span<const TensorType* const> inputs, const TensorType& output);

// The dim_order of the output with which the op moves no byte: its output is its input seen in another way. None where
// no order does that, or where values change.
std::optional<DimOrder> RenameOutputOrder(const Node& node, const TensorType& input, const TensorType& output);
// The same the other way round: the input's order with which the output in its order is a rename.
std::optional<DimOrder> RenameInputOrder(const Node& node, const TensorType& input, const TensorType& output);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_COPY_LOWER_H_
