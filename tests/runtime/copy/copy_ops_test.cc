// SPDX-License-Identifier: Apache-2.0
//
// Each copy op in every dim order of its first input and of its output, against a formula that says which input
// element each output element is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/runtime/run_graph.h"

namespace dimorder {
namespace {

using Index = std::vector<int64_t>;
struct From {
  size_t input;
  Index index;
};

struct CopyCase {
  std::string name;
  Op op;
  Attributes attributes;
  std::vector<Index> sizes;  // of the inputs
  Index out_sizes;
  std::function<From(const Index&)> from;
};

// The index of row-major position `at`.
Index Unravel(int64_t at, const Index& sizes) {
  Index index(sizes.size());
  for (size_t i = sizes.size(); i-- > 0; at /= sizes[i]) index[i] = at % sizes[i];
  return index;
}

int64_t Ravel(const Index& index, const Index& sizes) {
  int64_t at = 0;
  for (size_t i = 0; i < sizes.size(); ++i) at = at * sizes[i] + index[i];
  return at;
}

CopyCase Reshape(std::string name, Op op, Attributes attributes, const Index& in, const Index& out) {
  return {std::move(name), op, std::move(attributes), {in}, out, [in, out](const Index& i) {
            return From{0, Unravel(Ravel(i, out), in)};
          }};
}

Attributes Ints(const char* name, Index values) { return Attributes().SetInts(name, std::move(values)); }
Attributes Slice(int64_t dim, int64_t start, int64_t end, int64_t step) {
  return Attributes().SetInt("dim", dim).SetInt("start", start).SetInt("end", end).SetInt("step", step);
}

std::vector<CopyCase> MovingCases() {
  const Index s = {2, 3, 4, 5};
  return {
      {"clone",
       Op::kCloneDimOrder,
       {},
       {s},
       s,
       [](const Index& i) {
         return From{0, i};
       }},
      {"to_dim_order",
       Op::kToDimOrderCopy,
       {},
       {s},
       s,
       [](const Index& i) {
         return From{0, i};
       }},
      {"permute",
       Op::kPermuteCopy,
       Ints("dims", {3, 0, -2, 1}),
       {s},
       {5, 2, 4, 3},
       [](const Index& i) {
         return From{0, {i[1], i[3], i[2], i[0]}};
       }},
      {"permute_swap",
       Op::kPermuteCopy,
       Ints("dims", {0, 1, 3, 2}),
       {s},
       {2, 3, 5, 4},
       [](const Index& i) {
         return From{0, {i[0], i[1], i[3], i[2]}};
       }},
      {"transpose",
       Op::kTransposeCopy,
       Attributes().SetInt("dim0", -1).SetInt("dim1", 1),
       {s},
       {2, 5, 4, 3},
       [](const Index& i) {
         return From{0, {i[0], i[3], i[2], i[1]}};
       }},
      {"t",
       Op::kTCopy,
       {},
       {{3, 7}},
       {7, 3},
       [](const Index& i) {
         return From{0, {i[1], i[0]}};
       }},
      {"t1",
       Op::kTCopy,
       {},
       {{3}},
       {3},
       [](const Index& i) {
         return From{0, i};
       }},
      {"expand",
       Op::kExpandCopy,
       Ints("size", {2, 3, -1, 2}),
       {{3, 1, 2}},
       {2, 3, 1, 2},
       [](const Index& i) {
         return From{0, {i[1], i[2], i[3]}};
       }},
      {"expand1",
       Op::kExpandCopy,
       Ints("size", {2, 3, 5, 2}),
       {{2, 1, 5, 1}},
       {2, 3, 5, 2},
       [](const Index& i) {
         return From{0, {i[0], 0, i[2], 0}};
       }},
      {"slice",
       Op::kSliceCopy,
       Slice(2, 1, 3, 1),
       {s},
       {2, 3, 2, 5},
       [](const Index& i) {
         return From{0, {i[0], i[1], i[2] + 1, i[3]}};
       }},
      {"slice_step",
       Op::kSliceCopy,
       Slice(-1, -4, 100, 2),
       {s},
       {2, 3, 4, 2},
       [](const Index& i) {
         return From{0, {i[0], i[1], i[2], 1 + 2 * i[3]}};
       }},
      {"slice_back",
       Op::kSliceCopy,
       Slice(3, 10, -100, -2),
       {s},
       {2, 3, 4, 3},
       [](const Index& i) {
         return From{0, {i[0], i[1], i[2], 4 - 2 * i[3]}};
       }},
      {"slice_none",
       Op::kSliceCopy,
       Slice(3, 4, 2, 1),
       {s},
       {2, 3, 4, 0},
       [](const Index& i) {
         return From{0, i};
       }},
      {"select",
       Op::kSelectCopy,
       Attributes().SetInt("dim", 1).SetInt("index", -1),
       {s},
       {2, 4, 5},
       [](const Index& i) {
         return From{0, {i[0], 2, i[1], i[2]}};
       }},
      {"flip",
       Op::kFlip,
       Ints("dims", {1, -1}),
       {s},
       s,
       [](const Index& i) {
         return From{0, {i[0], 2 - i[1], i[2], 4 - i[3]}};
       }},
      {"cat",
       Op::kCat,
       Attributes().SetInt("dim", 1),
       {{2, 3, 2, 2}, {2, 1, 2, 2}, {2, 0, 2, 2}, {2, 2, 2, 2}},
       {2, 6, 2, 2},
       [](const Index& i) {
         const size_t k = i[1] < 3 ? 0 : i[1] < 4 ? 1 : 3;
         return From{k, {i[0], i[1] - (k == 0 ? 0 : k == 1 ? 3 : 4), i[2], i[3]}};
       }},
      {"stack",
       Op::kStack,
       Attributes().SetInt("dim", -1),
       {{3, 2, 2}, {3, 2, 2}},
       {3, 2, 2, 2},
       [](const Index& i) {
         return From{static_cast<size_t>(i[3]), {i[0], i[1], i[2]}};
       }},
      {"pixel_shuffle",
       Op::kPixelShuffle,
       Attributes().SetInt("upscale_factor", 2),
       {{2, 8, 3, 2}},
       {2, 2, 6, 4},
       [](const Index& i) {
         return From{0, {i[0], i[1] * 4 + i[2] % 2 * 2 + i[3] % 2, i[2] / 2, i[3] / 2}};
       }},
      {"depth_to_space",
       Op::kPixelShuffle,
       Attributes().SetInt("upscale_factor", 2).SetString("mode", "dcr"),
       {{2, 12, 3, 2}},
       {2, 3, 6, 4},
       [](const Index& i) {
         return From{0, {i[0], i[2] % 2 * 6 + i[3] % 2 * 3 + i[1], i[2] / 2, i[3] / 2}};
       }},
      {"pixel_unshuffle",
       Op::kPixelUnshuffle,
       Attributes().SetInt("downscale_factor", 3),
       {{1, 2, 6, 3}},
       {1, 18, 2, 1},
       [](const Index& i) {
         return From{0, {i[0], i[1] / 9, i[2] * 3 + i[1] / 3 % 3, i[3] * 3 + i[1] % 3}};
       }},
  };
}

std::vector<CopyCase> ReshapingCases() {
  return {
      Reshape("view_merge", Op::kViewCopy, Ints("size", {2, -1, 5}), {2, 3, 4, 5}, {2, 12, 5}),
      Reshape("view_split", Op::kViewCopy, Ints("size", {6, 2, 2, 5}), {6, 4, 5}, {6, 2, 2, 5}),
      Reshape("view_refine", Op::kViewCopy, Ints("size", {4, 6, 5}), {2, 12, 5}, {4, 6, 5}),
      Reshape("view_detour", Op::kViewCopy, Ints("size", {3, 8, 2}), {4, 6, 2}, {3, 8, 2}),
      Reshape("view_ones", Op::kViewCopy, Ints("size", {1, 6, 1}), {1, 2, 1, 3}, {1, 6, 1}),
      Reshape("flatten", Op::kViewCopy, Ints("size", {2, -1}), {2, 3, 4, 5}, {2, 60}),
      Reshape("squeeze", Op::kSqueezeCopy, {}, {1, 2, 1, 3}, {2, 3}),
      Reshape("squeeze_dims", Op::kSqueezeCopy, Ints("dims", {0, 1}), {1, 2, 1, 3}, {2, 1, 3}),
      Reshape("unsqueeze", Op::kUnsqueezeCopy, Attributes().SetInt("dim", -2), {4, 2, 3}, {4, 2, 1, 3}),
  };
}

template <class T>
TestTensor Ramp(DataType dtype, const Index& sizes, int first) {
  TestTensor tensor(TensorType(dtype, sizes));
  for (int64_t i = 0; i < NumElements(tensor.type); ++i) tensor.as<T>()[i] = static_cast<T>(first + i);
  return tensor;
}

template <class T>
void ExpectMatches(const CopyCase& c, const std::vector<TestTensor>& inputs, const DimOrder& order) {
  const auto made = RunNode(c.op, c.attributes, inputs, &order);
  ASSERT_TRUE(made.ok()) << made.status().message();
  ASSERT_EQ(made->type.sizes, c.out_sizes);
  int wrong = 0;
  ForEachLogical(c.out_sizes, [&](const Index& index) {
    const From from = c.from(index);
    const TestTensor& input = inputs[from.input];
    wrong += made->as<T>()[OffsetOf(made->type, index)] != input.as<T>()[OffsetOf(input.type, from.index)];
  });
  EXPECT_EQ(wrong, 0) << "from " << DimOrderToString(inputs[0].type.dim_order) << " to " << DimOrderToString(order);
}

template <class T>
void CheckInAllOrders(const CopyCase& c, DataType dtype) {
  SCOPED_TRACE(c.name);
  std::vector<TestTensor> inputs;
  for (const Index& sizes : c.sizes) inputs.push_back(Ramp<T>(dtype, sizes, 100 * static_cast<int>(inputs.size())));
  const TestTensor first = inputs[0];
  for (const DimOrder& in : AllOrders(c.sizes[0].size())) {
    inputs[0] = InOrder(first, in);
    for (const DimOrder& out : AllOrders(c.out_sizes.size())) ExpectMatches<T>(c, inputs, out);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CopyOps, MoveRightlyInAllOrders) {
  for (const CopyCase& c : MovingCases()) CheckInAllOrders<int32_t>(c, DataType::kI32);
}

TEST(CopyOps, ReshapeRightlyInAllOrders) {
  for (const CopyCase& c : ReshapingCases()) CheckInAllOrders<uint8_t>(c, DataType::kU8);
}

// Fails with a message that has all of `parts`.
void ExpectRefused(Op op, const Attributes& attributes, const Index& sizes, const std::string& part,
                   const DimOrder* order = nullptr) {
  const auto made = RunNode(op, attributes, {TestTensor(TensorType(DataType::kF32, sizes))}, order);
  ASSERT_FALSE(made.ok()) << part;
  EXPECT_THAT(made.status().message(), testing::HasSubstr(part));
}

TEST(CopyOps, RefuseWhatBreaksTheirRules) {
  ExpectRefused(Op::kPermuteCopy, Ints("dims", {0, 1}), {2, 3, 4}, "not one per axis");
  ExpectRefused(Op::kPermuteCopy, Ints("dims", {0, 1, 3}), {2, 3, 4}, "axis 3 is outside rank 3");
  ExpectRefused(Op::kTCopy, {}, {2, 3, 4}, "rank 2 at most");
  ExpectRefused(Op::kViewCopy, Ints("size", {5, -1}), {2, 3}, "does not fit 6 elements");
  ExpectRefused(Op::kViewCopy, Ints("size", {-1, -1}), {2, 3}, "is no shape");
  ExpectRefused(Op::kExpandCopy, Ints("size", {2, 4}), {2, 3}, "does not expand");
  ExpectRefused(Op::kSliceCopy, Slice(0, 0, 1, 0), {2, 3}, "step 0");
  ExpectRefused(Op::kSelectCopy, Attributes().SetInt("dim", 0).SetInt("index", 2), {2, 3}, "index 2 is outside");
  ExpectRefused(Op::kPixelShuffle, Attributes().SetInt("upscale_factor", 2), {1, 6, 2, 2}, "no multiple");
  ExpectRefused(Op::kToDimOrderCopy, Ints("dim_order", {0, 1, 1}), {2, 3, 4}, "");
  ExpectRefused(Op::kToDimOrderCopy, Attributes().SetInt("non_blocking", 1), {2, 3}, "non_blocking");
}

TEST(CopyOps, OutputMustBeInTheOrderThatTheOpSays) {
  const DimOrder nchw = kNCHW;
  ExpectRefused(Op::kToDimOrderCopy, Ints("dim_order", {0, 2, 3, 1}), {2, 3, 4, 5},
                "makes dim order (0,2,3,1), but value 'y' is declared in (0,1,2,3)", &nchw);
}

TEST(CopyOps, CopiesWithoutAnOrderKeepTheirInputs) {
  const TestTensor x(TensorType(DataType::kF32, {2, 3, 4, 5}, kHWCN));
  const auto made = RunNode(Op::kCloneDimOrder, {}, {x}, nullptr);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->type.dim_order, kHWCN);
}

TEST(CopyOps, ToCopyKnowsMemoryFormats) {
  const TestTensor x = Ramp<int32_t>(DataType::kI32, {1, 2, 2, 2}, 0);
  const auto made = RunNode(Op::kToCopy, Attributes().SetString("memory_format", "channels_last"), {x}, nullptr);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->type.dim_order, kNHWC);
  EXPECT_EQ(made->as<int32_t>()[1], 4);
}

}  // namespace
}  // namespace dimorder
