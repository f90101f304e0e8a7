// SPDX-License-Identifier: Apache-2.0
//
// The delegate inside of programs: parts, threads, and what lies behind its inputs.
#include <thread>

#include "tests/counting_allocator.h"
#include "tests/mapping.h"
#include "tests/runtime/random_graph.h"
#include "tests/runtime/xnnpack/xnnpack_graph.h"

namespace dimorder {
namespace {

// Two branches of which one leaves XNNPACK for a tanh and comes back.
Graph Branches(const DimOrder& order) {
  GraphBuilder b("branches");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {2, 3, 9, 7}, order));
  const ValueId w = RandomConstant(b, "w", TensorType(DataType::kF32, {8, 3, 3, 3}), 1);
  const ValueId d = RandomConstant(b, "d", TensorType(DataType::kF32, {8, 1, 3, 3}), 2);
  const auto same = Attributes().SetInts("padding", {1, 1, 1, 1});
  const ValueId y = b.Add(Op::kRelu, {b.Add(Op::kConv2d, {x, w}, same)});
  const ValueId t = b.Add(Op::kTanh, {y});
  const ValueId z = b.Add(Op::kConv2d, {y, d}, Attributes(same).SetInt("groups", 8));
  const ValueId sum = b.Add(Op::kAdd, {z, t});
  b.Output(sum);
  b.Output(b.Add(Op::kClip, {b.Add(Op::kConv2d, {sum, d}, Attributes(same).SetInt("groups", 8))},
                 Attributes().SetFloat("min", -0.5).SetFloat("max", 0.5)));
  return b.Finish().value();
}

TEST(XnnpackProgram, PartsAroundOtherNodes) {
  for (const DimOrder& order : {kNCHW, kNHWC, DimOrder{2, 3, 1, 0}}) ExpectLikeReference(Branches(order), 6);
}

// Additions, products, softmaxes and outputs among copies, in all orders and with axes of size 1.
TEST(XnnpackProgram, RandomGraphs) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    ExpectLikeReference(RandomGraph(seed, 12), 0);
  }
}

// XNNPACK stops the process when it finds a pool that nobody reads.
TEST(XnnpackProgram, NodesThatNobodyReadAreNotItsConcern) {
  GraphBuilder b("unread");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {1, 3, 8, 8}));
  const ValueId y = b.Add(Op::kRelu, {x});
  b.Add(Op::kMaxPool2d, {y}, Attributes().SetInts("kernel", {2, 2}));
  Graph graph = b.Finish().value();
  const auto blob = Xnnpack().Compile(graph);
  EXPECT_NE(blob.status().message().find("nobody reads what node"), std::string::npos) << blob.status().message();
  ExpectLikeReference(graph, 0);
  graph.outputs = {y};
  ExpectLikeReference(graph, 1);
}

// They are left where the caller wants them.
TEST(XnnpackProgram, NodesOfConstantsAreNotItsConcern) {
  GraphBuilder b("constants");
  const TensorType type(DataType::kF32, {1, 3, 4, 5});
  const ValueId x = b.Input("x", type);
  const ValueId c = b.Add(Op::kRelu, {RandomConstant(b, "c", type, 1)}, {}, "relu");
  const ValueId d = b.Add(Op::kAdd, {RandomConstant(b, "d", type, 2), RandomConstant(b, "e", type, 3)}, {}, "add");
  b.Output(c);
  b.Output(d);
  b.Output(b.Add(Op::kMul, {b.Add(Op::kMul, {x, c}), d}));
  const Graph graph = b.Finish().value();
  ExpectLikeReference(graph, 2);
  EXPECT_EQ(Xnnpack().Query(graph, graph.nodes[0]).reason, "computes no constants");
}

TEST(XnnpackProgram, RunsOnThreadsOfEitherKind) {
  const Graph graph = Branches(kNCHW);
  const auto inputs = RandomInputs(graph);
  const auto expected = RunWith(graph, {}, inputs);
  const auto threads = XnnpackThreads::Create(4);
  ASSERT_TRUE(threads.ok());
  // An executor that is no pool: the delegate makes one.
  const dimorder_executor serial = {sizeof(dimorder_executor), 3,
                                    [](void*, size_t n, dimorder_task task, void* arg) {
                                      for (size_t i = 0; i < n; ++i) task(arg, i);
                                    },
                                    nullptr};
  for (const dimorder_executor* executor : {threads->executor(), &serial}) {
    const auto outputs = RunWith(graph, {.delegates = {&Xnnpack()}, .executor = executor}, inputs);
    for (size_t i = 0; i < outputs.size(); ++i) ExpectClose(outputs[i], expected[i]);
  }
}

