// SPDX-License-Identifier: Apache-2.0
//
// Every copy op is a move between two views. Most ops only choose how to see their input (permute, slice, flip, ...);
// cat and stack put each input into a slice of the output; a pixel shuffle sees both sides split up; a reshape sees one
// side under the other's sizes, or both under sizes that refine both, and only where strides cannot say that does it
// take a detour over row-major scratch. Dim orders need no care here: they are strides of the views.
#include "runtime/copy/lower.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/error.h"
#include "runtime/graph/infer.h"
#include "runtime/graph/quantization.h"

namespace dimorder {
namespace {

// The input as the output's logical elements, where a choice of strides says it.
std::optional<View> SeenAsOutput(const Node& node, const View& in, std::span<const int64_t> out_sizes) {
  const Attributes& attributes = node.attributes;
  if (const auto dims = PermutedAxes(node, in.rank())) return PermuteView(in, *dims);
  switch (node.op) {
    case Op::kToDimOrderCopy:
    case Op::kToCopy:
    case Op::kDropout:
      return in;
    case Op::kViewCopy:
    case Op::kSqueezeCopy:
    case Op::kUnsqueezeCopy:
      return ReshapeView(in, out_sizes);
    case Op::kExpandCopy:
      return ExpandView(in, out_sizes);
    case Op::kSliceCopy: {
      const auto axis = static_cast<size_t>(NormalizeAxis(attributes.Int("dim"), in.rank()));
      const SliceRange range = ResolveSlice(attributes, in.sizes[axis]);
      return SliceView(in, axis, range.start, range.step, range.length);
    }
    case Op::kSelectCopy: {
      const auto axis = static_cast<size_t>(NormalizeAxis(attributes.Int("dim"), in.rank()));
      const int64_t index = attributes.Int("index");
      return SelectView(in, axis, index < 0 ? index + in.sizes[axis] : index);
    }
    case Op::kFlip:
      return FlipView(in, NormalizeAxes(attributes.Ints("dims"), in.rank()));
    default:
      return std::nullopt;
  }
}

CopySteps OneMove(View src, View dst, int64_t element_bytes) {
  CopySteps copy;
  copy.steps.emplace_back(MoveStep{0, kStepOutput, std::move(src), std::move(dst), element_bytes});
  return copy;
}

CopySteps LowerReshape(const TensorType& input, const TensorType& output) {
  const int64_t bytes = DataTypeBytes(input.dtype);
  const View in = DenseView(input);
  const View out = DenseView(output);
  if (auto seen = ReshapeView(in, out.sizes)) return OneMove(std::move(*seen), out, bytes);
  if (auto seen = ReshapeView(out, in.sizes)) return OneMove(in, std::move(*seen), bytes);
  if (auto both = RefineViews(in, out)) return OneMove(std::move(both->first), std::move(both->second), bytes);
  CopySteps copy;
  copy.scratch_bytes = NumBytes(input);
  copy.steps.emplace_back(MoveStep{0, kStepScratch, in, DenseView(TensorType(input.dtype, input.sizes)), bytes});
  copy.steps.emplace_back(
      MoveStep{kStepScratch, kStepOutput, DenseView(TensorType(output.dtype, output.sizes)), out, bytes});
  return copy;
}

CopySteps LowerCat(const Node& node, std::span<const TensorType* const> inputs, const TensorType& output) {
  CopySteps copy;
  const View out = DenseView(output);
  const auto axis = static_cast<size_t>(NormalizeAxis(node.attributes.Int("dim"), output.rank()));
  int64_t start = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    View in = DenseView(*inputs[i]);
    if (node.op == Op::kStack) in = UnsqueezeView(std::move(in), axis);
    const int64_t length = in.sizes[axis];
    View part = SliceView(out, axis, start, 1, length);
    start += length;
    if (NumElements(*inputs[i]) == 0) continue;
    copy.steps.emplace_back(
        MoveStep{static_cast<int>(i), kStepOutput, std::move(in), std::move(part), DataTypeBytes(output.dtype)});
  }
  return copy;
}

// `packed` holds the factor^2 sub-pixels as channels, `spread` as pixels; both views get the axes
// (..., C, H, factor, W, factor). Channels lie as (C, factor, factor) in mode crd and (factor, factor, C) in dcr.
std::pair<View, View> SplitPixels(const View& packed, const View& spread, int64_t factor, bool dcr) {
  const size_t c = packed.rank() - 3;
  const int64_t channels = spread.sizes[c];
  View p = SplitAxisView(packed, c, dcr ? channels : factor);
  p = SplitAxisView(std::move(p), c, factor);
  std::vector<int64_t> dims(p.rank());
  std::iota(dims.begin(), dims.end(), 0);
  const auto at = static_cast<int64_t>(c);
  const int64_t h = at + 3;
  const int64_t w = at + 4;
  const int64_t order[] = {dcr ? at + 2 : at, h, dcr ? at : at + 1, w, dcr ? at + 1 : at + 2};
  std::copy(std::begin(order), std::end(order), dims.begin() + at);
  View s = SplitAxisView(spread, c + 1, factor);
  s = SplitAxisView(std::move(s), c + 3, factor);
  return {PermuteView(p, dims), std::move(s)};
}

CopySteps LowerPixels(const Node& node, const TensorType& input, const TensorType& output) {
  const bool dcr = node.attributes.String("mode", "crd") == "dcr";
  const int64_t bytes = DataTypeBytes(input.dtype);
  if (node.op == Op::kPixelShuffle) {
    auto [in, out] = SplitPixels(DenseView(input), DenseView(output), node.attributes.Int("upscale_factor"), dcr);
    return OneMove(std::move(in), std::move(out), bytes);
  }
  auto [out, in] = SplitPixels(DenseView(output), DenseView(input), node.attributes.Int("downscale_factor"), dcr);
  return OneMove(std::move(in), std::move(out), bytes);
}

TensorType As(DataType dtype, const TensorType& type) { return TensorType(dtype, type.sizes, type.dim_order); }

// First the values, where they lie; then the move, if one is needed.
CopySteps LowerChange(const ValueChange& change, const TensorType& input, const TensorType& output) {
  CopySteps copy;
  const TensorType changed(output.dtype, input.sizes, input.dim_order);
  if (SameLayout(changed, output)) {
    copy.steps.emplace_back(ChangeStep{0, kStepOutput, change});
    return copy;
  }
  copy.scratch_bytes = NumBytes(changed);
  copy.steps.emplace_back(ChangeStep{0, kStepScratch, change});
  copy.steps.emplace_back(
      MoveStep{kStepScratch, kStepOutput, DenseView(changed), DenseView(output), DataTypeBytes(output.dtype)});
  return copy;
}

}  // namespace

