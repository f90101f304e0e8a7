// SPDX-License-Identifier: Apache-2.0
#include "dimorder/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/counting_allocator.h"
#include "tests/runtime/nhwc_delegate.h"
#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;

TEST(Program, RunsAPermuteAndARelu) {
  GraphBuilder b("g");
  const TensorType in(DataType::kF32, {1, 2, 1, 3});
  const ValueId x = b.Input("x", in);
  const ValueId y = b.Add(Op::kPermuteCopy, {x}, Attributes().SetInts("dims", {0, 2, 3, 1}));
  b.Output(b.Add(Op::kRelu, {y}, {}, "y"));
  const auto graph = b.Finish();
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  const auto program = Program::Create(*graph);
  ASSERT_TRUE(program.ok()) << program.status().message();
  auto context = program->NewContext();
  ASSERT_TRUE(context.ok());

  const std::vector<float> given = {-1, 2, 3, 4, -5, 6};
  std::vector<float> made(6);
  const InputBuffer inputs[] = {{in, given.data()}};
  const OutputBuffer outputs[] = {{TensorType(DataType::kF32, {1, 1, 3, 2}), made.data()}};
  const GraphStatus status = context->Run(inputs, outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_THAT(made, testing::ElementsAre(0, 4, 2, 0, 3, 6));
}

Graph Chain() {
  GraphBuilder b("chain");
  const ValueId x = b.Input("x", TensorType(DataType::kF32, {1, 2, 3, 4}));
  const ValueId y = b.Add(Op::kFlip, {x}, Attributes().SetInts("dims", {1}), "flipped");
  b.Output(b.Add(Op::kTanh, {b.Add(Op::kTanh, {y})}, {}, "y"));
  return b.Finish().value();
}

TEST(Program, TakesAllItsMemoryFromTheCallersAllocator) {
  for (int64_t limit = 0;; ++limit) {
    CountingAllocator counting{limit};
    const dimorder_allocator allocator = counting.Get();
    bool done = false;
    {
      const auto program = Program::Create(Chain(), {.allocator = &allocator});
      const auto context = program.ok() ? program->NewContext() : GraphResult<Context>(program.status());
      done = context.ok();
      EXPECT_EQ(context.status().code(), done ? StatusCode::kOk : StatusCode::kOutOfMemory)
          << context.status().message();
    }
    EXPECT_EQ(counting.live, 0);
    if (!done) continue;
    EXPECT_GE(limit, 2);
    break;
  }
}

// A run that needs a copy of a caller's tensor takes it from there, too, once, and says when there is no more.
TEST(Program, ContextsKeepCopiesOfCallersTensorsInTheCallersMemory) {
  CountingAllocator counting;
  const dimorder_allocator allocator = counting.Get();
  const TensorType declared(DataType::kF32, {1, 2, 3, 4});
  const NhwcParts parts;  // reads past its inputs
  GraphBuilder b("converted");
  b.Output(b.Add(Op::kRelu, {b.Input("x", declared)}, {}, "y"));
  const auto program = Program::Create(
      b.Finish().value(), {.delegates = {&parts}, .guard = GuardPolicy::kConvert, .allocator = &allocator});
  ASSERT_TRUE(program.ok()) << program.status().message();
  const int64_t in_program = counting.live;
  {
    auto context = program->NewContext();
    ASSERT_TRUE(context.ok()) << context.status().message();
    const TestTensor x(TensorType(DataType::kF32, declared.sizes, kNHWC));
    TestTensor y(x.type);
    const InputBuffer inputs[] = {{x.type, x.bytes.data()}};
    const OutputBuffer outputs[] = {{y.type, y.bytes.data()}};
    const int64_t before = counting.live;
    for (int64_t copies = 0; copies <= 3; ++copies) {  // of the output, of the input, and of that with room behind it
      counting.limit = counting.calls + (copies == 0 ? 0 : 1);
      const GraphStatus status = context->Run(inputs, outputs);
      EXPECT_EQ(status.code(), copies < 3 ? StatusCode::kOutOfMemory : StatusCode::kOk) << status.message();
      EXPECT_EQ(counting.live, before + copies);
    }
    counting.limit = counting.calls;
    EXPECT_TRUE(context->Run(inputs, outputs).ok());
  }
  EXPECT_EQ(counting.live, in_program);
}

// Says with what its contexts are to be made.
class CuriousDelegate final : public Delegate {
 public:
  const char* name() const noexcept override { return "curious"; }
  bool compiles() const noexcept override { return true; }
  Support Query(const Graph&, const Node& node) const override {
    return node.op == Op::kRelu ? Support::Any() : Support::No("is not its op");
  }
  GraphResult<std::vector<std::byte>> Compile(const Graph&) const noexcept override { return std::vector<std::byte>(); }
  GraphResult<std::shared_ptr<const DelegateProgram>> Load(std::span<const std::byte>) const noexcept override {
    return std::shared_ptr<const DelegateProgram>(std::make_shared<const CuriousProgram>(*this));
  }

  mutable const dimorder_executor* given_executor = nullptr;
  mutable const dimorder_allocator* given_allocator = nullptr;

 private:
  class NoContext final : public DelegateContext {
   public:
    GraphStatus Run(std::span<const void* const>, std::span<void* const>) noexcept override { return {}; }
  };
  class CuriousProgram final : public DelegateProgram {
   public:
    explicit CuriousProgram(const CuriousDelegate& delegate) : delegate_(delegate) {}
    GraphResult<std::unique_ptr<DelegateContext>> NewContext(
        const dimorder_executor* executor, const dimorder_allocator* allocator) const noexcept override {
      delegate_.given_executor = executor;
      delegate_.given_allocator = allocator;
      return std::unique_ptr<DelegateContext>(std::make_unique<NoContext>());
    }

   private:
    const CuriousDelegate& delegate_;
  };
};

TEST(Program, DelegatesGetTheCallersThreadsAndMemory) {
  GraphBuilder b("relu");
  b.Output(b.Add(Op::kRelu, {b.Input("x", TensorType(DataType::kF32, {4}))}));
  const Graph graph = b.Finish().value();
  const CuriousDelegate curious;
  CountingAllocator counting;
  const dimorder_allocator allocator = counting.Get();
  const dimorder_executor executor = {sizeof(dimorder_executor), 1,
                                      [](void*, size_t n, dimorder_task task, void* arg) {
                                        for (size_t i = 0; i < n; ++i) task(arg, i);
                                      },
                                      nullptr};
  const auto program =
      Program::Create(graph, {.delegates = {&curious}, .allocator = &allocator, .executor = &executor});
  ASSERT_TRUE(program.ok()) << program.status().message();
  ASSERT_TRUE(program->NewContext().ok());
  EXPECT_EQ(curious.given_executor, &executor);
  EXPECT_EQ(curious.given_allocator, &allocator);
}

// Also of a graph that moves nothing, for which no plan would say so.
TEST(Program, RefusesAllocatorsAndExecutorsThatAreNone) {
  GraphBuilder b("relu");
  b.Output(b.Add(Op::kRelu, {b.Add(Op::kRelu, {b.Input("x", TensorType(DataType::kF32, {4}))})}));
  const Graph graph = b.Finish().value();
  CountingAllocator counting;
  for (int missing = 0; missing < 2; ++missing) {
    dimorder_allocator allocator = counting.Get();
    if (missing == 0) allocator.allocate = nullptr;
    if (missing == 1) allocator.release = nullptr;
    EXPECT_THAT(Program::Create(graph, {.allocator = &allocator}).status().message(),
                HasSubstr("needs both allocate and release"));
  }
  const dimorder_executor executor = {sizeof(dimorder_executor), 1, nullptr, nullptr};
  EXPECT_THAT(Program::Create(graph, {.executor = &executor}).status().message(), HasSubstr("needs parallel_for"));
}

TEST(Program, FailsBeyondItsBudgetOfCopies) {
  EXPECT_TRUE(Program::Create(Chain(), {.max_copies = 1, .max_copied_bytes = 96}).ok());
  EXPECT_THAT(Program::Create(Chain(), {.max_copies = 0}).status().message(),
              HasSubstr("1 copies of 96 bytes are left, more than the budget of 0 copies; flipped: flip is part of"));
  EXPECT_THAT(Program::Create(Chain(), {.max_copied_bytes = 95}).status().message(), HasSubstr("budget of 95 bytes"));
}

TEST(Program, RecordsWhenItsStepsRan) {
  const auto program = Program::Create(Chain());
  auto context = program->NewContext();
  std::vector<StepTime> times;
  context->RecordTimes(&times);
  const TensorType type(DataType::kF32, {1, 2, 3, 4});
  const std::vector<float> x(24);
  std::vector<float> y(24);
  const InputBuffer inputs[] = {{type, x.data()}};
  const OutputBuffer outputs[] = {{type, y.data()}};
  ASSERT_TRUE(context->Run(inputs, outputs).ok());
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(program->steps()[times[0].step].name, "flipped");
  EXPECT_LE(times[0].end_ns, times[1].begin_ns);
}

TEST(Program, EmptyOnesRunNothing) {
  Context context;
  EXPECT_FALSE(context.Run({}, {}).ok());
  EXPECT_FALSE(Program().NewContext().ok());
}

}  // namespace
}  // namespace dimorder
