// SPDX-License-Identifier: Apache-2.0
//
// dimorder-run: runs an ONNX model and says where its copies are.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "dimorder/onnx.h"
#include "runtime/copy/value_change.h"
#include "runtime/error.h"
#include "runtime/file.h"
#include "runtime/tool/backends.h"
#include "runtime/tool/flags.h"
#include "runtime/tool/run_report.h"

namespace dimorder {
namespace {

template <class T>
T Take(GraphResult<T> result) {
  Check(result.status());
  return std::move(result).value();
}

// From its file; ones where there is none, so that a model's copies can be looked at without data.
TensorData ReadInput(const Flags& flags, size_t i, const Value& declared) {
  if (i < flags.inputs.size()) return Take(ReadNpyFile(flags.inputs[i]));
  TensorData tensor{declared.type, std::vector<std::byte>(static_cast<size_t>(NumBytes(declared.type)))};
  const std::vector<float> ones(static_cast<size_t>(NumElements(declared.type)), 1.0f);
  ApplyValueChange(CastChange(DataType::kF32, declared.type), ones.data(), tensor.bytes.data());
  return tensor;
}

CompileOptions OptionsOf(const Flags& flags, const Backends& backends) {
  CompileOptions options;
  options.layout = flags.layout;
  options.guard = flags.guard;
  options.max_copies = flags.strict_copies;
  options.max_copied_bytes = flags.strict_bytes;
  options.delegates = backends.delegates();
  options.executor = backends.executor();
  return options;
}

void WriteText(const std::string& path, const std::string& text) {
  if (!path.empty()) WriteFile(path, std::as_bytes(std::span(text)));
}

// One file per part: the number of its step, and its delegate.
void SaveBlobs(const std::string& folder, const Program& program) {
  if (folder.empty()) return;
  std::filesystem::create_directories(folder);
  for (size_t i = 0; i < program.steps().size(); ++i) {
    if (program.blob(i).empty()) continue;
    WriteFile(folder + "/" + std::to_string(i) + "." + program.steps()[i].what, program.blob(i));
  }
}

RunTimes RunAll(const Flags& flags, const Program& program, std::span<const InputBuffer> inputs,
                std::span<const OutputBuffer> outputs) {
  RunTimes times;
  Context context = Take(program.NewContext());
  context.RecordTimes(&times.steps);
  auto shown = std::chrono::steady_clock::now();
  for (int64_t run = 0; run < flags.repeat; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    Check(context.Run(inputs, outputs));
    const auto end = std::chrono::steady_clock::now();
    times.runs_ns.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count());
    if (end - shown < std::chrono::seconds(1)) continue;
    shown = end;
    const std::string done = "run " + std::to_string(run + 1) + " of " + std::to_string(flags.repeat) + "\n";
    std::fputs(done.c_str(), stderr);
  }
  return times;
}

void PrintLayouts(const Flags& flags, const Graph& graph, CompileOptions options) {
  std::vector<CompileReport> reports;
  for (int policy = 0; policy < kNumLayoutPolicies; ++policy) {
    options.layout = static_cast<LayoutPolicy>(policy);
    reports.push_back(Take(Program::Create(graph, options)).report());
  }
  std::fputs(LayoutsRow(std::filesystem::path(flags.model).stem().string(), reports).c_str(), stdout);
}

void Run(const Flags& flags) {
  const Backends backends(flags.delegates, flags.threads);
  const Graph graph = Take(ImportOnnxFile(flags.model, {.batch = flags.batch}));
  if (flags.report == "layouts") return PrintLayouts(flags, graph, OptionsOf(flags, backends));
  if (flags.inputs.size() > graph.inputs.size() || flags.outputs.size() > graph.outputs.size()) {
    Fail("the model has " + std::to_string(graph.inputs.size()) + " inputs and " +
         std::to_string(graph.outputs.size()) + " outputs");
  }
  const Program program = Take(Program::Create(graph, OptionsOf(flags, backends)));
  WriteText(flags.dot, ToDot(program.graph()));
  SaveBlobs(flags.save_blobs, program);

  std::vector<TensorData> inputs;
  std::vector<TensorData> outputs;
  std::vector<InputBuffer> in;
  std::vector<OutputBuffer> out;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    inputs.push_back(ReadInput(flags, i, graph.values[static_cast<size_t>(graph.inputs[i])]));
  }
  for (ValueId id : graph.outputs) {
    const TensorType& type = graph.values[static_cast<size_t>(id)].type;
    outputs.push_back({type, std::vector<std::byte>(static_cast<size_t>(NumBytes(type)))});
  }
  for (const TensorData& tensor : inputs) in.push_back({tensor.type, tensor.bytes.data()});
  for (TensorData& tensor : outputs) out.push_back({tensor.type, tensor.bytes.data()});

  const RunTimes times = RunAll(flags, program, in, out);
  for (size_t i = 0; i < flags.outputs.size(); ++i) {
    Check(WriteNpyFile(flags.outputs[i], outputs[i].type, outputs[i].bytes.data()));
  }
  WriteText(flags.trace, TraceJson(program, times));
  if (flags.report == "text") std::fputs(ReportText(program, times).c_str(), stdout);
  if (flags.report == "json") std::fputs(ReportJson(program, times).c_str(), stdout);
}

}  // namespace
}  // namespace dimorder

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) return std::fputs(dimorder::kUsage, stderr), 2;
  if (arguments[0] == "--help") return std::fputs(dimorder::kUsage, stdout), 0;
  const dimorder::GraphStatus status = dimorder::Guarded([&]() -> dimorder::GraphStatus {
    dimorder::Run(dimorder::ParseFlags(arguments));
    return {};
  });
  if (status.ok()) return 0;
  std::fprintf(stderr, "dimorder-run: %s\n", status.message().c_str());
  return 1;
}
