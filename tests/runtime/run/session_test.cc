// SPDX-License-Identifier: Apache-2.0
#include "dimorder/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/runtime/nhwc_delegate.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;

// y = relu(x) in NHWC, whatever the batch; counts how often it is made.
struct Network {
  std::atomic<int> made = 0;

  GraphResult<Graph> operator()(std::span<const std::vector<int64_t>> sizes) {
    ++made;
    GraphBuilder b("relu");
    const ValueId x = b.Input("x", TensorType(DataType::kF32, sizes[0]));
    b.Output(b.Add(Op::kRelu, {x}, {}, "y", &kNHWC));
    return b.Finish();
  }
};

GraphResult<Session> SessionOf(Network& network, const CompileOptions& options, size_t max_programs) {
  return Session::Create([&](std::span<const std::vector<int64_t>> sizes) { return network(sizes); }, options,
                         max_programs);
}

std::vector<int64_t> Batch(int64_t n) { return {n, 3, 4, 5}; }

void ExpectRuns(const Session& session, const std::vector<int64_t>& sizes) {
  TestTensor x(TensorType(DataType::kF32, sizes));
  for (int64_t i = 0; i < NumElements(x.type); ++i) x.as<float>()[i] = static_cast<float>(i % 13) - 6;
  TestTensor y(TensorType(DataType::kF32, sizes, kNHWC));
  const InputBuffer inputs[] = {{x.type, x.bytes.data()}};
  const OutputBuffer outputs[] = {{y.type, y.bytes.data()}};
  const GraphStatus status = session.Run(inputs, outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  ForEachLogical(sizes, [&](const std::vector<int64_t>& i) {
    ASSERT_EQ(y.as<float>()[OffsetOf(y.type, i)], std::max(0.0f, x.as<float>()[OffsetOf(x.type, i)]));
  });
}

TEST(Session, CompilesOncePerSizesAndKeepsTheLastUsed) {
  Network network;
  const auto session = SessionOf(network, {}, 2);
  for (int64_t batch : {1, 4, 1, 4, 1}) ExpectRuns(*session, Batch(batch));
  EXPECT_EQ(network.made, 2);
  ExpectRuns(*session, Batch(2));  // drops 4
  ExpectRuns(*session, Batch(1));
  EXPECT_EQ(network.made, 3);
  ExpectRuns(*session, Batch(4));
  EXPECT_EQ(network.made, 4);
  const auto program = session->ProgramFor({Batch(4)});
  ASSERT_TRUE(program.ok()) << program.status().message();
  const Graph& graph = program->graph();
  EXPECT_EQ(graph.values[static_cast<size_t>(graph.outputs[0])].type.sizes, Batch(4));
  EXPECT_EQ(network.made, 4);
}

TEST(Session, SizesThatFailAreNotKept) {
  Network network;
  const auto session = SessionOf(network, {}, 1);
  ExpectRuns(*session, Batch(1));
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(session->ProgramFor({{1, 3, -4, 5}}).status().message(), HasSubstr("negative"));
  }
  ExpectRuns(*session, Batch(1));
  EXPECT_EQ(network.made, 3);
}

TEST(Session, OrdersMustNotDependOnSizes) {
  const auto session = Session::Create([](std::span<const std::vector<int64_t>> sizes) {
    GraphBuilder b("g");
    const ValueId x = b.Input("x", TensorType(DataType::kF32, sizes[0], sizes[0][0] == 1 ? kNCHW : kNHWC));
    b.Output(b.Add(Op::kRelu, {x}));
    return b.Finish();
  });
  ASSERT_TRUE(session->ProgramFor({Batch(1)}).ok());
  EXPECT_THAT(session->ProgramFor({Batch(2)}).status().message(),
              HasSubstr("input 'x' is f32[2,3,4,5](0,2,3,1) for these sizes, was f32[1,3,4,5](0,1,2,3)"));
  EXPECT_THAT(session->ProgramFor({}).status().message(), HasSubstr("the model has 1 inputs, not 0"));
}

TEST(Session, EmptyOnesRunNothing) {
  EXPECT_FALSE(Session().Run({}, {}).ok());
  EXPECT_FALSE(Session().ProgramFor({}).ok());
  EXPECT_FALSE(Session::Create(nullptr).ok());
}

TEST(Session, RunsFromManyThreads) {
  Network network;
  const NhwcParts nhwc;
  CompileOptions options;
  options.delegates = {&nhwc};
  const auto session = SessionOf(network, options, 3);
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t run = 0; run < 12; ++run) ExpectRuns(*session, Batch(1 + (run / (t + 1)) % 4));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(network.made, 4);
}

}  // namespace
}  // namespace dimorder
