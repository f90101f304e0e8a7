// SPDX-License-Identifier: Apache-2.0
#include "dimorder/program.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "dimorder/dimorder.h"
#include "runtime/error.h"
#include "runtime/graph/names.h"
#include "runtime/passes/cancel_copies.h"
#include "runtime/passes/check_layouts.h"
#include "runtime/passes/fold.h"
#include "runtime/passes/fold_quantization.h"
#include "runtime/passes/insert_copies.h"
#include "runtime/passes/layout_policy.h"
#include "runtime/run/program_data.h"
#include "runtime/run/report.h"
#include "runtime/run/steps.h"

namespace dimorder {
namespace {

// A graph output that is an input or a constant becomes a copy of it: the caller gets bytes of their own.
void CopyOutputsFromOutside(Graph& graph) {
  Names names(graph);
  std::vector<bool> made(graph.values.size(), false);
  for (const Node& node : graph.nodes) made[static_cast<size_t>(node.output)] = true;
  for (ValueId& output : graph.outputs) {
    if (made[static_cast<size_t>(output)]) continue;
    const Value& source = graph.values[static_cast<size_t>(output)];
    Node copy;
    copy.name = names.Unique(source.name + ":out");
    copy.op = Op::kCloneDimOrder;
    copy.inputs = {output};
    copy.output = static_cast<ValueId>(graph.values.size());
    graph.values.push_back({copy.name, source.type, nullptr});
    output = copy.output;
    graph.nodes.push_back(std::move(copy));
  }
}

// In the words of the first plan, which a graph without moves would never make.
void CheckOptions(const CompileOptions& options) {
  Options checked;
  checked.executor = options.executor;
  checked.allocator = options.allocator;
  Check(Plan::Create(Move::ToDimOrder({}, {}, {}, 1), checked).status());
}

// The passes over the graph, in their order. Returns who runs each node.
std::vector<Claim> LayOut(Graph& graph, const CompileOptions& options, CompileReport& report) {
  DropUnreadNodes(graph);
  NormalizeCopies(graph);
  FoldedQuantization quantization = FoldQuantization(graph, options.delegates);
  report.quantized_nodes = quantization.nodes;
  report.not_quantized = std::move(quantization.refused);
  report.constants_folded = FoldConstants(graph);
  report.batch_norms_folded = FoldBatchNorms(graph);
  DropUnusedValues(graph);
  std::vector<Claim> claims = ClaimNodes(graph, options.delegates);
  report.cancelled = CancelCopies(graph, claims);
  DropUnusedValues(graph);
  const LayoutProblem problem = MakeLayoutProblem(graph, claims);
  const LayoutAnswer answer = AssignLayouts(graph, problem, options.layout);
  report.layout = options.layout;
  report.layout_cost = answer.cost;
  report.layout_bound = answer.bound;
  report.layout_exact = answer.exact;
  report.constants_laid_out = LayOutConstants(graph, problem, answer);
  const std::vector<ValueId> hubs = InsertCopies(graph, problem, answer, claims);
  for (std::string& line : CancelCopies(graph, claims, hubs)) report.cancelled.push_back(std::move(line));
  DropUnusedValues(graph);
  CheckLayouts(graph, claims);
  Check(Verify(graph));
  return claims;
}

std::shared_ptr<ProgramData> Compile(const Graph& graph, const CompileOptions& options) {
  CheckOptions(options);
  Check(Verify(graph));
  auto program = std::make_shared<ProgramData>();
  program->graph = graph;
  program->options = options;
  for (ValueId id : graph.outputs) {
    const Value& output = graph.values[static_cast<size_t>(id)];
    program->outputs.push_back({output.name, output.type, nullptr});
  }
  CopyOutputsFromOutside(program->graph);
  MakeSteps(*program, LayOut(program->graph, options, program->report));
  ReportCopies(*program, program->report);
  CheckBudget(options, program->report);
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
    data->arena = Buffer(data_->options.allocator, static_cast<size_t>(data_->memory.arena_bytes));
    for (size_t v = 0; v < data_->graph.values.size(); ++v) {
      const Place& place = data_->memory.values[v];
      void* at = nullptr;
      if (place.kind == Place::Kind::kArena) at = data->arena.data() + place.at;
      if (place.kind == Place::Kind::kConstant) {
        // Only read: no node's output is ever placed in a constant.
        at = const_cast<std::byte*>(data_->graph.values[static_cast<size_t>(place.at)].data->data());
      }
      data->values.push_back(at);
    }
    for (const Runnable& runnable : data_->runnables) {
      data->parts.emplace_back();
      if (!runnable.part) continue;
      auto part = runnable.part->NewContext(data_->options.executor, data_->options.allocator);
      Check(part.status());
      data->parts.back() = std::move(part).value();
      if (!data->parts.back()) Fail("a delegate made no context");
    }
    data->padded.resize(data_->graph.values.size());
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

const CompileReport& Program::report() const noexcept {
  static const CompileReport empty;
  return data_ ? data_->report : empty;
}

const std::vector<ProgramStep>& Program::steps() const noexcept {
  static const std::vector<ProgramStep> none;
  return data_ ? data_->steps : none;
}

std::span<const std::byte> Program::blob(size_t step) const noexcept {
  if (!data_ || step >= data_->runnables.size()) return {};
  return data_->runnables[step].blob;
}

const char* LayoutPolicyName(LayoutPolicy policy) noexcept {
  constexpr const char* kNames[kNumLayoutPolicies] = {"annotate", "global", "boundary", "greedy", "optimal"};
  const auto i = static_cast<size_t>(policy);
  return i < std::size(kNames) ? kNames[i] : "unknown";
}

}  // namespace v1
}  // namespace dimorder