std::optional<std::vector<int64_t>> PermutedAxes(const Node& node, size_t rank) {
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  switch (node.op) {
    case Op::kCloneDimOrder:
      return axes;
    case Op::kPermuteCopy:
      return NormalizeAxes(node.attributes.Ints("dims"), rank);
    case Op::kTCopy:
      std::ranges::reverse(axes);
      return axes;
    case Op::kTransposeCopy:
      std::swap(axes[static_cast<size_t>(NormalizeAxis(node.attributes.Int("dim0"), rank))],
                axes[static_cast<size_t>(NormalizeAxis(node.attributes.Int("dim1"), rank))]);
      return axes;
    default:
      return std::nullopt;
  }
}

bool IsLowered(Op op) { return IsCopyOp(op) || op == Op::kQuantize || op == Op::kDequantize; }

CopySteps LowerCopy(const Node& node, std::span<const TensorType* const> inputs, const TensorType& output) {
  if (node.op == Op::kEmptyDimOrder || NumElements(output) == 0) return {};
  const TensorType& input = *inputs[0];
  switch (node.op) {
    case Op::kQuantize:
      return LowerChange(QuantizeChange(QuantizedType(node.attributes, As(output.dtype, input))), input, output);
    case Op::kDequantize:
      return LowerChange(DequantizeChange(QuantizedType(node.attributes, As(input.dtype, input))), input, output);
    case Op::kCat:
    case Op::kStack:
      return LowerCat(node, inputs, output);
    case Op::kPixelShuffle:
    case Op::kPixelUnshuffle:
      return LowerPixels(node, input, output);
    case Op::kViewCopy:
    case Op::kSqueezeCopy:
    case Op::kUnsqueezeCopy:
      return LowerReshape(input, output);
    default:
      break;
  }
  if (input.dtype != output.dtype) return LowerChange(CastChange(input.dtype, output), input, output);
  const auto seen = SeenAsOutput(node, DenseView(input), output.sizes);
  if (!seen) FailUnsupported(std::string(OpName(node.op)) + " is no copy op");
  return OneMove(*seen, DenseView(output), DataTypeBytes(output.dtype));
}

std::optional<DimOrder> RenameOutputOrder(const Node& node, const TensorType& input, const TensorType& output) {
  if (input.dtype != output.dtype || NumElements(input) != NumElements(output)) return std::nullopt;
  const auto seen = SeenAsOutput(node, DenseView(input), output.sizes);
  return seen ? DenseOrder(*seen, DataTypeBytes(input.dtype)) : std::nullopt;
}

std::optional<DimOrder> RenameInputOrder(const Node& node, const TensorType& input, const TensorType& output) {
  if (input.dtype != output.dtype || NumElements(input) != NumElements(output)) return std::nullopt;
  const View out = DenseView(output);
  std::optional<View> seen;
  if (const auto dims = PermutedAxes(node, input.rank())) {
    std::vector<int64_t> inverse(dims->size());
    for (size_t i = 0; i < dims->size(); ++i) inverse[static_cast<size_t>((*dims)[i])] = static_cast<int64_t>(i);
    seen = PermuteView(out, inverse);
  } else {
    // What keeps every element in its row-major place looks the same from both sides; the rest answers to the test.
    seen = ReshapeView(out, input.sizes);
  }
  const auto order = seen ? DenseOrder(*seen, DataTypeBytes(input.dtype)) : std::nullopt;
  if (!order) return std::nullopt;
  const auto back = RenameOutputOrder(node, TensorType(input.dtype, input.sizes, *order), output);
  if (!back || !SameLayout(TensorType(output.dtype, output.sizes, *back), output)) return std::nullopt;
  return order;
}

}  // namespace dimorder
