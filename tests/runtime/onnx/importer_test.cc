// SPDX-License-Identifier: Apache-2.0
//
// Small models, written as protobuf's text: what they become, and what is said when they are wrong.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <string>

#include "dimorder/onnx.h"
#include "tests/random.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;

std::string Serialized(const std::string& graph, int opset = 13, const std::string& input_dims = "2 3 4 5") {
  std::string dims;
  for (char c : input_dims) {
    if (c == 'N') dims += "dim { dim_param: 'N' } ";
    if (c >= '0' && c <= '9') dims += std::string("dim { dim_value: ") + c + " } ";
  }
  const std::string text = "ir_version: 7 opset_import { version: " + std::to_string(opset) +
                           " } graph { name: 'g' input { name: 'x' type { tensor_type { elem_type: 1 shape { " + dims +
                           "} } } } output { name: 'y' } " + graph + " }";
  onnx::ModelProto model;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &model)) << text;
  return model.SerializeAsString();
}

GraphResult<Graph> Import(const std::string& bytes, const OnnxOptions& options = {}) {
  return ImportOnnx(std::as_bytes(std::span(bytes)), options);
}

std::string ErrorOf(const std::string& graph, int opset = 13, const std::string& dims = "2 3 4 5") {
  return Import(Serialized(graph, opset, dims)).status().message();
}

std::string Node(const std::string& op, const std::string& rest = "", const std::string& inputs = "input: 'x'") {
  return "node { name: 'n' op_type: '" + op + "' " + inputs + " output: 'y' " + rest + " } ";
}

std::string Ints(const std::string& name, const std::string& numbers) {
  return "attribute { name: '" + name + "' type: INTS ints: [" + numbers + "] } ";
}

std::string Constant(const std::string& name, const std::string& numbers) {
  const auto n = std::ranges::count(numbers, ',') + 1;
  return "initializer { name: '" + name + "' data_type: 7 dims: " + std::to_string(n) + " int64_data: [" + numbers +
         "] } ";
}

TEST(Onnx, ReadsAModel) {
  const auto graph = Import(Serialized(Node("Transpose", Ints("perm", "0, 2, 3, 1"))));
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  EXPECT_EQ(graph->values[static_cast<size_t>(graph->outputs[0])].name, "y");
  EXPECT_EQ(graph->values[static_cast<size_t>(graph->outputs[0])].type.sizes, (std::vector<int64_t>{2, 4, 5, 3}));
}

// conv -> relu -> pool -> reshape, all ones: what each output is can be said by hand.
TEST(Onnx, RunsASmallNetworkUnderAllPolicies) {
  const std::string nodes =
      "initializer { name: 'w' data_type: 1 dims: [2, 3, 1, 1] float_data: [1, 1, 1, -1, -1, -1] } "
      "initializer { name: 'b' data_type: 1 dims: 2 float_data: [0.5, 0.5] } " +
      Constant("s", "0, -1") +
      "node { op_type: 'Conv' input: ['x', 'w', 'b'] output: 'c' } "
      "node { op_type: 'Relu' input: 'c' output: 'r' } "
      "node { op_type: 'GlobalAveragePool' input: 'r' output: 'p' } "
      "node { op_type: 'Reshape' input: ['p', 's'] output: 'y' } ";
  const auto graph = Import(Serialized(nodes, 13, "N 3 4 5"), {.batch = 2});
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  TestTensor x(TensorType(DataType::kF32, {2, 3, 4, 5}));
  std::fill_n(x.as<float>(), 120, 1.0f);
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    const auto program = Program::Create(*graph, {.layout = static_cast<LayoutPolicy>(policy)});
    ASSERT_TRUE(program.ok()) << program.status().message();
    auto outputs = OutputsOf(*graph);
    ASSERT_TRUE(RunProgram(*program, {x}, outputs).ok());
    EXPECT_THAT(std::vector<float>(outputs[0].as<float>(), outputs[0].as<float>() + 4),
                testing::ElementsAre(3.5f, 0, 3.5f, 0));
  }
}

