// SPDX-License-Identifier: Apache-2.0
//
// One function of XNNPACK per op. They are those that its versions of 2022 and of today have in common; some are
// deprecated in the newer ones, whose replacements the older ones lack.
#include <algorithm>
#include <string>
#include <vector>

#include "runtime/error.h"
#include "runtime/graph/window.h"
#include "runtime/lowering/memory_order.h"
#include "runtime/lowering/padding.h"
#include "runtime/xnnpack/quantized.h"
#include "runtime/xnnpack/query.h"
#include "runtime/xnnpack/subgraph.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace dimorder {
namespace {

uint32_t U32(int64_t n) { return static_cast<uint32_t>(n); }
size_t Size(int64_t n) { return static_cast<size_t>(n); }

// Depthwise weights are (H,W,C*M), with channel c*M+m.
xnn_status DefineDepthwise(const DefineNode& d, const Window& w) {
  const int64_t channels = d.in(0).sizes[1];
  return xnn_define_depthwise_convolution_2d(d.subgraph, U32(w.before[0]), U32(w.after[1]), U32(w.after[0]),
                                             U32(w.before[1]), U32(w.kernel[0]), U32(w.kernel[1]), U32(w.stride[0]),
                                             U32(w.stride[1]), U32(w.dilation[0]), U32(w.dilation[1]),
                                             U32(d.in(1).sizes[0] / channels), Size(channels), d.range.min, d.range.max,
                                             d.inputs[0], d.inputs[1], d.inputs[2], d.output, 0);
}

xnn_status DefineConv2d(const DefineNode& d) {
  const auto& weights = d.in(1).sizes;
  const Window w = ConvWindow(d.node.attributes, weights);
  if (IsDepthwise(d.graph, d.node)) return DefineDepthwise(d, w);
  const int64_t groups = d.node.attributes.Int("groups", 1);
  return xnn_define_convolution_2d(d.subgraph, U32(w.before[0]), U32(w.after[1]), U32(w.after[0]), U32(w.before[1]),
                                   U32(w.kernel[0]), U32(w.kernel[1]), U32(w.stride[0]), U32(w.stride[1]),
                                   U32(w.dilation[0]), U32(w.dilation[1]), U32(groups), Size(weights[1]),
                                   Size(weights[0] / groups), d.range.min, d.range.max, d.inputs[0], d.inputs[1],
                                   d.inputs[2], d.output, 0);
}

xnn_status DefineConvTranspose2d(const DefineNode& d) {
  const auto& weights = d.in(1).sizes;
  const Window w = ConvWindow(d.node.attributes, weights);
  const int64_t groups = d.node.attributes.Int("groups", 1);
  return xnn_define_deconvolution_2d(d.subgraph, U32(w.before[0]), U32(w.after[1]), U32(w.after[0]), U32(w.before[1]),
                                     U32(w.output_padding[0]), U32(w.output_padding[1]), U32(w.kernel[0]),
                                     U32(w.kernel[1]), U32(w.stride[0]), U32(w.stride[1]), U32(w.dilation[0]),
                                     U32(w.dilation[1]), U32(groups), Size(weights[0] / groups), Size(weights[1]),
                                     d.range.min, d.range.max, d.inputs[0], d.inputs[1], d.inputs[2], d.output, 0);
}

// Each row of a matrix as an image of one pixel.
xnn_status DefineProductByConvolution(const DefineNode& d) {
  const auto columns_in = Size(d.in(0).sizes.back());
  const auto columns_out = Size(d.out().sizes.back());
  const size_t rows = Size(NumElements(d.out())) / columns_out;
  const std::vector<size_t> before = {rows, 1, 1, columns_in};
  const std::vector<size_t> after = {rows, 1, 1, columns_out};
  const uint32_t x = DefineValue(d.subgraph, d.in(0), before);
  const uint32_t y = DefineValue(d.subgraph, d.out(), after);
  CheckXnnpack(xnn_define_static_reshape(d.subgraph, before.size(), before.data(), d.inputs[0], x, 0), "reshape rows");
  CheckXnnpack(xnn_define_convolution_2d(d.subgraph, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, columns_in, columns_out,
                                         d.range.min, d.range.max, x, d.inputs[1], d.inputs[2], y, 0),
               "multiply by a convolution");
  const std::vector<size_t> sizes(d.out().sizes.begin(), d.out().sizes.end());
  return xnn_define_static_reshape(d.subgraph, sizes.size(), sizes.data(), y, d.output, 0);
}

xnn_status DefineProduct(const DefineNode& d) {
  if (IsProductByConvolution({d.graph, d.node})) return DefineProductByConvolution(d);
  return xnn_define_fully_connected(d.subgraph, d.range.min, d.range.max, d.inputs[0], d.inputs[1], d.inputs[2],
                                    d.output, 0);
}

// XNNPACK drops the last step that does not fit: where it counts, padding makes it fit.
Window PaddedPool(const DefineNode& d) {
  Window w = PoolWindow(d.node.attributes);
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t exact = ExactPaddingAfter(w, axis, d.in(0).sizes[axis + 2], d.out().sizes[axis + 2]);
    w.after[axis] = std::max<int64_t>(exact, 0);
  }
  return w;
}

