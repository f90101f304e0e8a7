// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_GRAPH_INFER_H_
#define DIMORDER_RUNTIME_GRAPH_INFER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/graph/op_table.h"

// What each op makes of its inputs' types. Throw Error where the op's rules are broken.
namespace dimorder {

// `axis`, which may count from the end, as an axis of `rank`.
int64_t NormalizeAxis(int64_t axis, size_t rank);
// Each of `axes` in the same way; no two may be the same.
std::vector<int64_t> NormalizeAxes(std::span<const int64_t> axes, size_t rank);
// `sizes` with its one -1 replaced so that there are `elements` elements.
std::vector<int64_t> ResolveView(std::vector<int64_t> sizes, int64_t elements);
// numpy's broadcasting.
std::vector<int64_t> BroadcastSizes(std::span<const int64_t> a, std::span<const int64_t> b);
// An attribute that holds a DataType.
DataType DataTypeOf(const Attributes& attributes, const char* name, DataType otherwise);

// start, end and step of slice_copy, clamped as Python does; `length` is what they select.
struct SliceRange {
  int64_t start;
  int64_t step;
  int64_t length;
};
SliceRange ResolveSlice(const Attributes& attributes, int64_t size);

// infer_copy.cc
TensorType InferToDimOrderCopy(const InferInput& in);
TensorType InferEmptyDimOrder(const InferInput& in);
TensorType InferToCopy(const InferInput& in);
TensorType InferPermute(const InferInput& in);
TensorType InferTranspose(const InferInput& in);
TensorType InferT(const InferInput& in);
TensorType InferView(const InferInput& in);
TensorType InferSqueeze(const InferInput& in);
TensorType InferUnsqueeze(const InferInput& in);
TensorType InferExpand(const InferInput& in);
TensorType InferSlice(const InferInput& in);
TensorType InferSelect(const InferInput& in);
TensorType InferCat(const InferInput& in);
TensorType InferStack(const InferInput& in);
TensorType InferFlip(const InferInput& in);
TensorType InferPixelShuffle(const InferInput& in);
TensorType InferPixelUnshuffle(const InferInput& in);
TensorType InferQuantize(const InferInput& in);
TensorType InferDequantize(const InferInput& in);

// infer_compute.cc
TensorType InferConv2d(const InferInput& in);
TensorType InferConvTranspose2d(const InferInput& in);
TensorType InferMaxPool2d(const InferInput& in);
TensorType InferMaxPoolIndices(const InferInput& in);
TensorType InferAvgPool2d(const InferInput& in);
TensorType InferGlobalPool(const InferInput& in);
TensorType InferBinary(const InferInput& in);
TensorType InferUnary(const InferInput& in);
TensorType InferUnaryFloat(const InferInput& in);
TensorType InferSoftmax(const InferInput& in);
TensorType InferBatchNorm(const InferInput& in);
TensorType InferMatmul(const InferInput& in);
TensorType InferGemm(const InferInput& in);
TensorType InferMean(const InferInput& in);
TensorType InferPad(const InferInput& in);
TensorType InferResize(const InferInput& in);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_GRAPH_INFER_H_