TEST(Onnx, ErrorsNameNodeOpAndOpset) {
  EXPECT_EQ(ErrorOf(Node("Einsum")), "ONNX node 'n' (Einsum, opset 13): the op is not supported");
  EXPECT_THAT(ErrorOf(Node("Relu", "domain: 'com.acme'")), HasSubstr("not supported (domain com.acme)"));
  EXPECT_THAT(ErrorOf(Node("Relu", Ints("what", "1"))), HasSubstr("(Relu, opset 13): attribute what is not supported"));
  EXPECT_THAT(ErrorOf(Node("Transpose", Ints("perm", "0, 1"))), HasSubstr("dims [0, 1] are not one per axis"));
  EXPECT_THAT(ErrorOf(Node("Transpose", "attribute { name: 'perm' type: INT i: 1 }")), HasSubstr("has the wrong type"));
  EXPECT_THAT(ErrorOf(Node("Relu"), 18), HasSubstr("opset 18 is newer than 17"));
  EXPECT_THAT(ErrorOf(Node("Relu"), 5), HasSubstr("the first opset that is supported is 6"));
  EXPECT_THAT(ErrorOf(Node("Relu"), 13, "N 3"), HasSubstr("graph input 'x': axis 0 is symbolic ('N')"));
  EXPECT_THAT(ErrorOf(Node("Relu"), 13, "2 N"), HasSubstr("axis 1 is symbolic"));
  const auto sized = Import(Serialized(Node("Relu"), 13, "2 N"), {.sizes = {{"x", {2, 7}}}});
  ASSERT_TRUE(sized.ok()) << sized.status().message();
  EXPECT_EQ(sized->values[static_cast<size_t>(sized->outputs[0])].type.sizes, (std::vector<int64_t>{2, 7}));
  EXPECT_THAT(Import(Serialized(Node("Relu"), 13, "2 N"), {.sizes = {{"x", {3, 7}}}}).status().message(),
              HasSubstr("axis 0 has size 2, not 3"));
  EXPECT_THAT(ErrorOf(Node("Reshape", "", "input: ['x', 'x']")), HasSubstr("input 'x' must be a constant"));
}