xnn_status DefineMaxPool(const DefineNode& d, const Window& w) {
  return xnn_define_max_pooling_2d(d.subgraph, U32(w.before[0]), U32(w.after[1]), U32(w.after[0]), U32(w.before[1]),
                                   U32(w.kernel[0]), U32(w.kernel[1]), U32(w.stride[0]), U32(w.stride[1]),
                                   U32(w.dilation[0]), U32(w.dilation[1]), d.range.min, d.range.max, d.inputs[0],
                                   d.output, 0);
}

xnn_status DefineGlobalMaxPool(const DefineNode& d) {
  Window w(2);
  w.kernel = {d.in(0).sizes[2], d.in(0).sizes[3]};
  return DefineMaxPool(d, w);
}

xnn_status DefineAvgPool(const DefineNode& d) {
  const Window w = PaddedPool(d);
  return xnn_define_average_pooling_2d(d.subgraph, U32(w.before[0]), U32(w.after[1]), U32(w.after[0]), U32(w.before[1]),
                                       U32(w.kernel[0]), U32(w.kernel[1]), U32(w.stride[0]), U32(w.stride[1]),
                                       d.range.min, d.range.max, d.inputs[0], d.output, 0);
}

xnn_status DefinePad(const DefineNode& d) {
  const DimOrder order = CanonicalOrder(d.out());
  const auto pads = d.node.attributes.Ints("pads");
  std::vector<size_t> before(order.size());
  std::vector<size_t> after(order.size());
  for (size_t axis = 0; axis < order.size(); ++axis) {
    const size_t at = MemoryAxis(order, static_cast<int64_t>(axis));
    before[at] = Size(pads[axis]);
    after[at] = Size(pads[axis + order.size()]);
  }
  return xnn_define_static_constant_pad(d.subgraph, before.data(), after.data(),
                                        static_cast<float>(d.node.attributes.Float("value")), d.inputs[0], d.output, 0);
}

xnn_status DefineResize(const DefineNode& d) {
  const std::string how = d.node.attributes.String("coordinates", "half_pixel");
  const uint32_t flags = how == "align_corners" ? XNN_FLAG_ALIGN_CORNERS
                         : how == "asymmetric"  ? XNN_FLAG_TENSORFLOW_LEGACY_MODE
                                                : 0;
  return xnn_define_static_resize_bilinear_2d(d.subgraph, Size(d.out().sizes[2]), Size(d.out().sizes[3]), d.inputs[0],
                                              d.output, flags);
}

using DefineBinary = decltype(xnn_define_add2);

xnn_status CallBinary(const DefineNode& d, DefineBinary* define) {
  return define(d.subgraph, d.range.min, d.range.max, d.inputs[0], d.inputs[1], d.output, 0);
}

xnn_status CallDefine(const DefineNode& d) {
  switch (d.node.op) {
    case Op::kConv2d:
      return DefineConv2d(d);
    case Op::kConvTranspose2d:
      return DefineConvTranspose2d(d);
    case Op::kMaxPool2d:
      return DefineMaxPool(d, PaddedPool(d));
    case Op::kAvgPool2d:
      return DefineAvgPool(d);
    case Op::kGlobalMaxPool:
      return DefineGlobalMaxPool(d);
    case Op::kGlobalAvgPool:
    case Op::kMean:
      return xnn_define_global_average_pooling_2d(d.subgraph, d.range.min, d.range.max, d.inputs[0], d.output, 0);
    case Op::kAdd:
      return CallBinary(d, xnn_define_add2);
    case Op::kSub:
      return CallBinary(d, xnn_define_subtract);
    case Op::kMul:
      return CallBinary(d, xnn_define_multiply2);
    case Op::kDiv:
      return CallBinary(d, xnn_define_divide);
    case Op::kRelu:
    case Op::kClip:
      return xnn_define_clamp(d.subgraph, d.range.min, d.range.max, d.inputs[0], d.output, 0);
    case Op::kLeakyRelu:
      return xnn_define_leaky_relu(d.subgraph, static_cast<float>(d.node.attributes.Float("alpha", 0.01)), d.inputs[0],
                                   d.output, 0);
    case Op::kSigmoid:
      return xnn_define_sigmoid(d.subgraph, d.inputs[0], d.output, 0);
    case Op::kHardswish:
      return xnn_define_hardswish(d.subgraph, d.inputs[0], d.output, 0);
    case Op::kSoftmax:
      return xnn_define_softmax(d.subgraph, d.inputs[0], d.output, 0);
    case Op::kGemm:
    case Op::kMatmul:
      return DefineProduct(d);
    case Op::kQuantize:
    case Op::kDequantize:
      return xnn_define_convert(d.subgraph, d.inputs[0], d.output, 0);
    case Op::kPad:
      return DefinePad(d);
    case Op::kResize:
      return DefineResize(d);
    default:
      return xnn_status_unsupported_parameter;
  }
}

}  // namespace

void Define(const DefineNode& node) { CheckXnnpack(CallDefine(node), "define it"); }

}  // namespace dimorder
