// SPDX-License-Identifier: Apache-2.0
//
// A caller's tensor in any order, for a graph declared in any order: taken, refused with both orders in the text, or
// converted; never read wrongly, and never refused for where its size-1 axes stand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using ::testing::HasSubstr;

const std::vector<int64_t> kShapes[] = {{2, 3, 4, 5}, {3, 1, 3, 3}, {1, 64, 1, 1}, {1, 1, 49, 10},
                                        {1, 3, 2, 2}, {2, 3, 1, 1}, {1, 1, 1, 1},  {2, 0, 3, 4}};

TestTensor Ramp(const std::vector<int64_t>& sizes) {
  TestTensor tensor(TensorType(DataType::kF32, sizes));
  for (int64_t i = 0; i < NumElements(tensor.type); ++i) tensor.as<float>()[i] = static_cast<float>(i);
  return tensor;
}

// Whether every element lies at the same place: by the indices themselves, without strides.
bool AlikeByIndex(const TensorType& a, const TensorType& b) {
  bool alike = true;
  ForEachLogical(a.sizes, [&](const std::vector<int64_t>& i) { alike = alike && OffsetOf(a, i) == OffsetOf(b, i); });
  return alike;
}

Graph Negation(const TensorType& in, const TensorType& out) {
  GraphBuilder b("g");
  const ValueId x = b.Input("x", in);
  b.Output(b.Add(Op::kLeakyRelu, {x}, Attributes().SetFloat("alpha", 1), "y", &out.dim_order));
  return b.Finish().value();
}

void Check(const TestTensor& plain, const DimOrder& declared, const DimOrder& given, GuardPolicy policy) {
  const TensorType in(DataType::kF32, plain.type.sizes, declared);
  const auto program = Program::Create(Negation(in, plain.type), {.guard = policy});
  ASSERT_TRUE(program.ok());
  const TestTensor x = InOrder(plain, given);
  std::vector<TestTensor> outputs = {TestTensor(x.type)};
  const GraphStatus status = RunProgram(*program, {x}, outputs);
  const bool alike = AlikeByIndex(in, x.type) && AlikeByIndex(plain.type, x.type);
  if (policy == GuardPolicy::kError) {
    ASSERT_EQ(status.ok(), alike) << DimOrderToString(declared) << DimOrderToString(given) << status.message();
    if (!alike) {
      EXPECT_THAT(status.message(), HasSubstr("given in " + DimOrderToString(given)));
      return;
    }
  }
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(outputs[0].bytes, x.bytes);
}

TEST(Guard, AllOrdersOfInputAndOutput) {
  for (const auto& sizes : kShapes) {
    const TestTensor plain = Ramp(sizes);
    for (const DimOrder& declared : AllOrders(4)) {
      for (const DimOrder& given : AllOrders(4)) {
        Check(plain, declared, given, GuardPolicy::kError);
        Check(plain, declared, given, GuardPolicy::kConvert);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Guard, NamesTheTensorAndBothOrders) {
  const TestTensor plain = Ramp({1, 3, 2, 2});
  const auto program = Program::Create(Negation(plain.type, plain.type));
  std::vector<TestTensor> outputs = {plain};
  const GraphStatus status = RunProgram(*program, {InOrder(plain, kNHWC)}, outputs);
  EXPECT_EQ(status.message(),
            "input 'x': declared in dim order (0,1,2,3), given in (0,2,3,1), which are laid out differently for sizes "
            "[1, 3, 2, 2]");
}

TEST(Guard, RefusesOtherTypesSizesCountsAndNull) {
  const TestTensor plain = Ramp({1, 3, 2, 2});
  const auto program = Program::Create(Negation(plain.type, plain.type), {.guard = GuardPolicy::kConvert});
  std::vector<TestTensor> outputs = {plain};
  EXPECT_THAT(RunProgram(*program, {}, outputs).message(), HasSubstr("has 1 inputs and 1 outputs, not 0 and 1"));
  EXPECT_THAT(RunProgram(*program, {Ramp({1, 3, 4, 1})}, outputs).message(), HasSubstr("given f32[1,3,4,1]"));
  TestTensor other = plain;
  other.type.dtype = DataType::kI32;
  EXPECT_THAT(RunProgram(*program, {other}, outputs).message(), HasSubstr("given i32[1,3,2,2]"));
  other = plain;
  other.type.dim_order = {0, 1, 2, 2};
  EXPECT_FALSE(RunProgram(*program, {other}, outputs).ok());
  auto context = program->NewContext();
  const InputBuffer null[] = {{plain.type, nullptr}};
  const OutputBuffer output[] = {{plain.type, outputs[0].bytes.data()}};
  EXPECT_THAT(context->Run(null, output).message(), HasSubstr("input 'x': has no data"));
  const InputBuffer same[] = {{plain.type, outputs[0].bytes.data()}};
  EXPECT_THAT(context->Run(same, output).message(), HasSubstr("output 'y' shares bytes with input 'x'"));
}

}  // namespace
}  // namespace dimorder
