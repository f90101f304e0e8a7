// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_RUNTIME_QUANTIZED_GRAPH_H_
#define DIMORDER_TESTS_RUNTIME_QUANTIZED_GRAPH_H_

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/runtime/run_graph.h"

namespace dimorder {

// A tensor of any integers, or of floats from -1 to 1.
inline TestTensor RandomNumbers(const TensorType& type, uint32_t seed) {
  TestTensor tensor(type);
  std::mt19937 random(seed);
  if (type.dtype == DataType::kF32) {
    std::uniform_real_distribution<float> next(-1, 1);
    std::generate_n(tensor.as<float>(), NumElements(type), [&] { return next(random); });
  } else {
    for (std::byte& byte : tensor.bytes) byte = static_cast<std::byte>(random());
  }
  return tensor;
}

inline std::vector<TestTensor> RandomNumbersFor(const Graph& graph) {
  std::vector<TestTensor> inputs;
  for (ValueId id : graph.inputs) {
    inputs.push_back(RandomNumbers(graph.values[static_cast<size_t>(id)].type, static_cast<uint32_t>(id) + 17));
  }
  return inputs;
}

inline Attributes QuantizationAttributes(const Quantization& q, DataType dtype) {
  Attributes attributes;
  attributes.SetFloats("scale", {q.scales.begin(), q.scales.end()});
  attributes.SetInts("zero_point", {q.zero_points.begin(), q.zero_points.end()});
  attributes.SetInt("axis", q.axis);
  return attributes.SetInt("dtype", static_cast<int64_t>(dtype));
}

inline Quantization Uniform(float scale, int32_t zero_point = 0) { return {{scale}, {zero_point}, 0}; }

// Scales that differ along an axis.
inline Quantization PerChannel(float scale, int64_t channels, int axis = 0) {
  Quantization q;
  for (int64_t c = 0; c < channels; ++c) q.scales.push_back(scale * (0.5f + 0.125f * static_cast<float>(c % 5)));
  q.zero_points.assign(q.scales.size(), 0);
  q.axis = axis;
  return q;
}

// Builds models as exporters write them: floats between dequantize and quantize.
class QdqBuilder : public GraphBuilder {
 public:
  using GraphBuilder::GraphBuilder;

  // The numbers of an integer input.
  ValueId QuantizedInput(const std::string& name, const TensorType& type, const Quantization& q) {
    return Dequantized(Input(name, type), q);
  }
  // Those of a constant of random integers; i32 ones are small, as biases are.
  ValueId QuantizedConstant(const std::string& name, const TensorType& type, const Quantization& q) {
    TestTensor numbers = RandomNumbers(type, static_cast<uint32_t>(name.size() + static_cast<size_t>(name[0])));
    if (type.dtype == DataType::kI32) {
      for (int64_t i = 0; i < NumElements(type); ++i) numbers.as<int32_t>()[i] %= 2000;
    }
    return Dequantized(Constant(name, type, numbers.bytes.data()), q);
  }
  ValueId Dequantized(ValueId integers, const Quantization& q) {
    return Add(Op::kDequantize, {integers}, QuantizationAttributes(q, DataType::kF32));
  }
  ValueId Quantized(ValueId numbers, const Quantization& q, DataType dtype = DataType::kI8,
                    const DimOrder* order = nullptr) {
    return Add(Op::kQuantize, {numbers}, QuantizationAttributes(q, dtype), {}, order);
  }
  // Quantized and dequantized again: a step inside of a model.
  ValueId Through(ValueId numbers, const Quantization& q, DataType dtype = DataType::kI8) {
    return Dequantized(Quantized(numbers, q, dtype), q);
  }
};

inline std::vector<TestTensor> RunQuantized(const Graph& graph, const CompileOptions& options,
                                            const std::vector<TestTensor>& inputs) {
  auto outputs = OutputsOf(graph);
  const auto program = Program::Create(graph, options);
  EXPECT_TRUE(program.ok()) << program.status().message();
  if (!program.ok()) return outputs;
  const GraphStatus status = RunProgram(*program, inputs, outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

}  // namespace dimorder

#endif  // DIMORDER_TESTS_RUNTIME_QUANTIZED_GRAPH_H_
