// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/graph/infer.h"
#include "runtime/graph/quantization.h"

namespace dimorder {
namespace {

// A copy that says no order keeps its input's (ExecuTorch, since 2026: no memory_format means inherit).
DimOrder OrderOr(const InferInput& in, const DimOrder& otherwise) {
  if (!in.attributes.Has("dim_order")) return otherwise;
  const std::vector<int64_t> order = in.attributes.Ints("dim_order");
  return DimOrder(order.data(), order.size());
}

TensorType Like(const TensorType& in, std::vector<int64_t> sizes) { return TensorType(in.dtype, std::move(sizes)); }

int64_t Factor(const InferInput& in, const char* name) {
  const int64_t factor = in.attributes.Int(name);
  if (factor < 1 || factor > 65536) Fail(std::string(name) + " " + std::to_string(factor) + " is not in 1..65536");
  if (in[0].rank() < 3) Fail("needs rank 3 or more");
  const std::string mode = in.attributes.String("mode", "crd");
  if (mode != "crd" && mode != "dcr") Fail("mode '" + mode + "' is neither crd nor dcr");
  return factor;
}

}  // namespace

TensorType InferToDimOrderCopy(const InferInput& in) {
  if (in.attributes.Int("non_blocking") != 0) Fail("non_blocking is not supported");
  return TensorType(DataTypeOf(in.attributes, "dtype", in[0].dtype), in[0].sizes, OrderOr(in, in[0].dim_order));
}

TensorType InferEmptyDimOrder(const InferInput& in) {
  std::vector<int64_t> sizes = in.attributes.Ints("size");
  const DimOrder order = OrderOr(in, IdentityOrder(sizes.size()));
  return TensorType(DataTypeOf(in.attributes, "dtype", DataType::kF32), std::move(sizes), order);
}

TensorType InferToCopy(const InferInput& in) {
  const size_t rank = in[0].rank();
  const std::string format = in.attributes.String("memory_format", "preserve");
  DimOrder order = in[0].dim_order;
  if (format == "contiguous") {
    order = IdentityOrder(rank);
  } else if (format == "channels_last" && rank == 4) {
    order = kNHWC;
  } else if (format == "channels_last_3d" && rank == 5) {
    order = kNDHWC;
  } else if (format != "preserve") {
    Fail("memory_format '" + format + "' is none for rank " + std::to_string(rank));
  }
  return TensorType(DataTypeOf(in.attributes, "dtype", in[0].dtype), in[0].sizes, order);
}

TensorType InferPermute(const InferInput& in) {
  const auto given = in.attributes.Ints("dims");
  if (given.size() != in[0].rank()) {
    Fail("dims " + Join(given) + " are not one per axis of rank " + std::to_string(in[0].rank()));
  }
  std::vector<int64_t> sizes;
  for (int64_t axis : NormalizeAxes(given, in[0].rank())) sizes.push_back(in[0].sizes[static_cast<size_t>(axis)]);
  return Like(in[0], std::move(sizes));
}

TensorType InferTranspose(const InferInput& in) {
  std::vector<int64_t> sizes = in[0].sizes;
  const auto a = NormalizeAxis(in.attributes.Int("dim0"), sizes.size());
  const auto b = NormalizeAxis(in.attributes.Int("dim1"), sizes.size());
  std::swap(sizes[static_cast<size_t>(a)], sizes[static_cast<size_t>(b)]);
  return Like(in[0], std::move(sizes));
}

TensorType InferT(const InferInput& in) {
  if (in[0].rank() > 2) Fail("takes rank 2 at most, not " + std::to_string(in[0].rank()));
  std::vector<int64_t> sizes = in[0].sizes;
  std::reverse(sizes.begin(), sizes.end());
  return Like(in[0], std::move(sizes));
}

TensorType InferView(const InferInput& in) {
  return Like(in[0], ResolveView(in.attributes.Ints("size"), NumElements(in[0])));
}

TensorType InferSqueeze(const InferInput& in) {
  const size_t rank = in[0].rank();
  std::vector<bool> drop(rank, !in.attributes.Has("dims"));
  for (int64_t axis : NormalizeAxes(in.attributes.Ints("dims"), rank)) drop[static_cast<size_t>(axis)] = true;
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < rank; ++i) {
    if (!drop[i] || in[0].sizes[i] != 1) sizes.push_back(in[0].sizes[i]);
  }
  return Like(in[0], std::move(sizes));
}

TensorType InferUnsqueeze(const InferInput& in) {
  std::vector<int64_t> sizes = in[0].sizes;
  const int64_t axis = NormalizeAxis(in.attributes.Int("dim"), sizes.size() + 1);
  sizes.insert(sizes.begin() + axis, 1);
  return Like(in[0], std::move(sizes));
}

TensorType InferExpand(const InferInput& in) {
  if (in.attributes.Int("implicit") != 0) Fail("implicit is not supported");
  std::vector<int64_t> sizes = in.attributes.Ints("size");
  if (sizes.size() < in[0].rank()) Fail("size " + Join(sizes) + " has a lower rank than the input");
  const size_t added = sizes.size() - in[0].rank();
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i < added) {
      if (sizes[i] < 0) Fail("size " + Join(sizes) + " is negative on a new axis");
      continue;
    }
    const int64_t from = in[0].sizes[i - added];
    if (sizes[i] == -1) sizes[i] = from;
    if (sizes[i] < 0 || (from != 1 && sizes[i] != from)) {
      Fail("size " + Join(sizes) + " does not expand " + Join(in[0].sizes));
    }
  }
  return Like(in[0], std::move(sizes));
}

