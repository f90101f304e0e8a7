// SPDX-License-Identifier: Apache-2.0
//
// Quantization in ONNX's two formats. In the one of today, an op stands between DequantizeLinear and QuantizeLinear;
// the older one has ops of its own, QLinearConv and QLinearMatMul, which become the same here.
#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/onnx/node_import.h"

namespace dimorder {
namespace {

// From the inputs `scale` and, where there is one, `scale` + 1, the zero point: of an integer tensor of type
// `integers`.
Attributes QuantizationAttributes(NodeImport& node, size_t scale, DataType integers, int64_t axis) {
  const TensorType& type = node.InputType(scale);
  if (type.dtype != DataType::kF32) FailUnsupported(std::string("a scale is of type ") + DataTypeName(type.dtype));
  if (type.rank() > 1) Fail("scale has rank " + std::to_string(type.rank()));
  Attributes attributes;
  const auto scales = node.ConstantFloats(scale);
  attributes.SetFloats("scale", scales);
  if (scales.size() > 1) attributes.SetInt("axis", axis);
  if (!node.Has(scale + 1)) return attributes;
  const DataType zero_point = node.InputType(scale + 1).dtype;
  if (zero_point != integers) {
    Fail(std::string("zero_point is of type ") + DataTypeName(zero_point) + ", the integers of " +
         DataTypeName(integers));
  }
  return attributes.SetInts("zero_point", node.ConstantInts(scale + 1));
}

// Scales along an axis came with opset 13.
int64_t AxisOf(NodeImport& node) {
  if (node.opset() >= 13) return node.Int("axis", 1);
  if (NumElements(node.InputType(1)) != 1) Fail("has scales along an axis before opset 13");
  return 0;
}

void ImportQuantizeLinear(NodeImport& node) {
  const DataType dtype = node.Has(2) ? node.InputType(2).dtype : DataType::kU8;
  node.Finish(Op::kQuantize, {node.Input(0)},
              QuantizationAttributes(node, 1, dtype, AxisOf(node)).SetInt("dtype", static_cast<int64_t>(dtype)));
}

void ImportDequantizeLinear(NodeImport& node) {
  node.Finish(Op::kDequantize, {node.Input(0)}, QuantizationAttributes(node, 1, node.InputType(0).dtype, AxisOf(node)));
}

// Input `i`, which its scale and zero point follow.
ValueId Dequantized(NodeImport& node, size_t i, int64_t axis) {
  return node.Add(Op::kDequantize, {node.Input(i)}, QuantizationAttributes(node, i + 1, node.InputType(i).dtype, axis));
}

// Scale and zero point of the output are the inputs 6 and 7.
void FinishQuantized(NodeImport& node, ValueId numbers) {
  const DataType dtype = node.InputType(7).dtype;
  node.Finish(Op::kQuantize, {numbers},
              QuantizationAttributes(node, 6, dtype, 1).SetInt("dtype", static_cast<int64_t>(dtype)));
}

// The bias is i32 in units of the scales of input and weight.
ValueId DequantizedBias(NodeImport& node) {
  const auto inputs = node.ConstantFloats(1);
  std::vector<double> scales = node.ConstantFloats(4);
  if (inputs.size() != 1) Fail("the input has " + std::to_string(inputs.size()) + " scales");
  for (double& scale : scales) scale *= inputs[0];
  const bool channels = scales.size() > 1;
  Attributes attributes = Attributes().SetFloats("scale", std::move(scales));
  if (channels) attributes.SetInt("axis", 0);
  return node.Add(Op::kDequantize, {node.Input(8)}, attributes);
}

void ImportQLinearConv(NodeImport& node) {
  const Attributes window = ConvAttributes(node, 3);
  std::vector<ValueId> inputs = {Dequantized(node, 0, 1), Dequantized(node, 3, 0)};
  if (node.Has(8)) inputs.push_back(DequantizedBias(node));
  FinishQuantized(node, node.Add(Op::kConv2d, inputs, window));
}

void ImportQLinearMatMul(NodeImport& node) {
  const auto last = [&](size_t i) { return static_cast<int64_t>(node.InputType(i).rank()) - 1; };
  // Rows of the first matrix, columns of the second one.
  const ValueId a = Dequantized(node, 0, last(0) - 1);
  FinishQuantized(node, node.Add(Op::kMatmul, {a, Dequantized(node, 3, last(3))}));
}

}  // namespace

const OnnxOp kOnnxQuantizedOps[] = {
    {"DequantizeLinear", ImportDequantizeLinear, 10},
    {"QLinearConv", ImportQLinearConv, 10},
    {"QLinearMatMul", ImportQLinearMatMul, 10},
    {"QuantizeLinear", ImportQuantizeLinear, 10},
    {nullptr, nullptr},
};

}  // namespace dimorder
