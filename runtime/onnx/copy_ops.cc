// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/error.h"
#include "runtime/graph/infer.h"
#include "runtime/onnx/node_import.h"
#include "runtime/onnx/tensor_proto.h"

namespace dimorder {
namespace {

// What older opsets have as an attribute and newer ones as an input.
std::vector<int64_t> IntsFrom(NodeImport& node, const char* name, size_t input, int64_t input_since) {
  if (node.opset() < input_since) return node.Ints(name);
  return node.Has(input) ? node.ConstantInts(input) : std::vector<int64_t>();
}

int64_t Product(const std::vector<int64_t>& sizes, size_t begin, size_t end) {
  return std::accumulate(sizes.begin() + static_cast<ptrdiff_t>(begin), sizes.begin() + static_cast<ptrdiff_t>(end),
                         int64_t{1}, [](int64_t a, int64_t b) { return a * b; });
}

void ImportIdentity(NodeImport& node) { node.Finish(Op::kCloneDimOrder, {node.Input(0)}); }

void ImportDropout(NodeImport& node) {
  node.Ignore("ratio");
  node.Ignore("seed");
  node.Ignore("is_test");
  const bool training = node.Has(2) && node.ConstantInts(2) != std::vector<int64_t>{0};
  const bool drops = !node.Has(1) || node.ConstantFloats(1) != std::vector<double>{0};
  if (training && drops) FailUnsupported("training is not supported");
  node.Finish(Op::kDropout, {node.Input(0)});
  if (!node.WantsOutput(1)) return;
  TensorData mask;  // of what is kept: all
  mask.type = TensorType(DataType::kBool, node.InputType(0).sizes);
  node.ChargeFilled(NumBytes(mask.type));
  mask.bytes.assign(static_cast<size_t>(NumBytes(mask.type)), std::byte{1});
  node.FinishConstant(std::move(mask), 1);
}

void ImportTranspose(NodeImport& node) {
  std::vector<int64_t> reversed(node.InputType(0).rank());
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  node.Finish(Op::kPermuteCopy, {node.Input(0)}, Attributes().SetInts("dims", node.Ints("perm", reversed)));
}

void FinishView(NodeImport& node, std::vector<int64_t> sizes) {
  node.Finish(Op::kViewCopy, {node.Input(0)}, Attributes().SetInts("size", std::move(sizes)));
}

void ImportReshape(NodeImport& node) {
  std::vector<int64_t> sizes = node.ConstantInts(1);
  const bool zero_is_zero = node.Int("allowzero", 0) != 0;
  const auto& from = node.InputType(0).sizes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != 0 || zero_is_zero) continue;
    if (i >= from.size()) Fail("shape copies an axis that there is not");
    sizes[i] = from[i];
  }
  FinishView(node, std::move(sizes));
}

void ImportFlatten(NodeImport& node) {
  const auto& sizes = node.InputType(0).sizes;
  int64_t axis = node.Int("axis", 1);
  if (axis < 0) axis += static_cast<int64_t>(sizes.size());
  if (axis < 0 || axis > static_cast<int64_t>(sizes.size())) Fail("axis is out of range");
  const auto at = static_cast<size_t>(axis);
  FinishView(node, {Product(sizes, 0, at), Product(sizes, at, sizes.size())});
}

void ImportSqueeze(NodeImport& node) {
  const auto axes = IntsFrom(node, "axes", 1, 13);
  const auto& sizes = node.InputType(0).sizes;
  for (int64_t axis : NormalizeAxes(axes, sizes.size())) {
    if (sizes[static_cast<size_t>(axis)] != 1) Fail("squeezes an axis that is not of size 1");
  }
  Attributes attributes;
  if (node.HasAttribute("axes") || node.Has(1)) attributes.SetInts("dims", axes);
  node.Finish(Op::kSqueezeCopy, {node.Input(0)}, attributes);
}

void ImportUnsqueeze(NodeImport& node) {
  const auto axes = IntsFrom(node, "axes", 1, 13);
  if (axes.size() > kMaxRank) Fail("adds more than 32 axes");
  std::vector<int64_t> sizes = node.InputType(0).sizes;
  std::vector<int64_t> normal = NormalizeAxes(axes, sizes.size() + axes.size());
  std::ranges::sort(normal);
  for (int64_t axis : normal) sizes.insert(sizes.begin() + axis, 1);
  FinishView(node, std::move(sizes));
}

void ImportExpand(NodeImport& node) {
  const auto sizes = BroadcastSizes(node.InputType(0).sizes, node.ConstantInts(1));
  node.Finish(Op::kExpandCopy, {node.Input(0)}, Attributes().SetInts("size", sizes));
}

void ImportConcat(NodeImport& node) {
  std::vector<ValueId> inputs;
  for (size_t i = 0; i < node.num_inputs(); ++i) inputs.push_back(node.Input(i));
  if (!node.HasAttribute("axis")) Fail("needs attribute axis");
  node.Finish(Op::kCat, inputs, Attributes().SetInt("dim", node.Int("axis", 0)));
}

void ImportSlice(NodeImport& node) {
  const auto starts = IntsFrom(node, "starts", 1, 10);
  const auto ends = IntsFrom(node, "ends", 2, 10);
  std::vector<int64_t> axes = IntsFrom(node, "axes", 3, 10);
  std::vector<int64_t> steps = node.opset() >= 10 && node.Has(4) ? node.ConstantInts(4) : std::vector<int64_t>();
  if (axes.empty()) {
    axes.resize(starts.size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (steps.empty()) steps.assign(starts.size(), 1);
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size()) {
    Fail("starts, ends, axes and steps differ in length");
  }
  NormalizeAxes(axes, node.InputType(0).rank());
  if (starts.empty()) return ImportIdentity(node);
  ValueId x = node.Input(0);
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto attributes =
        Attributes().SetInt("dim", axes[i]).SetInt("start", starts[i]).SetInt("end", ends[i]).SetInt("step", steps[i]);
    if (i + 1 == starts.size()) {
      node.Finish(Op::kSliceCopy, {x}, attributes);
    } else {
      x = node.Add(Op::kSliceCopy, {x}, attributes);
    }
  }
}

