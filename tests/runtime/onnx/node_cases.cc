// SPDX-License-Identifier: Apache-2.0
//
// node_cases FOLDER LISTS [xnnpack]: runs the node tests in FOLDER (node_cases.py) and prints each with its result,
// then counts for each op. All must pass but those in LISTS/known_cases.txt, which must not: they are refused there, or
// differ, with the reason. Of each op in LISTS/supported_ops.txt at least one must pass, or all. With xnnpack, that
// delegate takes what it can; all inputs but the first are then constants. `node_cases --ops` prints the ops that the
// importer takes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/onnx.h"
#include "dimorder/program.h"
#if defined(DIMORDER_HAS_XNNPACK)
#include "dimorder/xnnpack.h"
#endif

namespace dimorder {
namespace {

struct Outcome {
  enum { kPassed, kRefused, kDiffers } kind;
  std::string why;
};

GraphResult<std::vector<TensorData>> ReadAll(const std::string& prefix) {
  std::vector<TensorData> tensors;
  for (int i = 0;; ++i) {
    const std::string path = prefix + std::to_string(i);
    const bool bf16 = std::filesystem::exists(path + ".bf16.npy");
    if (!bf16 && !std::filesystem::exists(path + ".npy")) return tensors;
    auto tensor = ReadNpyFile(path + (bf16 ? ".bf16.npy" : ".npy"));
    if (!tensor.ok()) return tensor.status();
    tensors.push_back(std::move(tensor).value());
    if (bf16) tensors.back().type.dtype = DataType::kBF16;
  }
}

// Who runs the nodes besides the reference, and how many it has run.
struct Backend {
  const Delegate* delegate = nullptr;
  int64_t nodes = 0;
};

// Ops like Reshape want some of their inputs to be constants: then all inputs but the first are, or all.
struct Imported {
  GraphResult<Graph> graph;
  size_t bound;  // inputs from this one on are constants
};

Imported Import(const std::string& model, const std::vector<std::string>& names, const std::vector<TensorData>& inputs,
                const Backend& backend) {
  const bool constants = backend.delegate != nullptr;
  for (size_t bound : {constants ? std::min<size_t>(1, inputs.size()) : inputs.size(), size_t{1}, size_t{0}}) {
    OnnxOptions options;
    for (size_t i = bound; i < inputs.size(); ++i) options.constants[names[i]] = inputs[i];
    auto graph = ImportOnnxFile(model, options);
    const bool wants_constant = graph.status().message().find("must be a constant") != std::string::npos;
    if (!wants_constant || bound == 0) return {std::move(graph), std::min(bound, inputs.size())};
  }
  return {GraphStatus(StatusCode::kUnsupported, "unreachable"), 0};
}

double At(const TensorData& tensor, int64_t i) {
  const void* data = tensor.bytes.data();
  switch (tensor.type.dtype) {
    case DataType::kF32:
      return static_cast<double>(static_cast<const float*>(data)[i]);
    case DataType::kI8:
      return static_cast<const int8_t*>(data)[i];
    case DataType::kU8:
    case DataType::kBool:
      return static_cast<const uint8_t*>(data)[i];
    case DataType::kF16:
    case DataType::kBF16:  // as bits
    case DataType::kI16:
      return static_cast<const int16_t*>(data)[i];
    case DataType::kI32:
      return static_cast<const int32_t*>(data)[i];
    case DataType::kI64:
      return static_cast<double>(static_cast<const int64_t*>(data)[i]);
  }
  return 0;
}

// onnx's own tolerance, and the case's.
bool Near(double a, double b, double tolerance) {
  return (std::isnan(a) && std::isnan(b)) || a == b || std::fabs(a - b) <= 1e-7 + 1e-3 * std::fabs(b) + tolerance;
}

// 0, but for cases that say one.
double ToleranceOf(const std::string& folder) {
  double tolerance = 0;
  std::ifstream(folder + "/tolerance.txt") >> tolerance;
  return tolerance;
}

Outcome Compare(const TensorData& made, const TensorData& expected, double tolerance) {
  if (made.type.dtype != expected.type.dtype || made.type.sizes != expected.type.sizes) {
    return {Outcome::kDiffers, "makes " + ToString(made.type) + ", expected " + ToString(expected.type)};
  }
  // The file may be in Fortran's order.
  TensorData wanted = expected;
  const Status moved = ToDimOrder(expected.bytes.data(), wanted.bytes.data(), wanted.type.sizes, wanted.type.dim_order,
                                  made.type.dim_order, DataTypeBytes(wanted.type.dtype));
  if (!moved.ok()) return {Outcome::kDiffers, moved.ToString()};
  for (int64_t i = 0; i < NumElements(made.type); ++i) {
    if (Near(At(made, i), At(wanted, i), tolerance)) continue;
    return {Outcome::kDiffers, "element " + std::to_string(i) + " is " + std::to_string(At(made, i)) + ", expected " +
                                   std::to_string(At(wanted, i))};
  }
  return {Outcome::kPassed, ""};
}

Outcome RunGraph(const Graph& graph, const std::vector<TensorData>& inputs, const std::vector<TensorData>& expected,
                 double tolerance, Backend& backend) {
  CompileOptions options;
  options.guard = GuardPolicy::kConvert;
  if (backend.delegate) options.delegates = {backend.delegate};
  const auto program = Program::Create(graph, options);
  if (!program.ok()) return {Outcome::kDiffers, program.status().message()};
  for (const ProgramStep& step : program->steps()) {
    if (backend.delegate && step.what == backend.delegate->name()) backend.nodes += step.nodes;
  }
  auto context = program->NewContext();
  if (!context.ok()) return {Outcome::kDiffers, context.status().message()};
  std::vector<InputBuffer> in;
  for (size_t i = 0; i < graph.inputs.size(); ++i) in.push_back({inputs[i].type, inputs[i].bytes.data()});
  std::vector<TensorData> made;
  for (ValueId id : graph.outputs) {
    const TensorType& type = graph.values[static_cast<size_t>(id)].type;
    made.push_back({type, std::vector<std::byte>(static_cast<size_t>(NumBytes(type)))});
  }
  std::vector<OutputBuffer> out;
  for (TensorData& tensor : made) out.push_back({tensor.type, tensor.bytes.data()});
  const GraphStatus status = context->Run(in, out);
  if (!status.ok()) return {Outcome::kDiffers, status.message()};
  for (size_t i = 0; i < made.size(); ++i) {
    Outcome outcome = Compare(made[i], expected[i], tolerance);
    if (outcome.kind != Outcome::kPassed) return outcome;
  }
  return {Outcome::kPassed, ""};
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

Outcome RunCase(const std::string& folder, Backend& backend) {
  const auto inputs = ReadAll(folder + "/input");
  const auto outputs = ReadAll(folder + "/output");
  for (const auto* tensors : {&inputs, &outputs}) {
    if (tensors->ok()) continue;
    const bool unsupported = tensors->status().code() == StatusCode::kUnsupported;
    return {unsupported ? Outcome::kRefused : Outcome::kDiffers, tensors->status().message()};
  }
  const Imported imported = Import(folder + "/model.onnx", ReadLines(folder + "/inputs.txt"), *inputs, backend);
  if (!imported.graph.ok()) {
    const bool unsupported = imported.graph.status().code() == StatusCode::kUnsupported;
    return {unsupported ? Outcome::kRefused : Outcome::kDiffers, imported.graph.status().message()};
  }
  return RunGraph(*imported.graph, *inputs, *outputs, ToleranceOf(folder), backend);
}

// Lines "NAME WORD ...": the word, or nothing, by name.
std::map<std::string, std::string> ReadList(const std::string& path) {
  std::map<std::string, std::string> list;
  for (const std::string& line : ReadLines(path)) {
    std::istringstream words(line);
    std::string name;
    if (words >> name && name[0] != '#') words >> list[name];
  }
  return list;
}

using Counts = std::array<int, 3>;  // by Outcome

int CheckOps(const std::map<std::string, std::string>& supported, std::map<std::string, Counts>& by_op) {
  int wrong = 0;
  for (const auto& [op, how_many] : supported) {
    const Counts& n = by_op[op];
    std::printf("%-20s %3d passed %3d refused %3d differ\n", op.c_str(), n[0], n[1], n[2]);
    const bool all = how_many == "all";
    if (n[Outcome::kPassed] > 0 && (!all || n[Outcome::kRefused] + n[Outcome::kDiffers] == 0)) continue;
    ++wrong;
    std::printf("!!! not as expected: of %s, %s must pass\n", op.c_str(), all ? "all" : "at least one");
  }
  return wrong;
}

int RunAll(const std::string& folder, const std::string& lists, Backend backend) {
  const auto known = ReadList(lists + "/known_cases.txt");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) names.insert(entry.path().filename().string());
  }
  Counts counts{};
  std::map<std::string, Counts> by_op;
  int wrong = names.empty() ? 1 : 0;
  for (const std::string& name : names) {
    const Outcome outcome = RunCase(folder + "/" + name, backend);
    ++counts[outcome.kind];
    for (const std::string& op : ReadLines(folder + "/" + name + "/ops.txt")) ++by_op[op][outcome.kind];
    constexpr const char* kKinds[] = {"passed", "refused", "differs"};
    const std::string kind = kKinds[outcome.kind];
    std::printf("%-7s %s %s\n", kind.c_str(), name.c_str(), outcome.why.c_str());
    const auto expected = known.find(name);
    if (kind == (expected == known.end() ? "passed" : expected->second)) continue;
    ++wrong;
    std::printf("!!! not as expected: %s\n", name.c_str());
  }
  wrong += CheckOps(ReadList(lists + "/supported_ops.txt"), by_op);
  if (backend.delegate) {
    std::printf("%lld nodes by %s\n", static_cast<long long>(backend.nodes), backend.delegate->name());
    if (backend.nodes == 0) ++wrong;
  }
  std::printf("%d passed, %d refused, %d differ; %d not as expected\n", counts[0], counts[1], counts[2], wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dimorder

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--ops") {
    for (const std::string& op : dimorder::OnnxOps()) std::printf("%s\n", op.c_str());
    return 0;
  }
#if defined(DIMORDER_HAS_XNNPACK)
  if (argc == 4 && std::string(argv[3]) == "xnnpack") {
    const auto xnnpack = dimorder::NewXnnpackDelegate();
    if (!xnnpack.ok()) return std::fprintf(stderr, "%s\n", xnnpack.status().message().c_str()), 1;
    return dimorder::RunAll(argv[1], argv[2], {xnnpack->get()});
  }
#endif
  if (argc != 3) return std::fputs("usage: node_cases FOLDER LISTS [xnnpack] | --ops\n", stderr), 2;
  return dimorder::RunAll(argv[1], argv[2], {});
}
