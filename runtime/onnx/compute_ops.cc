// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/graph/infer.h"
#include "runtime/onnx/node_import.h"

namespace dimorder {
namespace {

template <Op kOp>
void ImportUnary(NodeImport& node) {
  node.Ignore("consumed_inputs");
  node.Finish(kOp, {node.Input(0)});
}

// Opset 6 broadcasts only when it says so, and from an axis on.
ValueId SecondOperand(NodeImport& node) {
  const ValueId b = node.Input(1);
  if (node.opset() >= 7 || node.Int("broadcast", 0) == 0 || !node.HasAttribute("axis")) return b;
  const size_t rank = node.InputType(0).rank();
  std::vector<int64_t> sizes = node.Type(b).sizes;
  const int64_t axis = NormalizeAxis(node.Int("axis", 0), rank);
  if (static_cast<size_t>(axis) + sizes.size() > rank) Fail("the second operand does not fit at its axis");
  sizes.resize(rank - static_cast<size_t>(axis), 1);
  return node.Add(Op::kViewCopy, {b}, Attributes().SetInts("size", std::move(sizes)));
}

template <Op kOp>
void ImportBinary(NodeImport& node) {
  node.Finish(kOp, {node.Input(0), SecondOperand(node)});
}

void ImportSum(NodeImport& node) {
  if (node.num_inputs() == 1) return node.Finish(Op::kCloneDimOrder, {node.Input(0)});
  ValueId sum = node.Input(0);
  for (size_t i = 1; i + 1 < node.num_inputs(); ++i) sum = node.Add(Op::kAdd, {sum, node.Input(i)});
  node.Finish(Op::kAdd, {sum, node.Input(node.num_inputs() - 1)});
}

void ImportClip(NodeImport& node) {
  Attributes attributes;
  const auto bound = [&](const char* name, size_t input) {
    if (node.opset() < 11) {
      if (node.HasAttribute(name)) attributes.SetFloat(name, node.Float(name, 0));
    } else if (node.Has(input)) {
      const auto values = node.ConstantFloats(input);
      if (values.size() != 1) Fail(std::string(name) + " is no scalar");
      attributes.SetFloat(name, values[0]);
    }
  };
  bound("min", 1);
  bound("max", 2);
  node.Finish(Op::kClip, {node.Input(0)}, attributes);
}

void ImportLeakyRelu(NodeImport& node) {
  node.Finish(Op::kLeakyRelu, {node.Input(0)}, Attributes().SetFloat("alpha", node.Float("alpha", 0.01)));
}

// Before opset 13 all axes from `axis` on are one.
void ImportSoftmax(NodeImport& node) {
  const ValueId x = node.Input(0);
  const auto sizes = node.Type(x).sizes;
  const int64_t axis = NormalizeAxis(node.Int("axis", node.opset() < 13 ? 1 : -1), sizes.size());
  if (node.opset() >= 13 || static_cast<size_t>(axis) + 1 == sizes.size()) {
    return node.Finish(Op::kSoftmax, {x}, Attributes().SetInt("dim", axis));
  }
  const int64_t rows = std::accumulate(sizes.begin(), sizes.begin() + axis, int64_t{1}, std::multiplies<>());
  const int64_t columns = std::accumulate(sizes.begin() + axis, sizes.end(), int64_t{1}, std::multiplies<>());
  const ValueId flat = node.Add(Op::kViewCopy, {x}, Attributes().SetInts("size", {rows, columns}));
  const ValueId soft = node.Add(Op::kSoftmax, {flat}, Attributes().SetInt("dim", 1));
  node.Finish(Op::kViewCopy, {soft}, Attributes().SetInts("size", sizes));
}

void ImportBatchNormalization(NodeImport& node) {
  node.Ignore("momentum");
  node.Ignore("is_test");
  node.Ignore("consumed_inputs");
  if (node.Int("spatial", 1) != 1) FailUnsupported("statistics per element are not supported");
  if (node.Int("training_mode", 0) != 0 || node.WantsOutput(1)) FailUnsupported("training is not supported");
  node.Finish(Op::kBatchNorm, {node.Input(0), node.Input(1), node.Input(2), node.Input(3), node.Input(4)},
              Attributes().SetFloat("epsilon", node.Float("epsilon", 1e-5)));
}

void ImportMatMul(NodeImport& node) { node.Finish(Op::kMatmul, {node.Input(0), node.Input(1)}); }

void ImportGemm(NodeImport& node) {
  node.Ignore("broadcast");
  std::vector<ValueId> inputs = {node.Input(0), node.Input(1)};
  if (node.Has(2)) inputs.push_back(node.Input(2));
  node.Finish(Op::kGemm, inputs,
              Attributes()
                  .SetFloat("alpha", node.Float("alpha", 1))
                  .SetFloat("beta", node.Float("beta", 1))
                  .SetInt("trans_a", node.Int("transA", 0))
                  .SetInt("trans_b", node.Int("transB", 0)));
}

void ImportReduceMean(NodeImport& node) {
  Attributes attributes = Attributes().SetInt("keepdim", node.Int("keepdims", 1));
  // None, as an empty list, is all of them.
  if (const auto axes = node.Ints("axes"); !axes.empty()) attributes.SetInts("dims", axes);
  node.Finish(Op::kMean, {node.Input(0)}, attributes);
}

void ImportPad(NodeImport& node) {
  Attributes attributes = Attributes().SetString("mode", node.String("mode", "constant"));
  if (node.opset() < 11) {
    attributes.SetInts("pads", node.Ints("pads")).SetFloat("value", node.Float("value", 0));
  } else {
    attributes.SetInts("pads", node.ConstantInts(1));
    const auto value = node.Has(2) ? node.ConstantFloats(2) : std::vector<double>{0};
    if (value.size() != 1) Fail("the value is no scalar");
    attributes.SetFloat("value", value[0]);
  }
  node.Finish(Op::kPad, {node.Input(0)}, attributes);
}

}  // namespace

const OnnxOp kOnnxComputeOps[] = {
    {"Add", ImportBinary<Op::kAdd>},
    {"BatchNormalization", ImportBatchNormalization},
    {"Clip", ImportClip},
    {"Div", ImportBinary<Op::kDiv>},
    {"Exp", ImportUnary<Op::kExp>},
    {"Gemm", ImportGemm},
    {"HardSwish", ImportUnary<Op::kHardswish>, 14},
    {"LeakyRelu", ImportLeakyRelu},
    {"MatMul", ImportMatMul},
    {"Mul", ImportBinary<Op::kMul>},
    {"Pad", ImportPad},
    {"ReduceMean", ImportReduceMean},
    {"Relu", ImportUnary<Op::kRelu>},
    {"Sigmoid", ImportUnary<Op::kSigmoid>},
    {"Softmax", ImportSoftmax},
    {"Sub", ImportBinary<Op::kSub>},
    {"Sum", ImportSum},
    {"Tanh", ImportUnary<Op::kTanh>},
    {nullptr, nullptr},
};

}  // namespace dimorder
