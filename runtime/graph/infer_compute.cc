// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/error.h"
#include "runtime/graph/infer.h"
#include "runtime/graph/window.h"

namespace dimorder {
namespace {

bool IsFloat(DataType dtype) { return dtype == DataType::kF32 || dtype == DataType::kF16 || dtype == DataType::kBF16; }

void RequireFloat(const InferInput& in) {
  for (const TensorType* input : in.inputs) {
    if (input && !IsFloat(input->dtype)) Fail(std::string("takes no ") + DataTypeName(input->dtype));
    if (input && input->dtype != in[0].dtype) Fail("inputs differ in data type");
  }
}

void RequireRank(const TensorType& type, size_t rank, const char* what) {
  if (type.rank() != rank)
    Fail(std::string(what) + " has rank " + std::to_string(type.rank()) + ", not " + std::to_string(rank));
}

void RequireNumbers(const TensorType& type) {
  if (type.dtype == DataType::kBool) Fail("takes no bool");
}

// Of an attribute that names one of a few.
void RequireOneOf(const InferInput& in, const char* name, std::initializer_list<std::string_view> known) {
  const std::string given = in.attributes.String(name, std::string(*known.begin()));
  if (std::ranges::count(known, given) == 0) Fail(std::string(name) + " '" + given + "' is none");
}

// An optional bias of one value per channel.
void CheckBias(const InferInput& in, int64_t channels) {
  if (in.Has(2) && in[2].sizes != std::vector<int64_t>{channels}) {
    Fail("bias has sizes " + Join(in[2].sizes) + ", not [" + std::to_string(channels) + "]");
  }
}

// Batch, channels, and at least one axis to slide a window over.
void RequireSpatial(const TensorType& type) {
  if (type.rank() < 3) Fail("input has rank " + std::to_string(type.rank()) + ", not 3 or more");
}

// Batch, channels, and what `output` makes of each spatial axis.
TensorType Slid(const TensorType& x, int64_t channels, const Window& window,
                int64_t (*output)(const Window& window, size_t axis, int64_t size)) {
  std::vector<int64_t> sizes = {x.sizes[0], channels};
  for (size_t axis = 0; axis < window.axes(); ++axis) sizes.push_back(output(window, axis, x.sizes[axis + 2]));
  return TensorType(x.dtype, std::move(sizes));
}

TensorType InferPool(const InferInput& in) {
  RequireSpatial(in[0]);
  const Window window = PoolWindow(in.attributes);
  if (window.axes() + 2 != in[0].rank()) Fail("kernel " + Join(window.kernel) + " is not for " + Join(in[0].sizes));
  return Slid(in[0], in[0].sizes[1], window, PoolOutput);
}

}  // namespace

TensorType InferConv2d(const InferInput& in) {
  RequireFloat(in);
  RequireSpatial(in[0]);
  RequireRank(in[1], in[0].rank(), "weight");
  const auto& x = in[0].sizes;
  const auto& w = in[1].sizes;
  const int64_t groups = in.attributes.Int("groups", 1);
  if (groups < 1 || w[1] > INT64_MAX / groups || x[1] != w[1] * groups || w[0] % groups != 0) {
    Fail("weight " + Join(w) + " in " + std::to_string(groups) + " groups does not fit input " + Join(x));
  }
  CheckBias(in, w[0]);
  return Slid(in[0], w[0], ConvWindow(in.attributes, w), ConvOutput);
}

TensorType InferConvTranspose2d(const InferInput& in) {
  RequireFloat(in);
  RequireSpatial(in[0]);
  RequireRank(in[1], in[0].rank(), "weight");
  const auto& x = in[0].sizes;
  const auto& w = in[1].sizes;
  const int64_t groups = in.attributes.Int("groups", 1);
  if (groups < 1 || x[1] != w[0] || w[0] % groups != 0 || w[1] > INT64_MAX / groups) {
    Fail("weight " + Join(w) + " in " + std::to_string(groups) + " groups does not fit input " + Join(x));
  }
  CheckBias(in, w[1] * groups);
  return Slid(in[0], w[1] * groups, ConvWindow(in.attributes, w), ConvTransposeOutput);
}

TensorType InferMaxPool2d(const InferInput& in) {
  RequireNumbers(in[0]);
  return InferPool(in);
}

TensorType InferMaxPoolIndices(const InferInput& in) { return TensorType(DataType::kI64, InferMaxPool2d(in).sizes); }

TensorType InferAvgPool2d(const InferInput& in) {
  RequireFloat(in);
  return InferPool(in);
}

TensorType InferGlobalPool(const InferInput& in) {
  RequireFloat(in);
  if (in[0].rank() < 3) Fail("needs rank 3 or more");
  std::vector<int64_t> sizes(in[0].rank(), 1);
  std::copy_n(in[0].sizes.begin(), 2, sizes.begin());
  return TensorType(in[0].dtype, std::move(sizes));
}

TensorType InferBinary(const InferInput& in) {
  if (in[0].dtype != in[1].dtype) Fail("inputs differ in data type");
  RequireNumbers(in[0]);
  return TensorType(in[0].dtype, BroadcastSizes(in[0].sizes, in[1].sizes));
}

TensorType InferUnary(const InferInput& in) {
  RequireNumbers(in[0]);
  for (const char* bound : {"min", "max"}) {  // of clip
    if (std::isnan(in.attributes.Float(bound))) Fail(std::string(bound) + " nan is no bound");
  }
  return TensorType(in[0].dtype, in[0].sizes);
}

TensorType InferUnaryFloat(const InferInput& in) {
  RequireFloat(in);
  return TensorType(in[0].dtype, in[0].sizes);
}

TensorType InferSoftmax(const InferInput& in) {
  RequireFloat(in);
  NormalizeAxis(in.attributes.Int("dim", -1), in[0].rank());
  return TensorType(in[0].dtype, in[0].sizes);
}

TensorType InferBatchNorm(const InferInput& in) {
  RequireFloat(in);
  if (in[0].rank() < 2) Fail("needs rank 2 or more");
  for (size_t i = 1; i < 5; ++i) {
    if (in[i].sizes != std::vector<int64_t>{in[0].sizes[1]}) Fail("parameters are not one per channel");
  }
  return TensorType(in[0].dtype, in[0].sizes);
}

// numpy.matmul: leading axes broadcast, a vector is a matrix of one row or column that is dropped again.
TensorType InferMatmul(const InferInput& in) {
  RequireFloat(in);
  std::vector<int64_t> a = in[0].sizes;
  std::vector<int64_t> b = in[1].sizes;
  if (a.empty() || b.empty()) Fail("takes no scalars");
  const bool row = a.size() == 1;
  const bool column = b.size() == 1;
  if (row) a.insert(a.begin(), 1);
  if (column) b.push_back(1);
  if (a.back() != b[b.size() - 2]) Fail("sizes " + Join(in[0].sizes) + " and " + Join(in[1].sizes) + " do not chain");
  std::vector<int64_t> sizes = BroadcastSizes({a.data(), a.size() - 2}, {b.data(), b.size() - 2});
  if (!row) sizes.push_back(a[a.size() - 2]);
  if (!column) sizes.push_back(b.back());
  return TensorType(in[0].dtype, std::move(sizes));
}

TensorType InferGemm(const InferInput& in) {
  RequireFloat(in);
  RequireRank(in[0], 2, "a");
  RequireRank(in[1], 2, "b");
  const auto ta = static_cast<size_t>(in.attributes.Int("trans_a") != 0);
  const auto tb = static_cast<size_t>(in.attributes.Int("trans_b") != 0);
  if (in[0].sizes[1 - ta] != in[1].sizes[tb]) {
    Fail("sizes " + Join(in[0].sizes) + " and " + Join(in[1].sizes) + " do not chain");
  }
  std::vector<int64_t> sizes = {in[0].sizes[ta], in[1].sizes[1 - tb]};
  if (in.Has(2) && BroadcastSizes(in[2].sizes, sizes) != sizes) {
    Fail("c of " + Join(in[2].sizes) + " does not broadcast to " + Join(sizes));
  }
  return TensorType(in[0].dtype, std::move(sizes));
}

TensorType InferMean(const InferInput& in) {
  RequireFloat(in);
  const size_t rank = in[0].rank();
  const bool keep = in.attributes.Int("keepdim", 1) != 0;
  std::vector<bool> reduced(rank, !in.attributes.Has("dims"));
  for (int64_t axis : NormalizeAxes(in.attributes.Ints("dims"), rank)) reduced[static_cast<size_t>(axis)] = true;
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < rank; ++i) {
    if (!reduced[i]) sizes.push_back(in[0].sizes[i]);
    if (reduced[i] && keep) sizes.push_back(1);
  }
  return TensorType(in[0].dtype, std::move(sizes));
}

