// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/onnx/node_import.h"

namespace dimorder {
namespace {

std::string Mode(NodeImport& node) {
  const std::string mode = node.String("mode", "nearest");
  return mode == "bilinear" ? "linear" : mode;
}

// Output sizes from scales: cut to whole numbers, of the region of interest where there is one.
std::vector<int64_t> Scaled(const std::vector<int64_t>& sizes, const std::vector<double>& scales,
                            const std::vector<double>& roi) {
  if (scales.size() != sizes.size()) Fail("scales are not one per axis");
  std::vector<int64_t> scaled;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const double part = roi.empty() ? 1 : roi[i + sizes.size()] - roi[i];
    const double size = std::floor(static_cast<double>(sizes[i]) * part * scales[i]);
    if (!(size >= 0 && size < 1e15)) Fail("a scale is out of range");
    scaled.push_back(static_cast<int64_t>(size));
  }
  return scaled;
}

// Upsample, and Resize before opset 11: from the top left corner, nearest is the floor.
void ImportOldResize(NodeImport& node, const std::vector<double>& scales) {
  node.Finish(Op::kResize, {node.Input(0)},
              Attributes()
                  .SetInts("size", Scaled(node.InputType(0).sizes, scales, {}))
                  .SetFloats("scales", scales)
                  .SetString("mode", Mode(node))
                  .SetString("coordinates", "asymmetric")
                  .SetString("nearest", "floor"));
}

void ImportUpsample(NodeImport& node) {
  ImportOldResize(node, node.opset() < 9 ? node.Floats("scales") : node.ConstantFloats(1));
}

void ImportResize(NodeImport& node) {
  if (node.opset() < 11) return ImportOldResize(node, node.ConstantFloats(1));
  const std::string coordinates = node.String("coordinate_transformation_mode", "half_pixel");
  Attributes attributes = Attributes()
                              .SetString("mode", Mode(node))
                              .SetString("coordinates", coordinates)
                              .SetString("nearest", node.String("nearest_mode", "round_prefer_floor"))
                              .SetFloat("cubic_a", node.Float("cubic_coeff_a", -0.75))
                              .SetInt("exclude_outside", node.Int("exclude_outside", 0))
                              .SetFloat("extrapolation", node.Float("extrapolation_value", 0));
  const auto& sizes = node.InputType(0).sizes;
  std::vector<double> roi;
  if (coordinates == "tf_crop_and_resize") {
    roi = node.ConstantFloats(1);
    if (roi.size() != 2 * sizes.size()) Fail("roi has not two numbers per axis");
    attributes.SetFloats("roi", roi);
  } else {
    node.IgnoreInput(1);
  }
  const auto scales = node.Has(2) ? node.ConstantFloats(2) : std::vector<double>();
  if (!scales.empty()) {
    attributes.SetInts("size", Scaled(sizes, scales, roi)).SetFloats("scales", scales);
  } else {
    attributes.SetInts("size", node.ConstantInts(3));
  }
  node.Finish(Op::kResize, {node.Input(0)}, attributes);
}

}  // namespace

const OnnxOp kOnnxResizeOps[] = {
    {"Resize", ImportResize},
    {"Upsample", ImportUpsample},
    {nullptr, nullptr},
};

}  // namespace dimorder