TEST(XnnpackProgram, ContextsRunAtOnce) {
  const Graph graph = Branches(kNHWC);
  const auto inputs = RandomInputs(graph);
  const auto expected = RunWith(graph, {}, inputs);
  const auto pool = XnnpackThreads::Create(2);
  const auto program = Program::Create(graph, {.delegates = {&Xnnpack()}, .executor = pool->executor()});
  ASSERT_TRUE(program.ok()) << program.status().message();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int run = 0; run < 10; ++run) {
        auto outputs = OutputsOf(graph);
        const GraphStatus status = RunProgram(*program, inputs, outputs);
        EXPECT_TRUE(status.ok()) << status.message();
        for (size_t i = 0; i < outputs.size(); ++i) ExpectClose(outputs[i], expected[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// An output that the part reads again has to lie where there is room behind it.
TEST(XnnpackProgram, StagesOutputsInTheCallersMemory) {
  const auto pool = Attributes().SetInts("kernel", {3, 3});
  const TensorType type(DataType::kF32, {1, 3, 5, 7}, kNHWC);
  GraphBuilder b("staged");
  const ValueId y = b.Add(Op::kMaxPool2d, {b.Input("x", type)}, pool, "y", &kNHWC);
  b.Output(y);
  b.Output(b.Add(Op::kMaxPool2d, {y}, pool, "z", &kNHWC));
  const Graph graph = b.Finish().value();
  const auto part = Xnnpack().Compile(graph);
  ASSERT_TRUE(part.ok()) << part.status().message();
  const auto program = Xnnpack().Load(*part);
  ASSERT_TRUE(program.ok()) << program.status().message();
  CountingAllocator counting{0};
  const dimorder_allocator allocator = counting.Get();
  EXPECT_EQ((*program)->NewContext(nullptr, &allocator).status().code(), StatusCode::kOutOfMemory);
  counting.limit = 2;
  {
    const auto context = (*program)->NewContext(nullptr, &allocator);
    ASSERT_TRUE(context.ok()) << context.status().message();
    EXPECT_EQ(counting.live, 1);
  }
  EXPECT_EQ(counting.live, 0);
}

// XNNPACK reads 16 bytes past tensors: its pools do so here. Nothing is behind the caller's: reading on would fault.
TEST(XnnpackProgram, ReadsNothingBehindTheCallersTensors) {
  const auto pool = Attributes().SetInts("kernel", {3, 3}).SetInts("padding", {1, 1, 1, 1});
  for (int64_t channels : {1, 2, 3, 5, 8, 19}) {
    GraphBuilder b("guarded");
    const TensorType type(DataType::kF32, {1, channels, 5, 7}, kNHWC);
    const ValueId x = b.Input("x", type);
    const ValueId y = b.Add(Op::kMaxPool2d, {x}, pool, "y", &type.dim_order);
    const ValueId z = b.Add(Op::kTanh, {b.Add(Op::kMaxPool2d, {y}, pool)}, {}, "z", &type.dim_order);
    const ValueId most = b.Add(Op::kMaxPool2d, {b.Add(Op::kMul, {z, y})}, pool);
    b.Output(y);  // read by its own part and by the one behind tanh
    b.Output(b.Add(Op::kGlobalAvgPool, {most}, {}, "w"));
    const Graph graph = b.Finish().value();
    const auto inputs = RandomInputs(graph);
    const auto expected = RunWith(graph, {}, inputs);
    const auto program = Program::Create(graph, {.delegates = {&Xnnpack()}});
    ASSERT_TRUE(program.ok()) << program.status().message();
    ASSERT_EQ(PartsOf(*program).parts, 2u);
    auto context = program->NewContext();
    ASSERT_TRUE(context.ok()) << context.status().message();

    const auto bytes = static_cast<size_t>(NumBytes(type));
    test::Mapping in(bytes);
    const TensorType result(DataType::kF32, {1, channels, 1, 1});
    const auto result_bytes = static_cast<size_t>(NumBytes(result));
    test::Mapping first(bytes);
    test::Mapping second(result_bytes);
    std::memcpy(in.end() - bytes, inputs[0].bytes.data(), bytes);
    const InputBuffer input[] = {{type, in.end() - bytes}};
    const OutputBuffer output[] = {{type, first.end() - bytes}, {result, second.end() - result_bytes}};
    const GraphStatus status = context->Run(input, output);
    ASSERT_TRUE(status.ok()) << status.message();
    for (size_t i = 0; i < 2; ++i) {
      TestTensor made(output[i].type);
      std::memcpy(made.bytes.data(), output[i].data, made.bytes.size());
      ExpectClose(made, expected[i]);
    }
  }
}

}  // namespace
}  // namespace dimorder