TensorType InferSlice(const InferInput& in) {
  std::vector<int64_t> sizes = in[0].sizes;
  const auto axis = static_cast<size_t>(NormalizeAxis(in.attributes.Int("dim"), sizes.size()));
  sizes[axis] = ResolveSlice(in.attributes, sizes[axis]).length;
  return Like(in[0], std::move(sizes));
}

TensorType InferSelect(const InferInput& in) {
  std::vector<int64_t> sizes = in[0].sizes;
  const int64_t axis = NormalizeAxis(in.attributes.Int("dim"), sizes.size());
  const int64_t size = sizes[static_cast<size_t>(axis)];
  const int64_t index = in.attributes.Int("index");
  if (index < -size || index >= size) {
    Fail("index " + std::to_string(index) + " is outside an axis of " + std::to_string(size));
  }
  sizes.erase(sizes.begin() + axis);
  return Like(in[0], std::move(sizes));
}

TensorType InferCat(const InferInput& in) {
  std::vector<int64_t> sizes = in[0].sizes;
  const auto axis = static_cast<size_t>(NormalizeAxis(in.attributes.Int("dim"), sizes.size()));
  for (size_t i = 1; i < in.inputs.size(); ++i) {
    const TensorType& other = in[i];
    if (other.dtype != in[0].dtype) Fail("inputs differ in data type");
    if (other.rank() != sizes.size()) Fail("inputs differ in rank");
    for (size_t k = 0; k < sizes.size(); ++k) {
      if (k == axis) {
        if (__builtin_add_overflow(sizes[k], other.sizes[k], &sizes[k])) Fail("the sizes' sum overflows");
      } else if (sizes[k] != other.sizes[k]) {
        Fail("input " + std::to_string(i) + " has sizes " + Join(other.sizes) + ", the first " + Join(in[0].sizes));
      }
    }
  }
  return Like(in[0], std::move(sizes));
}

TensorType InferStack(const InferInput& in) {
  std::vector<int64_t> sizes = in[0].sizes;
  for (const TensorType* input : in.inputs) {
    if (input->dtype != in[0].dtype || input->sizes != sizes) Fail("inputs differ in data type or sizes");
  }
  const int64_t axis = NormalizeAxis(in.attributes.Int("dim"), sizes.size() + 1);
  sizes.insert(sizes.begin() + axis, static_cast<int64_t>(in.inputs.size()));
  return Like(in[0], std::move(sizes));
}

TensorType InferFlip(const InferInput& in) {
  NormalizeAxes(in.attributes.Ints("dims"), in[0].rank());
  return Like(in[0], in[0].sizes);
}

TensorType InferPixelShuffle(const InferInput& in) {
  const int64_t r = Factor(in, "upscale_factor");
  std::vector<int64_t> sizes = in[0].sizes;
  const size_t c = sizes.size() - 3;
  if (sizes[c] % (r * r) != 0) Fail(std::to_string(sizes[c]) + " channels are no multiple of the factor's square");
  sizes[c] /= r * r;
  if (__builtin_mul_overflow(sizes[c + 1], r, &sizes[c + 1]) ||
      __builtin_mul_overflow(sizes[c + 2], r, &sizes[c + 2])) {
    Fail("the sizes overflow");
  }
  return Like(in[0], std::move(sizes));
}

TensorType InferPixelUnshuffle(const InferInput& in) {
  const int64_t r = Factor(in, "downscale_factor");
  std::vector<int64_t> sizes = in[0].sizes;
  const size_t c = sizes.size() - 3;
  if (sizes[c + 1] % r != 0 || sizes[c + 2] % r != 0) Fail("height or width is no multiple of the factor");
  if (__builtin_mul_overflow(sizes[c], r * r, &sizes[c])) Fail("the sizes overflow");
  sizes[c + 1] /= r;
  sizes[c + 2] /= r;
  return Like(in[0], std::move(sizes));
}

TensorType InferQuantize(const InferInput& in) {
  if (in[0].dtype != DataType::kF32) Fail("takes f32");
  const DataType dtype = DataTypeOf(in.attributes, "dtype", DataType::kI8);
  if (!IsQuantizedType(dtype)) Fail("makes i8, u8, i16 or i32");
  QuantizedType(in.attributes, TensorType(dtype, in[0].sizes));
  return TensorType(dtype, in[0].sizes);
}

TensorType InferDequantize(const InferInput& in) {
  if (!IsQuantizedType(in[0].dtype)) Fail("takes i8, u8, i16 or i32");
  const TensorType said = QuantizedType(in.attributes, TensorType(in[0].dtype, in[0].sizes));
  if (in[0].quantized() && in[0].quantization != said.quantization) {
    Fail("dequantizes " + ToString(in[0]) + " as " + ToString(said));
  }
  return TensorType(DataType::kF32, in[0].sizes);
}

}  // namespace dimorder
