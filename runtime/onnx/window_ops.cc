// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/onnx/node_import.h"

namespace dimorder {
namespace {

// The axes that a window slides over: all but batch and channels.
size_t SpatialAxes(NodeImport& node) {
  const size_t rank = node.InputType(0).rank();
  if (rank < 3) Fail("the input has no spatial axis");
  return rank - 2;
}

// Far beyond any window; keeps the arithmetic below from overflowing.
int64_t Bounded(int64_t x) {
  if (x < -(int64_t{1} << 30) || x > (int64_t{1} << 30)) Fail("a window's number is out of range");
  return x;
}

struct WindowAttributes {
  std::vector<int64_t> kernel;
  std::vector<int64_t> stride;
  std::vector<int64_t> dilation;
  std::vector<int64_t> pads;  // begins, then ends
  std::string auto_pad;

  size_t axes() const { return kernel.size(); }
  int64_t Extent(size_t i) const { return (Bounded(kernel[i]) - 1) * Bounded(dilation[i]) + 1; }
  void SetPads(size_t i, int64_t total, bool more_at_the_end) {
    pads[i] = more_at_the_end ? total / 2 : total - total / 2;
    pads[i + axes()] = total - pads[i];
  }
  Attributes ToAttributes() const {
    return Attributes().SetInts("stride", stride).SetInts("dilation", dilation).SetInts("padding", pads);
  }
};

WindowAttributes ReadWindow(NodeImport& node, const std::vector<int64_t>& kernel) {
  const size_t axes = SpatialAxes(node);
  const std::vector<int64_t> ones(axes, 1);
  WindowAttributes w;
  w.kernel = node.Ints("kernel_shape", kernel);
  if (!kernel.empty() && w.kernel != kernel) Fail("kernel_shape is not that of the weight");
  w.stride = node.Ints("strides", ones);
  w.dilation = node.Ints("dilations", ones);
  w.pads = node.Ints("pads", std::vector<int64_t>(2 * axes, 0));
  w.auto_pad = node.String("auto_pad", "NOTSET");
  if (w.kernel.size() != axes || w.stride.size() != axes || w.dilation.size() != axes || w.pads.size() != 2 * axes) {
    Fail("a window's attributes are not for " + std::to_string(axes) + " axes");
  }
  if (std::min(std::ranges::min(w.stride), std::ranges::min(w.kernel)) < 1) Fail("a kernel or stride is below 1");
  return w;
}

// SAME: as many outputs as inputs over the stride.
void ResolveAutoPad(NodeImport& node, WindowAttributes& w) {
  if (w.auto_pad == "NOTSET") return;
  w.pads.assign(2 * w.axes(), 0);
  if (w.auto_pad == "VALID") return;
  if (w.auto_pad != "SAME_UPPER" && w.auto_pad != "SAME_LOWER") Fail("auto_pad '" + w.auto_pad + "' is none");
  for (size_t i = 0; i < w.axes(); ++i) {
    const int64_t in = Bounded(node.InputType(0).sizes[i + 2]);
    const int64_t stride = Bounded(w.stride[i]);
    const int64_t out = (in + stride - 1) / stride;
    const int64_t total = std::max<int64_t>((out - 1) * stride + w.Extent(i) - in, 0);
    w.SetPads(i, total, w.auto_pad == "SAME_UPPER");
  }
}

std::vector<ValueId> ConvInputs(NodeImport& node) {
  std::vector<ValueId> inputs = {node.Input(0), node.Input(1)};
  if (node.Has(2)) inputs.push_back(node.Input(2));
  return inputs;
}

std::vector<int64_t> WeightKernel(NodeImport& node, size_t weight = 1) {
  const auto& sizes = node.InputType(weight).sizes;
  if (sizes.size() != SpatialAxes(node) + 2) Fail("the weight has not the input's rank");
  return {sizes.begin() + 2, sizes.end()};
}

void ImportConv(NodeImport& node) { node.Finish(Op::kConv2d, ConvInputs(node), ConvAttributes(node, 1)); }

// The output's size says the padding, where it is given; else SAME makes it inputs times stride.
void ImportConvTranspose(NodeImport& node) {
  WindowAttributes w = ReadWindow(node, WeightKernel(node));
  std::vector<int64_t> extra = node.Ints("output_padding", std::vector<int64_t>(w.axes(), 0));
  std::vector<int64_t> output = node.Ints("output_shape");
  if (output.size() == w.axes() + 2) output.erase(output.begin(), output.begin() + 2);
  const auto& sizes = node.InputType(0).sizes;
  if (output.empty() && w.auto_pad.starts_with("SAME")) {
    for (size_t i = 0; i < w.axes(); ++i) output.push_back(Bounded(sizes[i + 2]) * Bounded(w.stride[i]));
  }
  if (extra.size() != w.axes() || (!output.empty() && output.size() != w.axes())) {
    Fail("output attributes are not for " + std::to_string(w.axes()) + " axes");
  }
  if (w.auto_pad == "VALID") w.pads.assign(2 * w.axes(), 0);
  for (size_t i = 0; i < output.size(); ++i) {
    const int64_t full = (Bounded(sizes[i + 2]) - 1) * Bounded(w.stride[i]) + Bounded(extra[i]) + w.Extent(i);
    const int64_t total = full - Bounded(output[i]);
    // A larger output than the window reaches has rows at its end that only the bias fills.
    extra[i] += std::max<int64_t>(-total, 0);
    w.SetPads(i, std::max<int64_t>(total, 0), w.auto_pad == "SAME_UPPER");
  }
  node.Finish(Op::kConvTranspose2d, ConvInputs(node),
              w.ToAttributes().SetInt("groups", node.Int("group", 1)).SetInts("output_padding", extra));
}

Attributes PoolAttributes(NodeImport& node) {
  WindowAttributes w = ReadWindow(node, {});
  ResolveAutoPad(node, w);
  return w.ToAttributes().SetInts("kernel", w.kernel).SetInt("ceil_mode", node.Int("ceil_mode", 0));
}

void ImportMaxPool(NodeImport& node) {
  const Attributes window = PoolAttributes(node);
  const int64_t column_major = node.Int("storage_order", 0);  // of the indices
  node.Finish(Op::kMaxPool2d, {node.Input(0)}, window);
  if (!node.WantsOutput(1)) return;
  node.Finish(Op::kMaxPoolIndices, {node.Input(0)}, Attributes(window).SetInt("column_major", column_major), 1);
}

void ImportAveragePool(NodeImport& node) {
  node.Finish(Op::kAvgPool2d, {node.Input(0)},
              PoolAttributes(node).SetInt("count_include_pad", node.Int("count_include_pad", 0)));
}

template <Op kOp>
void ImportGlobalPool(NodeImport& node) {
  node.Finish(kOp, {node.Input(0)});
}

}  // namespace

Attributes ConvAttributes(NodeImport& node, size_t weight) {
  WindowAttributes w = ReadWindow(node, WeightKernel(node, weight));
  ResolveAutoPad(node, w);
  return w.ToAttributes().SetInt("groups", node.Int("group", 1));
}

const OnnxOp kOnnxWindowOps[] = {
    {"AveragePool", ImportAveragePool},
    {"Conv", ImportConv},
    {"ConvTranspose", ImportConvTranspose},
    {"GlobalAveragePool", ImportGlobalPool<Op::kGlobalAvgPool>, 1},
    {"GlobalMaxPool", ImportGlobalPool<Op::kGlobalMaxPool>, 1},
    {"MaxPool", ImportMaxPool},
    {nullptr, nullptr},
};

}  // namespace dimorder
