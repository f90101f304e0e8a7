// SPDX-License-Identifier: Apache-2.0
#include "dimorder/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <vector>

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

// Counts what it hands out; none after the first `limit`.
struct CountingAllocator {
  int64_t limit;
  int64_t live = 0;
  int64_t calls = 0;

  dimorder_allocator Get() {
    const auto allocate = [](void* ctx, size_t bytes, size_t alignment) -> void* {
      auto* self = static_cast<CountingAllocator*>(ctx);
      if (self->calls++ >= self->limit) return nullptr;
      ++self->live;
      return ::operator new(bytes, std::align_val_t(alignment));
    };
    const auto release = [](void* ctx, void* pointer, size_t) {
      --static_cast<CountingAllocator*>(ctx)->live;
      ::operator delete(pointer, std::align_val_t(64));
    };
    return {sizeof(dimorder_allocator), allocate, release, this};
  }
};

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

// Also of a graph that moves nothing, for which no plan would say so.
TEST(Program, RefusesAllocatorsAndExecutorsThatAreNone) {
  GraphBuilder b("relu");
  b.Output(b.Add(Op::kRelu, {b.Add(Op::kRelu, {b.Input("x", TensorType(DataType::kF32, {4}))})}));
  const Graph graph = b.Finish().value();
  CountingAllocator counting{1000};
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
