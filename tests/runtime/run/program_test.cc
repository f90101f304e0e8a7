// SPDX-License-Identifier: Apache-2.0
#include "dimorder/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
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

}  // namespace
}  // namespace dimorder