TEST(Onnx, CyclesDuplicatesAndMissingValuesAreErrors) {
  EXPECT_THAT(ErrorOf(Node("Relu", "", "input: 'y'")), HasSubstr("input 'y' is no value so far"));
  EXPECT_THAT(ErrorOf(Node("Relu") + Node("Relu")), HasSubstr("output 'y' has no name of its own"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("graph output 'y' is never made"));
  EXPECT_THAT(ErrorOf(Node("Relu", "", "")), HasSubstr("has no input 0"));
  EXPECT_THAT(ErrorOf(Node("Relu") + Constant("a", "1") + Constant("a", "1")), HasSubstr("initializer 'a'"));
}

TEST(Onnx, LyingTensorsAreErrors) {
  const auto with = [](const std::string& tensor) {
    return ErrorOf(Node("Relu") + "initializer { name: 't' " + tensor + " }");
  };
  EXPECT_THAT(with("data_type: 1 dims: 4 float_data: [1]"), HasSubstr("has 1 elements for f32[4]"));
  EXPECT_THAT(with("data_type: 1 dims: 4 raw_data: 'abc'"), HasSubstr("has 3 bytes for f32[4]"));
  EXPECT_THAT(with("data_type: 1 dims: -1 raw_data: ''"), HasSubstr("tensor 't'"));
  EXPECT_THAT(with("data_type: 1 dims: [4611686018427387904, 4] raw_data: ''"), HasSubstr("tensor 't'"));
  EXPECT_THAT(with("data_type: 8 dims: 1"), HasSubstr("ONNX data type 8 is not supported"));
  EXPECT_THAT(with("data_type: 1 dims: 1 data_location: EXTERNAL"), HasSubstr("external data"));
}

// Of a type of one's own: ONNX's number for it, the field that its numbers are in, and those.
std::string Tensor(const std::string& name, int type, const std::string& numbers, const std::string& dims = "") {
  const std::string field = type == 1 ? "float_data" : "int32_data";
  return "initializer { name: '" + name + "' data_type: " + std::to_string(type) +
         (dims.empty() ? "" : " dims: [" + dims + "]") + " " + field + ": [" + numbers + "] } ";
}

constexpr int kFloat = 1;
constexpr int kUint8 = 2;
constexpr int kInt8 = 3;

TEST(Onnx, QuantizationThatIsNoneIsAnError) {
  const auto quantized = [](const std::string& scale, const std::string& zero_point, const std::string& rest = "",
                            int opset = 13) {
    return ErrorOf(scale + zero_point + Node("QuantizeLinear", rest, "input: ['x', 's', 'z']"), opset);
  };
  const std::string scale = Tensor("s", kFloat, "0.5");
  const std::string zero_point = Tensor("z", kInt8, "3");
  EXPECT_EQ(quantized(scale, zero_point), "");
  const std::string where = "ONNX node 'n' (QuantizeLinear, opset 13): ";
  EXPECT_THAT(quantized(Tensor("s", kFloat, "0"), zero_point), HasSubstr("scale 0 is not positive and finite"));
  EXPECT_THAT(quantized(Tensor("s", kFloat, "-0.5"), zero_point), HasSubstr("scale -0.5 is not positive and finite"));
  EXPECT_THAT(quantized(Tensor("s", kFloat, "nan"), zero_point), HasSubstr("scale nan is not positive and finite"));
  EXPECT_THAT(quantized(Tensor("s", kFloat, "inf"), zero_point), HasSubstr("scale inf is not positive and finite"));
  EXPECT_EQ(quantized(Tensor("s", kInt8, "1"), zero_point), where + "a scale is of type i8");
  EXPECT_EQ(quantized(Tensor("s", kFloat, "1, 2", "1, 2"), zero_point), where + "scale has rank 2");
  EXPECT_THAT(quantized(scale, Tensor("z", kFloat, "3")), HasSubstr("makes i8, u8, i16 or i32"));
  EXPECT_THAT(quantized(scale, Tensor("z", kInt8, "3, 4", "2")), HasSubstr("has 2 zero_points for 1 scales"));
  const std::string three = Tensor("s", kFloat, "1, 2, 3", "3") + Tensor("z", kInt8, "1, 2, 3", "3");
  const auto axis = [](int i) { return "attribute { name: 'axis' type: INT i: " + std::to_string(i) + " }"; };
  EXPECT_EQ(quantized(three, "", axis(1)), "");
  EXPECT_THAT(quantized(three, "", axis(2)), HasSubstr("has 3 scales for an axis of 4"));
  EXPECT_THAT(quantized(three, "", axis(4)), HasSubstr("axis 4 is outside rank 4"));
  EXPECT_THAT(quantized(three, "", "", 12), HasSubstr("has scales along an axis before opset 13"));
  EXPECT_THAT(quantized(three, "", "", 9), HasSubstr("the first opset that is supported is 10"));

  const auto dequantized = [&](const std::string& tensors) {
    return ErrorOf(tensors + Node("DequantizeLinear", "", "input: ['q', 's', 'z']"));
  };
  EXPECT_EQ(dequantized(scale + zero_point + Tensor("q", kInt8, "1, 2", "2")), "");
  EXPECT_EQ(dequantized(scale + zero_point + Tensor("q", kUint8, "1, 2", "2")),
            "ONNX node 'n' (DequantizeLinear, opset 13): zero_point is of type i8, the integers of u8");
  EXPECT_THAT(dequantized(scale + Tensor("z", kFloat, "1") + Tensor("q", kFloat, "1, 2", "2")),
              HasSubstr("takes i8, u8, i16 or i32"));
}

TEST(Onnx, MemoryIsBounded) {
  const std::string fill = Constant("s", "30000, 30000, 30000") + Node("ConstantOfShape", "", "input: 's'");
  EXPECT_THAT(ErrorOf(fill), HasSubstr("fills constants of more than"));
  // Each is small enough.
  std::string fills = Constant("s", "20000, 10000");
  for (const char* name : {"a", "b"}) {
    fills += std::string("node { op_type: 'ConstantOfShape' input: 's' output: '") + name + "' } ";
  }
  EXPECT_THAT(ErrorOf(fills + Node("Add", "", "input: ['a', 'b']")), HasSubstr("fills constants of more than"));
  const std::string expand =
      Constant("s", "300000, 300000, 4, 5") + "node { op_type: 'Slice' input: ['x', 'z', 'o', 'i'] output: 'f' } " +
      Constant("z", "0, 0") + Constant("o", "1, 1") + Constant("i", "0, 1") + Node("Expand", "", "input: ['f', 's']");
  EXPECT_THAT(ErrorOf(expand), HasSubstr("the values have more than"));
}

TEST(Onnx, ConstantsAreAsDeclared) {
  const auto with = [](const TensorType& type, size_t bytes) {
    TensorData tensor;
    tensor.type = type;
    tensor.bytes.resize(bytes);
    return Import(Serialized(Node("Relu"), 13, "2 N"), {.constants = {{"x", tensor}}}).status().message();
  };
  EXPECT_EQ(with(TensorType(DataType::kF32, {2, 5}), 40), "");
  EXPECT_EQ(with(TensorType(DataType::kF32, {2, 5}), 4), "OnnxOptions::constants 'x': has 4 bytes for f32[2,5](0,1)");
  EXPECT_THAT(with(TensorType(DataType::kF32, {2, -5}), 4), HasSubstr("OnnxOptions::constants 'x': "));
  EXPECT_EQ(with(TensorType(DataType::kI32, {2, 5}), 40),
            "graph input 'x' is i32[2,5](0,1), which is not what the model declares");
  EXPECT_THAT(with(TensorType(DataType::kF32, {3, 5}), 60), HasSubstr("graph input 'x' is f32[3,5]"));
  EXPECT_THAT(with(TensorType(DataType::kF32, {2}), 8), HasSubstr("graph input 'x' is f32[2]"));
  // Initializers that old models list among their inputs.
  EXPECT_EQ(ErrorOf(Tensor("x", kFloat, "1, 2", "2") + Node("Relu"), 13, "2"), "");
  EXPECT_THAT(ErrorOf(Tensor("x", kFloat, "1, 2", "2") + Node("Relu"), 13, "3"),
              HasSubstr("graph input 'x' is f32[2](0), which is not what the model declares"));
}

// Steps on the way count, too: here all sums but the last one.
TEST(Onnx, EveryValueIsCharged) {
  std::string inputs;
  for (int i = 0; i < 100; ++i) inputs += "input: 'x' ";
  const std::string sum = Serialized(Node("Sum", "", inputs));
  constexpr int64_t kValue = 4 * 2 * 3 * 4 * 5;
  EXPECT_EQ(Import(sum, {.max_bytes = 100 * kValue}).status().message(), "");
  EXPECT_EQ(Import(sum, {.max_bytes = 100 * kValue - 1}).status().message(), "the values have more than 47999 bytes");
  EXPECT_EQ(Import(sum, {.max_bytes = INT64_MAX}).status().message(), "");
}

// Nothing large is made before it is charged.
TEST(Onnx, WhatIsMadeOfSizesIsCharged) {
  const std::string dropout =
      "node { op_type: 'Dropout' input: 'x' output: ['d', 'm'] } " + Node("Identity", "", "input: 'm'");
  EXPECT_THAT(ErrorOf(dropout, 13, "9 9 9 9 9 9 9 9 9 9"), HasSubstr("fills constants of more than 1073741824 bytes"));
  const std::string fill = Serialized(Constant("s", "1000") + Node("ConstantOfShape", "", "input: 's'"));
  EXPECT_THAT(Import(fill, {.max_bytes = 4488}).status().message(), "");
  EXPECT_THAT(Import(fill, {.max_bytes = 2000}).status().message(),
              HasSubstr("(ConstantOfShape, opset 13): fills constants of more than 2000 bytes in all"));
}

// Of a constant that is larger than the file, no copies as numbers are made.
TEST(Onnx, ReadsNumbersOfSmallConstantsOnly) {
  const std::string fill = Constant("s", "3000000") + "node { op_type: 'ConstantOfShape' input: 's' output: 'c' } ";
  EXPECT_THAT(ErrorOf(fill + Node("Reshape", "", "input: ['x', 'c']")),
              HasSubstr("reads numbers of a constant of 3000000 elements, more than 1048576"));
}

TEST(Onnx, WhatIsNotUnderstoodIsAnError) {
  EXPECT_EQ(ErrorOf(Node("Relu", "", "input: ['x', 'x']")), "ONNX node 'n' (Relu, opset 13): input 1 is not supported");
  EXPECT_THAT(ErrorOf(Node("HardSwish")), HasSubstr("the first opset that is supported is 14"));
  const auto declared = [](const std::string& type) {
    std::string model = Serialized(Node("Relu"));
    onnx::ModelProto proto;
    EXPECT_TRUE(proto.ParseFromString(model));
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        "tensor_type { " + type + " }", proto.mutable_graph()->mutable_output(0)->mutable_type()));
    return Import(proto.SerializeAsString()).status().message();
  };
  EXPECT_EQ(declared("elem_type: 1 shape { dim { dim_value: 2 } dim { dim_param: 'C' } dim {} dim {} }"), "");
  EXPECT_THAT(declared("elem_type: 7"), HasSubstr("graph output 'y' is f32[2,3,4,5]"));
  EXPECT_THAT(declared("elem_type: 1 shape { dim { dim_value: 7 } dim { dim_value: 7 } }"), HasSubstr("declares"));
}

