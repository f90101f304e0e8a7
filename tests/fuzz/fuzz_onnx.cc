// SPDX-License-Identifier: Apache-2.0
// Models for ImportOnnx: what is taken is a graph that verifies, compiles under every policy or says why not, by
// XNNPACK, too, and whose texts can be made. The input either is the model, or overwrites bytes of a right one.
#include <onnx/onnx_pb.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "dimorder/onnx.h"
#include "dimorder/program.h"
#if defined(DIMORDER_HAS_XNNPACK)
#include "dimorder/xnnpack.h"
#endif

namespace dimorder::test {
namespace {

void Require(bool condition, const std::string& what) {
  if (condition) return;
  std::fprintf(stderr, "mismatch: %s\n", what.c_str());
  std::abort();
}

onnx::NodeProto* AddNode(onnx::GraphProto& graph, const char* op, std::initializer_list<const char*> inputs,
                         const char* output) {
  onnx::NodeProto* node = graph.add_node();
  node->set_op_type(op);
  for (const char* input : inputs) node->add_input(input);
  node->add_output(output);
  return node;
}

void AddInts(onnx::NodeProto& node, const char* name, std::initializer_list<int64_t> ints) {
  onnx::AttributeProto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INTS);
  for (int64_t i : ints) attribute->add_ints(i);
}

void AddInt(onnx::NodeProto& node, const char* name, int64_t i) {
  onnx::AttributeProto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(i);
}

// A model of an image x and its output y.
onnx::ModelProto NewModel(int opset) {
  onnx::ModelProto model;
  model.add_opset_import()->set_version(opset);
  auto& input = *model.mutable_graph()->add_input();
  input.set_name("x");
  auto& type = *input.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  for (int64_t size : {1, 2, 5, 4}) type.mutable_shape()->add_dim()->set_dim_value(size);
  model.mutable_graph()->add_output()->set_name("y");
  return model;
}

onnx::TensorProto& AddConstant(onnx::GraphProto& graph, const char* name, int type,
                               std::initializer_list<int64_t> sizes) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(type);
  for (int64_t size : sizes) tensor.add_dims(size);
  return tensor;
}

// Some of everything: a convolution, a pool, a permute, a slice, a reshape.
std::string RightModel() {
  onnx::ModelProto model = NewModel(9);
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::TensorProto& weight = AddConstant(graph, "w", onnx::TensorProto::FLOAT, {2, 1, 3, 3});
  for (int i = 0; i < 18; ++i) weight.add_float_data(static_cast<float>(i));
  onnx::TensorProto& shape = AddConstant(graph, "s", onnx::TensorProto::INT64, {2});
  shape.add_int64_data(0);
  shape.add_int64_data(-1);
  onnx::NodeProto* conv = AddNode(graph, "Conv", {"x", "w"}, "c");
  AddInts(*conv, "pads", {1, 1, 1, 1});
  AddInt(*conv, "group", 2);
  AddInts(*AddNode(graph, "MaxPool", {"c"}, "p"), "kernel_shape", {2, 2});
  AddInts(*AddNode(graph, "Transpose", {"p"}, "t"), "perm", {0, 2, 3, 1});
  onnx::NodeProto* slice = AddNode(graph, "Slice", {"t"}, "l");
  AddInts(*slice, "starts", {1});
  AddInts(*slice, "ends", {3});
  AddInts(*slice, "axes", {1});
  AddNode(graph, "Reshape", {"l", "s"}, "y");
  return model.SerializeAsString();
}

// On integers: a convolution with scales per channel, relu, a mean.
std::string QuantizedModel() {
  onnx::ModelProto model = NewModel(13);
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::TensorProto& weight = AddConstant(graph, "w", onnx::TensorProto::INT8, {2, 2, 3, 3});
  for (int i = 0; i < 36; ++i) weight.add_int32_data(i);
  onnx::TensorProto& bias = AddConstant(graph, "b", onnx::TensorProto::INT32, {2});
  onnx::TensorProto& scales = AddConstant(graph, "ss", onnx::TensorProto::FLOAT, {2});
  for (int i = 1; i <= 2; ++i) bias.add_int32_data(i);
  for (int i = 1; i <= 2; ++i) scales.add_float_data(static_cast<float>(i) / 16);
  AddConstant(graph, "s", onnx::TensorProto::FLOAT, {}).add_float_data(0.5f);
  AddConstant(graph, "z", onnx::TensorProto::UINT8, {}).add_int32_data(120);
  AddNode(graph, "QuantizeLinear", {"x", "s", "z"}, "q");
  AddNode(graph, "DequantizeLinear", {"q", "s", "z"}, "d");
  AddInt(*AddNode(graph, "DequantizeLinear", {"w", "ss"}, "f"), "axis", 0);
  AddInt(*AddNode(graph, "DequantizeLinear", {"b", "ss"}, "g"), "axis", 0);
  AddNode(graph, "Conv", {"d", "f", "g"}, "c");
  AddNode(graph, "Relu", {"c"}, "r");
  AddNode(graph, "QuantizeLinear", {"r", "s", "z"}, "i");
  AddNode(graph, "DequantizeLinear", {"i", "s", "z"}, "j");
  AddNode(graph, "GlobalAveragePool", {"j"}, "m");
  AddNode(graph, "QuantizeLinear", {"m", "s", "z"}, "y");
  return model.SerializeAsString();
}

// Compiles the graph and makes a context, which is where XNNPACK looks at its part.
void CheckCompiled(const Graph& graph, const CompileOptions& options) {
  const auto program = Program::Create(graph, options);
  if (!program.ok()) return Require(!program.status().message().empty(), "an error without a text");
  Require(Verify(program->graph()).ok(), "a compiled graph that does not verify");
  Require(!ToText(program->graph()).empty() && !ToDot(program->graph()).empty(), "no text");
  const auto context = program->NewContext();
  Require(context.ok() || !context.status().message().empty(), "an error without a text");
}

const Delegate* Xnnpack() {
#if defined(DIMORDER_HAS_XNNPACK)
  static const auto made = NewXnnpackDelegate();
  return made.ok() ? made->get() : nullptr;
#else
  return nullptr;
#endif
}

void Check(const std::string& bytes) {
  const auto graph = ImportOnnx(std::as_bytes(std::span(bytes)), {.batch = 1, .constants = {}, .max_bytes = 1 << 16});
  if (!graph.ok()) return Require(!graph.status().message().empty(), "an error without a text");
  Require(Verify(*graph).ok(), "an imported graph that does not verify");
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    CheckCompiled(*graph, {.layout = static_cast<LayoutPolicy>(policy)});
  }
  if (Xnnpack()) CheckCompiled(*graph, {.delegates = {Xnnpack()}});
}

}  // namespace
}  // namespace dimorder::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using dimorder::test::Check;
  static const std::string models[] = {dimorder::test::RightModel(), dimorder::test::QuantizedModel()};
  if (size != 0 && data[0] % 8 == 0) {
    Check(std::string(reinterpret_cast<const char*>(data + 1), size - 1));
    return 0;
  }
  std::string model = models[size != 0 && data[0] % 2];
  for (size_t i = 0; i + 1 < size && i < 12; i += 2) {
    model[data[i] * model.size() / 256] = static_cast<char>(data[i + 1]);
  }
  Check(model);
  return 0;
}