TensorType InferPad(const InferInput& in) {
  const auto pads = in.attributes.Ints("pads");
  const std::string mode = in.attributes.String("mode", "constant");
  RequireOneOf(in, "mode", {"constant", "reflect", "edge"});
  std::vector<int64_t> sizes = in[0].sizes;
  const size_t rank = sizes.size();
  if (pads.size() != 2 * rank) Fail("pads " + Join(pads) + " are not two per axis");
  for (size_t i = 0; i < rank; ++i) {
    const int64_t least = std::min(pads[i], pads[i + rank]);
    const int64_t most = std::max(pads[i], pads[i + rank]);
    if (least < 0 && mode != "constant") Fail("only mode constant takes negative pads");
    if (least < -sizes[i] || (mode == "reflect" && most > 0 && most >= sizes[i]) ||
        (mode == "edge" && most > 0 && sizes[i] == 0)) {
      Fail("pads " + Join(pads) + " are too large for " + Join(in[0].sizes));
    }
    if (__builtin_add_overflow(sizes[i], pads[i], &sizes[i]) ||
        __builtin_add_overflow(sizes[i], pads[i + rank], &sizes[i]) || sizes[i] < 0) {
      Fail("pads " + Join(pads) + " leave no shape");
    }
  }
  return TensorType(in[0].dtype, std::move(sizes));
}

TensorType InferResize(const InferInput& in) {
  RequireFloat(in);
  RequireOneOf(in, "mode", {"nearest", "linear", "cubic"});
  RequireOneOf(in, "coordinates",
               {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
                "tf_crop_and_resize"});
  RequireOneOf(in, "nearest", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  std::vector<int64_t> sizes = in.attributes.Ints("size");
  if (sizes.size() != in[0].rank()) Fail("size " + Join(sizes) + " is not one per axis");
  const auto scales = in.attributes.Floats("scales");
  if (!scales.empty() && scales.size() != sizes.size()) Fail("scales are not one per axis");
  const auto roi = in.attributes.Floats("roi");
  if (!roi.empty() && roi.size() != 2 * sizes.size()) Fail("roi has not two numbers per axis");
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (in[0].sizes[i] == 0 && sizes[i] != 0) Fail("an axis of size 0 cannot grow");
    if (!scales.empty() && !(scales[i] > 0)) Fail("a scale is not positive");
  }
  return TensorType(in[0].dtype, std::move(sizes));
}

}  // namespace dimorder