// What a graph of constants makes, run.
template <class T>
std::vector<T> Made(const std::string& graph) {
  const auto made = Import(Serialized(graph));
  EXPECT_TRUE(made.ok()) << made.status().message();
  if (!made.ok()) return {};
  const auto program = Program::Create(*made);
  EXPECT_TRUE(program.ok()) << program.status().message();
  auto outputs = OutputsOf(*made);
  const GraphStatus status = RunProgram(*program, {TestTensor(TensorType(DataType::kF32, {2, 3, 4, 5}))}, outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return std::vector<T>(outputs[0].as<T>(), outputs[0].as<T>() + NumElements(outputs[0].type));
}

TEST(Onnx, IntegerBoundsAreExact) {
  constexpr int kInt32 = 6;
  const auto clip = [](const std::string& bounds) { return Node("Clip", "", "input: ['c', " + bounds + "]"); };
  const std::string ints = Tensor("c", kInt32, "-20000003, 20000003", "2") + Tensor("l", kInt32, "-16777219") +
                           Tensor("m", kInt32, "16777217");
  EXPECT_THAT(Made<int32_t>(ints + clip("'l', 'm'")), testing::ElementsAre(-16777219, 16777217));
  const std::string longs = Constant("c", "9223372036854775807, 5") + Constant("m", "9223372036854775807") +
                            Constant("v", "2147483647") + Constant("o", "9007199254740993") + Constant("p", "0, 1");
  EXPECT_THAT(Made<int64_t>(longs + clip("'', 'm'")), testing::ElementsAre(INT64_MAX, 5));
  EXPECT_THAT(Made<int64_t>(longs + Node("Pad", "", "input: ['c', 'p', 'v']")),
              testing::ElementsAre(INT64_MAX, 5, 2147483647));
  EXPECT_THAT(ErrorOf(longs + clip("'', 'o'")), HasSubstr("number 9007199254740993 has more than 53 bits"));
}

// As TensorFlow names its values.
TEST(Onnx, NamesOfStepsAreNotTheModels) {
  const std::string sum = Node("Sum", "", "input: ['x', 'x', 'x', 'y:1']");
  EXPECT_EQ(ErrorOf("node { op_type: 'Relu' input: 'x' output: 'y:1' } " + sum +
                    "node { op_type: 'Relu' input: 'y' output: 'y:0' } "),
            "");
  EXPECT_EQ(ErrorOf(Tensor("y:1", kFloat, "1, 2, 3, 4, 5", "5") + sum), "");
}

TEST(Onnx, WindowsOutOfRangeAreErrors) {
  const auto pool = [](const std::string& stride) {
    return ErrorOf(Node("MaxPool", "attribute { name: 'auto_pad' type: STRING s: 'SAME_UPPER' } " +
                                       Ints("kernel_shape", "1, 1") + Ints("strides", stride + ", 1")));
  };
  EXPECT_EQ(pool("2"), "");
  EXPECT_THAT(pool("9223372036854775807"), HasSubstr("a window's number is out of range"));
}

// A region of interest matters to one mode only, and most exporters name an empty one in the others, too.
TEST(Onnx, ResizeIgnoresARegionThatItsModeLacks) {
  const std::string inputs = Tensor("roi", kFloat, "", "0") + Tensor("none", kFloat, "", "0") +
                             Tensor("scales", kFloat, "1, 1, 2, 2", "4") + Constant("sizes", "2, 3, 8, 10");
  EXPECT_EQ(ErrorOf(inputs + Node("Resize", "", "input: ['x', 'roi', 'scales']")), "");
  EXPECT_EQ(ErrorOf(inputs + Node("Resize", "", "input: ['x', 'roi', 'none', 'sizes']")), "");
  const std::string crop = "attribute { name: 'coordinate_transformation_mode' type: STRING s: 'tf_crop_and_resize' } ";
  EXPECT_THAT(ErrorOf(inputs + Node("Resize", crop, "input: ['x', 'roi', 'scales']")),
              HasSubstr("roi has not two numbers per axis"));
}

// Any bytes: an error or a graph, never a crash. The fuzzer does more of it.
TEST(Onnx, MutatedAndTruncatedModelsAreErrors) {
  const std::string model =
      Serialized("initializer { name: 'w' data_type: 1 dims: [2, 3, 1, 1] float_data: [1, 1, 1, -1, -1, -1] } " +
                 Constant("s", "0, -1") + "node { op_type: 'Conv' input: ['x', 'w'] output: 'c' " +
                 Ints("pads", "1, 1, 1, 1") + "} node { op_type: 'Reshape' input: ['c', 's'] output: 'y' } ");
  ASSERT_TRUE(Import(model).ok());
  for (size_t n = 0; n < model.size(); ++n) EXPECT_FALSE(Import(model.substr(0, n)).ok() && n < 20);
  test::Random random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string mutated = model;
    for (int k = 0; k < 3; ++k) {
      mutated[static_cast<size_t>(random.Below(static_cast<int64_t>(mutated.size())))] =
          static_cast<char>(random.Below(256));
    }
    const auto graph = Import(mutated, {.max_bytes = 1 << 20});
    if (!graph.ok()) continue;
    EXPECT_TRUE(Verify(*graph).ok());
  }
}

}  // namespace
}  // namespace dimorder
