// SPDX-License-Identifier: Apache-2.0
#include "dimorder/program.h"

#include <new>
#include <string>
#include <utility>

#include "runtime/copy/lower.h"
#include "runtime/error.h"
#include "runtime/run/program_data.h"

namespace dimorder {
namespace {

// A graph output that is an input or a constant becomes a copy of it: the caller gets bytes of their own.
void CopyOutputsFromOutside(Graph& graph) {
  std::vector<bool> made(graph.values.size(), false);
  for (const Node& node : graph.nodes) made[static_cast<size_t>(node.output)] = true;
  for (ValueId& output : graph.outputs) {
    if (made[static_cast<size_t>(output)]) continue;
    const Value& source = graph.values[static_cast<size_t>(output)];
    Node copy;
    copy.name = source.name + ":out";
    copy.op = Op::kCloneDimOrder;
    copy.inputs = {output};
    copy.output = static_cast<ValueId>(graph.values.size());
    graph.values.push_back({copy.name, source.type, nullptr});
    output = copy.output;
    graph.nodes.push_back(std::move(copy));
  }
}

std::unique_ptr<Kernel> MakeKernel(const Graph& graph, const Node& node, const Options& options) {
  std::vector<const TensorType*> inputs;
  for (ValueId id : node.inputs) {
    inputs.push_back(id == kNoValue ? nullptr : &graph.values[static_cast<size_t>(id)].type);
  }
  const TensorType& output = graph.values[static_cast<size_t>(node.output)].type;
  return In("node '" + node.name + "' (" + OpName(node.op) + ")", [&] {
    return IsLowered(node.op) ? MakeCopyKernel(node, std::move(inputs), output, options)
                              : MakeReferenceKernel(node, inputs, output);
  });
}

std::shared_ptr<ProgramData> Compile(const Graph& graph, const CompileOptions& options) {
  Check(Verify(graph));
  auto program = std::make_shared<ProgramData>();
  program->graph = graph;
  program->options = options;
  for (ValueId id : graph.outputs) {
    const Value& output = graph.values[static_cast<size_t>(id)];
    program->outputs.push_back({output.name, output.type, nullptr});
  }
  CopyOutputsFromOutside(program->graph);
  Options plan_options;
  plan_options.executor = options.executor;
  std::vector<int64_t> scratch;
  for (const Node& node : program->graph.nodes) {
    program->kernels.push_back(MakeKernel(program->graph, node, plan_options));
    scratch.push_back(program->kernels.back()->ScratchBytes());
  }
  program->memory = PlanMemory(program->graph, scratch);
  for (size_t i = 0; i < program->kernels.size(); ++i) {
    if (program->memory.renamed[i]) program->kernels[i] = nullptr;
  }
  return program;
}

}  // namespace

inline namespace v1 {

GraphResult<Program> Program::Create(const Graph& graph, const CompileOptions& options) noexcept {
  return Guarded([&]() -> GraphResult<Program> {
    Program program;
    program.data_ = Compile(graph, options);
    return program;
  });
}

GraphResult<Context> Program::NewContext() const noexcept {
  return Guarded([&]() -> GraphResult<Context> {
    if (!data_) Fail("an empty program has no contexts");
    auto data = std::make_shared<ContextData>();
    data->program = data_;
    const auto bytes = static_cast<size_t>(data_->memory.arena_bytes);
    data->arena.reset(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t(kTensorAlignment))));
    for (size_t v = 0; v < data_->graph.values.size(); ++v) {
      const Place& place = data_->memory.values[v];
      void* at = nullptr;
      if (place.kind == Place::Kind::kArena) at = data->arena.get() + place.at;
      if (place.kind == Place::Kind::kConstant) {
        // Only read: no node's output is ever placed in a constant.
        at = const_cast<std::byte*>(data_->graph.values[static_cast<size_t>(place.at)].data->data());
      }
      data->values.push_back(at);
    }
    data->staged_inputs.resize(data_->graph.inputs.size());
    data->staged_outputs.resize(data_->graph.outputs.size());
    Context context;
    context.data_ = std::move(data);
    return context;
  });
}

const Graph& Program::graph() const noexcept {
  static const Graph empty;
  return data_ ? data_->graph : empty;
}

int64_t Program::ArenaBytes() const noexcept { return data_ ? data_->memory.arena_bytes : 0; }

}  // namespace v1
}  // namespace dimorder
