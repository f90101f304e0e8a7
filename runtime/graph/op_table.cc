// SPDX-License-Identifier: Apache-2.0
#include "runtime/graph/op_table.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "runtime/error.h"
#include "runtime/graph/infer.h"
#include "runtime/graph/quantization.h"

// The schemas of all ops. Copy ops carry ExecuTorch's names and arguments; convolutions and pools take their padding as
// ONNX does: all befores, then all afters, of images (top, left, bottom, right).
namespace dimorder {
namespace {

constexpr bool kCopy = true;
constexpr bool kCompute = false;

constexpr AttributeSchema Int(std::string_view name) { return {name, AttributeKind::kInt}; }
constexpr AttributeSchema Float(std::string_view name) { return {name, AttributeKind::kFloat}; }
constexpr AttributeSchema Text(std::string_view name) { return {name, AttributeKind::kString}; }
constexpr AttributeSchema Ints(std::string_view name) { return {name, AttributeKind::kInts}; }
constexpr AttributeSchema Floats(std::string_view name) { return {name, AttributeKind::kFloats}; }
constexpr AttributeSchema Must(AttributeSchema schema) { return {schema.name, schema.kind, true}; }

// NOLINTNEXTLINE(readability-function-size): it is a table
const std::vector<OpSchemaEntry>& Table() {
  static const std::vector<AttributeSchema> none;
  static const std::vector<AttributeSchema> quantization = {Must(Floats("scale")), Ints("zero_point"), Int("axis"),
                                                            Int("dtype")};
  static const std::vector<OpSchemaEntry> table = {
      {Op::kToDimOrderCopy,
       "x",
       1,
       1,
       kCopy,
       {Ints("dim_order"), Int("dtype"), Int("non_blocking")},
       InferToDimOrderCopy},
      {Op::kCloneDimOrder, "x", 1, 1, kCopy, {Ints("dim_order"), Int("non_blocking")}, InferToDimOrderCopy},
      {Op::kEmptyDimOrder, "", 0, 0, kCopy, {Must(Ints("size")), Ints("dim_order"), Int("dtype")}, InferEmptyDimOrder},
      {Op::kToCopy, "x", 1, 1, kCopy, {Text("memory_format"), Int("dtype")}, InferToCopy},
      {Op::kPermuteCopy, "x", 1, 1, kCopy, {Must(Ints("dims"))}, InferPermute},
      {Op::kTransposeCopy, "x", 1, 1, kCopy, {Must(Int("dim0")), Must(Int("dim1"))}, InferTranspose},
      {Op::kTCopy, "x", 1, 1, kCopy, none, InferT},
      {Op::kViewCopy, "x", 1, 1, kCopy, {Must(Ints("size"))}, InferView},
      {Op::kSqueezeCopy, "x", 1, 1, kCopy, {Ints("dims")}, InferSqueeze},
      {Op::kUnsqueezeCopy, "x", 1, 1, kCopy, {Must(Int("dim"))}, InferUnsqueeze},
      {Op::kExpandCopy, "x", 1, 1, kCopy, {Must(Ints("size")), Int("implicit")}, InferExpand},
      {Op::kSliceCopy, "x", 1, 1, kCopy, {Must(Int("dim")), Int("start"), Int("end"), Int("step")}, InferSlice},
      {Op::kSelectCopy, "x", 1, 1, kCopy, {Must(Int("dim")), Must(Int("index"))}, InferSelect},
      {Op::kCat, "x", 1, kAnyNumber, kCopy, {Int("dim")}, InferCat},
      {Op::kStack, "x", 1, kAnyNumber, kCopy, {Int("dim")}, InferStack},
      {Op::kFlip, "x", 1, 1, kCopy, {Must(Ints("dims"))}, InferFlip},
      {Op::kPixelShuffle, "x", 1, 1, kCopy, {Must(Int("upscale_factor")), Text("mode")}, InferPixelShuffle},
      {Op::kPixelUnshuffle, "x", 1, 1, kCopy, {Must(Int("downscale_factor")), Text("mode")}, InferPixelUnshuffle},
      {Op::kQuantize, "x", 1, 1, kCompute, quantization, InferQuantize},
      {Op::kDequantize, "x", 1, 1, kCompute, quantization, InferDequantize},
      {Op::kConv2d,
       "x, weight, bias",
       2,
       3,
       kCompute,
       {Ints("stride"), Ints("padding"), Ints("dilation"), Int("groups")},
       InferConv2d},
      {Op::kConvTranspose2d,
       "x, weight, bias",
       2,
       3,
       kCompute,
       {Ints("stride"), Ints("padding"), Ints("dilation"), Int("groups"), Ints("output_padding")},
       InferConvTranspose2d},
      {Op::kMaxPool2d,
       "x",
       1,
       1,
       kCompute,
       {Must(Ints("kernel")), Ints("stride"), Ints("padding"), Ints("dilation"), Int("ceil_mode")},
       InferMaxPool2d},
      {Op::kMaxPoolIndices,
       "x",
       1,
       1,
       kCompute,
       {Must(Ints("kernel")), Ints("stride"), Ints("padding"), Ints("dilation"), Int("ceil_mode"), Int("column_major")},
       InferMaxPoolIndices},
      {Op::kAvgPool2d,
       "x",
       1,
       1,
       kCompute,
       {Must(Ints("kernel")), Ints("stride"), Ints("padding"), Ints("dilation"), Int("ceil_mode"),
        Int("count_include_pad")},
       InferAvgPool2d},
      {Op::kGlobalMaxPool, "x", 1, 1, kCompute, none, InferGlobalPool},
      {Op::kGlobalAvgPool, "x", 1, 1, kCompute, none, InferGlobalPool},
      {Op::kAdd, "a, b", 2, 2, kCompute, none, InferBinary},
      {Op::kSub, "a, b", 2, 2, kCompute, none, InferBinary},
      {Op::kMul, "a, b", 2, 2, kCompute, none, InferBinary},
      {Op::kDiv, "a, b", 2, 2, kCompute, none, InferBinary},
      {Op::kRelu, "x", 1, 1, kCompute, none, InferUnary},
      {Op::kClip, "x", 1, 1, kCompute, {Float("min"), Float("max")}, InferUnary},
      {Op::kLeakyRelu, "x", 1, 1, kCompute, {Float("alpha")}, InferUnaryFloat},
      {Op::kSigmoid, "x", 1, 1, kCompute, none, InferUnaryFloat},
      {Op::kHardswish, "x", 1, 1, kCompute, none, InferUnaryFloat},
      {Op::kTanh, "x", 1, 1, kCompute, none, InferUnaryFloat},
      {Op::kExp, "x", 1, 1, kCompute, none, InferUnaryFloat},
      {Op::kSoftmax, "x", 1, 1, kCompute, {Int("dim")}, InferSoftmax},
      {Op::kBatchNorm, "x, scale, bias, mean, variance", 5, 5, kCompute, {Float("epsilon")}, InferBatchNorm},
      {Op::kMatmul, "a, b", 2, 2, kCompute, none, InferMatmul},
      {Op::kGemm,
       "a, b, c",
       2,
       3,
       kCompute,
       {Float("alpha"), Float("beta"), Int("trans_a"), Int("trans_b")},
       InferGemm},
      {Op::kMean, "x", 1, 1, kCompute, {Ints("dims"), Int("keepdim")}, InferMean},
      {Op::kPad, "x", 1, 1, kCompute, {Must(Ints("pads")), Text("mode"), Float("value")}, InferPad},
      {Op::kResize,
       "x",
       1,
       1,
       kCompute,
       {Must(Ints("size")), Floats("scales"), Text("mode"), Text("coordinates"), Text("nearest"), Float("cubic_a"),
        Int("exclude_outside"), Floats("roi"), Float("extrapolation")},
       InferResize},
      {Op::kDropout, "x", 1, 1, kCopy, none, InferUnary},
  };
  return table;
}

constexpr const char* kNames[] = {
#define DIMORDER_OP(op, name) name,
#include "dimorder/ops.inc"
#undef DIMORDER_OP
};

const char* KindName(AttributeKind kind) {
  constexpr const char* kKinds[] = {"int", "float", "string", "ints", "floats"};
  return kKinds[static_cast<size_t>(kind)];
}

void CheckAttributes(const OpSchemaEntry& schema, const Attributes& attributes) {
  for (const auto& [name, value] : attributes.all()) {
    const auto known = std::ranges::find(schema.attributes, std::string_view(name), &AttributeSchema::name);
    if (known == schema.attributes.end()) Fail("has no attribute '" + name + "'");
    if (value.index() != static_cast<size_t>(known->kind)) {
      Fail("attribute '" + name + "' is not of type " + KindName(known->kind));
    }
  }
  for (const AttributeSchema& attribute : schema.attributes) {
    if (attribute.required && !attributes.Has(attribute.name)) {
      Fail("needs attribute '" + std::string(attribute.name) + "'");
    }
  }
}

void CheckInputCount(const OpSchemaEntry& schema, size_t n) {
  if (static_cast<int>(n) < schema.min_inputs || (schema.max_inputs >= 0 && static_cast<int>(n) > schema.max_inputs)) {
    Fail("takes " + std::to_string(schema.min_inputs) +
         (schema.max_inputs < 0 ? " or more" : " to " + std::to_string(schema.max_inputs)) + " inputs, not " +
         std::to_string(n));
  }
}

// Of a graph that need not be one; null for an input that is left out.
const TensorType* InputType(const Graph& graph, const Node& node, const OpSchemaEntry& schema, size_t i) {
  const ValueId id = node.inputs[i];
  const bool optional = static_cast<int>(i) >= schema.min_inputs && schema.max_inputs != kAnyNumber;
  if (id == kNoValue && optional) return nullptr;
  const std::string name = "input " + std::to_string(i);
  if (id < 0 || id >= static_cast<ValueId>(graph.values.size())) Fail(name + " is no value");
  const TensorType& type = graph.values[static_cast<size_t>(id)].type;
  In(name, [&] { Check(CheckTensorType(type)); });
  return &type;
}

// What the integers that a copy op moves still stand for. Those that it makes of others by a cast are just numbers.
Quantization CopiedQuantization(Op op, std::span<const TensorType* const> inputs, DataType dtype) {
  if (inputs.empty() || inputs[0]->dtype != dtype) return {};
  const Quantization& q = inputs[0]->quantization;
  for (const TensorType* input : inputs) {
    if (input->quantization == q) continue;
    Fail("inputs differ in quantization: " + ToString(*inputs[0]) + ", " + ToString(*input));
  }
  const bool keeps_axes =
      op == Op::kToDimOrderCopy || op == Op::kCloneDimOrder || op == Op::kToCopy || op == Op::kDropout;
  if (q.scales.size() > 1 && !keeps_axes) Fail("does not move the axis of " + ToString(*inputs[0]));
  return q;
}

}  // namespace

bool IsOp(Op op) { return static_cast<size_t>(op) < std::size(kNames); }

const OpSchemaEntry& GetOpSchema(Op op) { return Table()[static_cast<size_t>(op)]; }

TensorType InferType(const Graph& graph, const Node& node) {
  if (!IsOp(node.op)) Fail("op " + std::to_string(static_cast<int>(node.op)) + " is unknown");
  const OpSchemaEntry& schema = GetOpSchema(node.op);
  CheckInputCount(schema, node.inputs.size());
  CheckAttributes(schema, node.attributes);
  std::vector<const TensorType*> types;
  std::vector<TensorType> numbers;  // what quantized operands stand for
  numbers.reserve(node.inputs.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    types.push_back(InputType(graph, node, schema, i));
    if (!types.back() || !types.back()->quantized() || !ComputesWithNumbers(node.op)) continue;
    types.back() = &numbers.emplace_back(DataType::kF32, types.back()->sizes, types.back()->dim_order);
  }
  TensorType type = schema.infer({types, node.attributes});
  if (schema.copy) type.quantization = CopiedQuantization(node.op, types, type.dtype);
  Check(CheckTensorType(type));
  return type;
}

inline namespace v1 {

const char* OpName(Op op) noexcept { return IsOp(op) ? kNames[static_cast<size_t>(op)] : "unknown"; }

std::optional<Op> ParseOp(std::string_view name) noexcept {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<Op>(i);
  }
  return std::nullopt;
}

bool IsCopyOp(Op op) noexcept { return IsOp(op) && GetOpSchema(op).copy; }

std::string OpSchema(Op op) {
  if (!IsOp(op)) return "unknown";
  const OpSchemaEntry& schema = GetOpSchema(op);
  std::string text = std::string(OpName(op)) + "(" + std::string(schema.inputs);
  if (schema.max_inputs == kAnyNumber) text += "...";
  for (size_t i = 0; i < schema.attributes.size(); ++i) {
    const AttributeSchema& attribute = schema.attributes[i];
    text += i ? ", " : "; ";
    text += std::string(attribute.name) + (attribute.required ? ": " : "?: ") + KindName(attribute.kind);
  }
  return text + ")";
}

GraphResult<TensorType> InferOutput(const Graph& graph, const Node& node) noexcept {
  return Guarded([&]() -> GraphResult<TensorType> { return InferType(graph, node); });
}

}  // namespace v1
}  // namespace dimorder
