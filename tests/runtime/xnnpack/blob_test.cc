// SPDX-License-Identifier: Apache-2.0
//
// Blobs: loaded from bytes that may be anything, and run by themselves.
#include <random>
#include <span>

#include "tests/runtime/quantized_graph.h"
#include "tests/runtime/xnnpack/xnnpack_graph.h"

namespace dimorder {
namespace {

using Blob = std::vector<std::byte>;

// Convolution, relu, softmax over channels.
Graph SmallModel(const DimOrder& order) {
  GraphBuilder b("small");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {1, 3, 6, 5}, order));
  const ValueId w = RandomConstant(b, "w", TensorType(DataType::kF32, {4, 3, 3, 3}), 1);
  const ValueId y = b.Add(Op::kConv2d, {x, w}, Attributes().SetInts("padding", {1, 1, 1, 1}));
  b.Output(b.Add(Op::kSoftmax, {b.Add(Op::kRelu, {y})}, Attributes().SetInt("dim", 1), "y", &order));
  return b.Finish().value();
}

// The same on integers, with a matrix product behind it.
Graph QuantizedModel(const DimOrder& order) {
  QdqBuilder b("quantized");
  const ValueId x = b.QuantizedInput("x", TensorType(DataType::kI8, {1, 3, 6, 5}, order), Uniform(0.03f, 4));
  const ValueId w = b.QuantizedConstant("w", TensorType(DataType::kI8, {4, 3, 3, 3}), PerChannel(0.02f, 4));
  const ValueId c = b.QuantizedConstant("c", TensorType(DataType::kI32, {4}), PerChannel(0.0006f, 4));
  const ValueId y = b.Add(Op::kConv2d, {x, w, c}, Attributes().SetInts("padding", {1, 1, 1, 1}));
  const ValueId mean =
      b.Add(Op::kMean, {b.Through(y, Uniform(0.05f, -3))}, Attributes().SetInts("dims", {2, 3}).SetInt("keepdim", 0));
  const ValueId v = b.QuantizedConstant("v", TensorType(DataType::kI8, {4, 7}), PerChannel(0.02f, 7, 1));
  b.Output(b.Quantized(b.Add(Op::kGemm, {b.Through(mean, Uniform(0.04f)), v}), Uniform(0.1f)));
  return b.Finish().value();
}

Blob CompiledBlob(const Graph& graph) {
  const auto program = Program::Create(graph, {.delegates = {&Xnnpack()}});
  EXPECT_TRUE(program.ok()) << program.status().message();
  EXPECT_EQ(PartsOf(*program).parts, 1u);
  EXPECT_EQ(PartsOf(*program).nodes, 3);
  const auto blob = program->blob(0);
  return Blob(blob.begin(), blob.end());
}

GraphStatus RunBlob(std::span<const std::byte> blob, const std::vector<TestTensor>& inputs,
                    std::vector<TestTensor>& outputs) {
  const auto program = Xnnpack().Load(blob);
  if (!program.ok()) return program.status();
  const auto context = (*program)->NewContext(nullptr, nullptr);
  if (!context.ok()) return context.status();
  std::vector<std::vector<std::byte>> padded;
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const TestTensor& t : inputs) {
    padded.push_back(t.bytes);
    padded.back().resize(t.bytes.size() + static_cast<size_t>(Xnnpack().reads_past()));
    in.push_back(padded.back().data());
  }
  for (TestTensor& t : outputs) out.push_back(t.bytes.data());
  return (*context)->Run(in, out);
}

TEST(XnnpackBlob, RunsByItself) {
  const Graph graph = SmallModel(kNHWC);
  const Blob blob = CompiledBlob(graph);
  const auto inputs = RandomInputs(graph);
  auto outputs = OutputsOf(graph);
  const GraphStatus status = RunBlob(blob, inputs, outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  ExpectClose(outputs[0], RunWith(graph, {}, inputs)[0]);
}

TEST(XnnpackBlob, RefusesGraphsInOtherOrders) {
  Graph graph = SmallModel(kNHWC);
  for (Value& value : graph.values) value.type.dim_order = IdentityOrder(value.type.rank());
  const auto blob = Xnnpack().Compile(graph);
  EXPECT_FALSE(blob.ok());
  EXPECT_NE(blob.status().message().find("none of the orders"), std::string::npos) << blob.status().message();
}

TEST(XnnpackBlob, QuantizedOnesRunByThemselves) {
  const Graph graph = QuantizedModel(kNHWC);
  const Blob blob = CompiledBlob(graph);
  const auto inputs = RandomNumbersFor(graph);
  auto outputs = OutputsOf(graph);
  const GraphStatus status = RunBlob(blob, inputs, outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(outputs[0].bytes, RunQuantized(graph, {.delegates = {&Xnnpack()}}, inputs)[0].bytes);
}

// An error, or a program and perhaps a context, and never a crash: on all truncations and many mutations.
void ExpectMutationsAreHarmless(const Graph& graph, int count) {
  const Blob blob = CompiledBlob(graph);
  for (size_t n = 0; n < blob.size(); ++n) EXPECT_FALSE(Xnnpack().Load(std::span(blob).first(n)).ok());
  std::mt19937 random(1);
  for (int i = 0; i < count; ++i) {
    Blob mutated = blob;
    for (int k = 0; k < 2; ++k) mutated[random() % mutated.size()] = static_cast<std::byte>(random());
    const auto program = Xnnpack().Load(mutated);
    if (!program.ok()) continue;
    const auto context = (*program)->NewContext(nullptr, nullptr);
    EXPECT_EQ(context.ok(), context.status().message().empty());
  }
}

TEST(XnnpackBlob, HostileBytesAreRefused) { ExpectMutationsAreHarmless(SmallModel(kNHWC), 5000); }

TEST(XnnpackBlob, HostileQuantizedBytesAreRefused) { ExpectMutationsAreHarmless(QuantizedModel(kNHWC), 5000); }

}  // namespace
}  // namespace dimorder
