// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_RUNTIME_ONNX_MODEL_FOLDER_H_
#define DIMORDER_TESTS_RUNTIME_ONNX_MODEL_FOLDER_H_

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dimorder/onnx.h"
#include "tests/runtime/run_graph.h"

// The models with stored inputs and outputs that tests run: a small one of the project's own (models/make_small.py),
// and others where they are, in DIMORDER_MODELS or in shared/models beside the project.
namespace dimorder {

inline constexpr std::string_view kOwnModel = "small";
inline constexpr const char* kModels[] = {
    "small", "mnist", "nhwc_conv_clip_relu", "ultraface", "squeezenet_random", "mobilenetv2_random", "light_resnet50"};

struct Model {
  std::string base;  // path without its ending
  bool found = false;
  GraphResult<Graph> graph = Graph();
  std::vector<TestTensor> inputs;
  std::vector<TestTensor> outputs;
};

inline TestTensor ReadTensor(const std::string& path) {
  auto npy = ReadNpyFile(path);
  EXPECT_TRUE(npy.ok()) << npy.status().message();
  TestTensor tensor;
  tensor.type = npy->type;
  tensor.bytes = npy->bytes;
  return tensor;
}

inline Model ReadModel(const std::string& name) {
  const char* others = std::getenv("DIMORDER_MODELS");
  const std::string folder = name == kOwnModel ? DIMORDER_OWN_MODELS : others ? others : DIMORDER_DEFAULT_MODELS;
  Model model;
  model.base = folder + "/" + name;
  model.found = std::filesystem::exists(model.base + ".onnx");
  if (!model.found) return model;
  model.graph = ImportOnnxFile(model.base + ".onnx", {.batch = 1});
  if (!model.graph.ok()) return model;
  for (size_t i = 0; i < model.graph->inputs.size(); ++i) {
    model.inputs.push_back(ReadTensor(model.base + ".input" + std::to_string(i) + ".npy"));
  }
  for (size_t i = 0; i < model.graph->outputs.size(); ++i) {
    model.outputs.push_back(ReadTensor(model.base + ".output" + std::to_string(i) + ".npy"));
  }
  return model;
}

}  // namespace dimorder

#endif  // DIMORDER_TESTS_RUNTIME_ONNX_MODEL_FOLDER_H_