void ImportSplit(NodeImport& node) {
  const TensorType& type = node.InputType(0);
  const int64_t axis = NormalizeAxis(node.Int("axis", 0), type.rank());
  const int64_t size = type.sizes[static_cast<size_t>(axis)];
  std::vector<int64_t> parts = IntsFrom(node, "split", 1, 13);
  const auto n = static_cast<int64_t>(node.num_outputs());
  if (parts.empty()) {
    if (size % n != 0) Fail("an axis of " + std::to_string(size) + " does not split into " + std::to_string(n));
    parts.assign(static_cast<size_t>(n), size / n);
  }
  if (static_cast<int64_t>(parts.size()) != n) Fail("split has not one size per output");
  int64_t left = size;
  for (int64_t part : parts) {
    if (part < 0 || part > left) Fail("split " + Join(parts) + " does not sum up to " + std::to_string(size));
    left -= part;
  }
  if (left != 0) Fail("split " + Join(parts) + " does not sum up to " + std::to_string(size));
  int64_t start = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto attributes = Attributes().SetInt("dim", axis).SetInt("start", start).SetInt("end", start + parts[i]);
    start += parts[i];
    if (node.HasOutput(i)) node.Finish(Op::kSliceCopy, {node.Input(0)}, attributes, i);
  }
}

void ImportDepthToSpace(NodeImport& node) {
  const std::string mode = node.String("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") Fail("mode '" + mode + "' is none");
  node.Finish(
      Op::kPixelShuffle, {node.Input(0)},
      Attributes().SetInt("upscale_factor", node.Int("blocksize", 0)).SetString("mode", mode == "DCR" ? "dcr" : "crd"));
}

void ImportSpaceToDepth(NodeImport& node) {
  node.Finish(Op::kPixelUnshuffle, {node.Input(0)},
              Attributes().SetInt("downscale_factor", node.Int("blocksize", 0)).SetString("mode", "dcr"));
}

void ImportCast(NodeImport& node) {
  const DataType to = FromOnnxType(static_cast<int32_t>(std::clamp<int64_t>(node.Int("to", 0), 0, INT32_MAX)));
  node.Finish(Op::kToDimOrderCopy, {node.Input(0)}, Attributes().SetInt("dtype", static_cast<int64_t>(to)));
}

template <class T>
TensorData Numbers(DataType dtype, const std::vector<T>& values, bool scalar) {
  TensorData tensor;
  tensor.type = TensorType(dtype, scalar ? std::vector<int64_t>() : std::vector{static_cast<int64_t>(values.size())});
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  tensor.bytes.assign(bytes, bytes + values.size() * sizeof(T));
  return tensor;
}

void ImportConstant(NodeImport& node) {
  const auto floats = [&](const std::vector<double>& values, bool scalar) {
    node.FinishConstant(Numbers(DataType::kF32, std::vector<float>(values.begin(), values.end()), scalar));
  };
  if (const auto* value = node.TensorAttribute("value")) return node.FinishConstant(FromTensorProto(*value));
  if (node.HasAttribute("value_float")) return floats({node.Float("value_float", 0)}, true);
  if (node.HasAttribute("value_floats")) return floats(node.Floats("value_floats"), false);
  if (node.HasAttribute("value_int")) {
    return node.FinishConstant(Numbers(DataType::kI64, std::vector{node.Int("value_int", 0)}, true));
  }
  if (node.HasAttribute("value_ints")) {
    return node.FinishConstant(Numbers(DataType::kI64, node.Ints("value_ints"), false));
  }
  FailUnsupported("the constant is of an unknown kind");
}

// A constant filled with one value, which is as large as the model says.
void ImportConstantOfShape(NodeImport& node) {
  TensorData one = Numbers(DataType::kF32, std::vector{0.0f}, false);
  if (const auto* value = node.TensorAttribute("value")) one = FromTensorProto(*value);
  if (NumElements(one.type) != 1) Fail("value has not one element");
  TensorData tensor;
  tensor.type = TensorType(one.type.dtype, node.ConstantInts(0));
  Check(CheckTensorType(tensor.type));
  node.ChargeFilled(NumBytes(tensor.type));
  tensor.bytes.reserve(static_cast<size_t>(NumBytes(tensor.type)));
  for (int64_t i = 0; i < NumElements(tensor.type); ++i) {
    tensor.bytes.insert(tensor.bytes.end(), one.bytes.begin(), one.bytes.end());
  }
  node.FinishConstant(std::move(tensor));
}

}  // namespace

const OnnxOp kOnnxCopyOps[] = {
    {"Cast", ImportCast},
    {"Concat", ImportConcat},
    {"Constant", ImportConstant},
    {"ConstantOfShape", ImportConstantOfShape},
    {"DepthToSpace", ImportDepthToSpace},
    {"Dropout", ImportDropout},
    {"Expand", ImportExpand},
    {"Flatten", ImportFlatten},
    {"Identity", ImportIdentity},
    {"Reshape", ImportReshape},
    {"Slice", ImportSlice},
    {"SpaceToDepth", ImportSpaceToDepth},
    {"Split", ImportSplit},
    {"Squeeze", ImportSqueeze},
    {"Transpose", ImportTranspose},
    {"Unsqueeze", ImportUnsqueeze},
    {nullptr, nullptr},
};

}  // namespace dimorder
