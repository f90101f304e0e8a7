// SPDX-License-Identifier: Apache-2.0
// Models for ImportOnnx: what is taken is a graph that verifies, compiles under every policy or says why not, and whose
// texts can be made. The input either is the model, or overwrites bytes of a right one.
#include <onnx/onnx_pb.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "dimorder/onnx.h"
#include "dimorder/program.h"

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

// Some of everything: a convolution, a pool, a permute, a slice, a reshape.
const std::string& RightModel() {
  static const std::string bytes = [] {
    onnx::ModelProto model;
    model.add_opset_import()->set_version(9);
    onnx::GraphProto& graph = *model.mutable_graph();
    auto& input = *graph.add_input();
    input.set_name("x");
    auto& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(1);
    for (int64_t size : {1, 2, 5, 4}) type.mutable_shape()->add_dim()->set_dim_value(size);
    onnx::TensorProto& weight = *graph.add_initializer();
    weight.set_name("w");
    weight.set_data_type(1);
    for (int64_t size : {2, 1, 3, 3}) weight.add_dims(size);
    for (int i = 0; i < 18; ++i) weight.add_float_data(static_cast<float>(i));
    onnx::TensorProto& shape = *graph.add_initializer();
    shape.set_name("s");
    shape.set_data_type(7);
    shape.add_dims(2);
    shape.add_int64_data(0);
    shape.add_int64_data(-1);
    onnx::NodeProto* conv = AddNode(graph, "Conv", {"x", "w"}, "c");
    AddInts(*conv, "pads", {1, 1, 1, 1});
    conv->add_attribute()->set_name("group");
    conv->mutable_attribute(1)->set_type(onnx::AttributeProto::INT);
    conv->mutable_attribute(1)->set_i(2);
    AddInts(*AddNode(graph, "MaxPool", {"c"}, "p"), "kernel_shape", {2, 2});
    AddInts(*AddNode(graph, "Transpose", {"p"}, "t"), "perm", {0, 2, 3, 1});
    onnx::NodeProto* slice = AddNode(graph, "Slice", {"t"}, "l");
    AddInts(*slice, "starts", {1});
    AddInts(*slice, "ends", {3});
    AddInts(*slice, "axes", {1});
    AddNode(graph, "Reshape", {"l", "s"}, "y");
    graph.add_output()->set_name("y");
    return model.SerializeAsString();
  }();
  return bytes;
}

void Check(const std::string& bytes) {
  const auto graph = ImportOnnx(std::as_bytes(std::span(bytes)), {.batch = 1, .constants = {}, .max_bytes = 1 << 16});
  if (!graph.ok()) return Require(!graph.status().message().empty(), "an error without a text");
  Require(Verify(*graph).ok(), "an imported graph that does not verify");
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    const auto program = Program::Create(*graph, {.layout = static_cast<LayoutPolicy>(policy)});
    if (!program.ok()) return Require(!program.status().message().empty(), "an error without a text");
    Require(Verify(program->graph()).ok(), "a compiled graph that does not verify");
    Require(!ToText(program->graph()).empty() && !ToDot(program->graph()).empty(), "no text");
  }
}

}  // namespace
}  // namespace dimorder::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using dimorder::test::Check;
  using dimorder::test::RightModel;
  if (size != 0 && data[0] % 8 == 0) {
    Check(std::string(reinterpret_cast<const char*>(data + 1), size - 1));
    return 0;
  }
  std::string model = RightModel();
  for (size_t i = 0; i + 1 < size && i < 12; i += 2) {
    model[data[i] * model.size() / 256] = static_cast<char>(data[i + 1]);
  }
  Check(model);
  return 0;
}
