// SPDX-License-Identifier: Apache-2.0
//
// Every node gets a stage: XNNPACK's nodes the even ones, loops the odd ones, each the first that is not before those
// of its inputs. An even stage is one subgraph.
#include "bench/models/plain_xnnpack.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace dimorder::bench {
namespace {

// The nodes that run, by stage.
std::map<int, std::vector<const Node*>> Stages(const PlainValues& values) {
  std::map<int, std::vector<const Node*>> stages;
  std::map<ValueId, int> made;  // by root
  for (const Node& node : values.graph().nodes) {
    if (IsView(node)) continue;
    const int parity = PlainSubgraph::Takes(node.op) ? 0 : 1;
    int stage = parity;
    for (ValueId input : node.inputs) {
      const auto from = input == kNoValue ? made.end() : made.find(values.root(input));
      if (from != made.end()) stage = std::max(stage, from->second + (from->second + parity) % 2);
    }
    made[node.output] = stage;
    stages[stage].push_back(&node);
  }
  return stages;
}

// Bytes from outside of `axis` to its end, for one index of what is outside.
size_t RunBytes(const PlainValues& values, ValueId value, size_t axis) {
  const auto axes = values.Axes(value);
  const auto sizes = values.Sizes(value);
  size_t bytes = sizeof(float);
  for (size_t i = axes.size(); i-- > 0;) {
    bytes *= sizes[i];
    if (axes[i] == axis) break;
  }
  return bytes;
}

size_t Dim(const PlainValues& values, const Node& node) {
  const int64_t dim = node.attributes.Int("dim");
  return static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(values.Axes(node.output).size()) : dim);
}

size_t Bytes(const PlainValues& values, ValueId value) {
  return static_cast<size_t>(NumBytes(values.graph().values[static_cast<size_t>(value)].type));
}

std::function<void()> CopyRuns(const void* from, size_t from_step, void* to, size_t to_step, size_t bytes,
                               size_t count) {
  return [=] {
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(static_cast<char*>(to) + i * to_step, static_cast<const char*>(from) + i * from_step, bytes);
    }
  };
}

}  // namespace

PlainXnnpack::PlainXnnpack(const Graph& graph, pthreadpool_t pool) : graph_(graph), values_(graph) {
  error_ = values_.error();
  if (error_.empty() && xnn_initialize(nullptr) != xnn_status_success) error_ = "XNNPACK does not start";
  for (const auto& [stage, nodes] : Stages(values_)) {
    if (!error_.empty()) return;
    if (stage % 2 == 0) {
      AddSubgraph(nodes, pool);
    } else {
      for (const Node* node : nodes) AddLoop(*node);
    }
  }
}

void PlainXnnpack::AddSubgraph(const std::vector<const Node*>& nodes, pthreadpool_t pool) {
  std::vector<ValueId> outputs;
  for (const Node* node : nodes) {
    const auto reads = [&](ValueId id) { return id != kNoValue && values_.root(id) == node->output; };
    const auto outside = [&](const Node& n) {
      return !IsView(n) && std::ranges::find(nodes, &n) == nodes.end() && std::ranges::any_of(n.inputs, reads);
    };
    if (std::ranges::any_of(graph_.outputs, reads) || std::ranges::any_of(graph_.nodes, outside)) {
      outputs.push_back(node->output);
    }
  }
  subgraphs_.push_back(std::make_unique<PlainSubgraph>(values_, nodes, outputs, pool));
  error_ = subgraphs_.back()->error();
  steps_.emplace_back([subgraph = subgraphs_.back().get()] { subgraph->Run(); });
}

void PlainXnnpack::AddLoop(const Node& node) {
  const auto bytes = [&](ValueId id) { return Bytes(values_, id); };
  char* const to = reinterpret_cast<char*>(values_.Buffer(node.output).data());
  const char* const from = reinterpret_cast<const char*>(values_.Buffer(node.inputs[0]).data());
  if (node.op == Op::kCat) {
    const size_t to_run = RunBytes(values_, node.output, Dim(values_, node));
    size_t at = 0;
    for (ValueId input : node.inputs) {
      const size_t run = RunBytes(values_, input, Dim(values_, node));
      steps_.push_back(CopyRuns(values_.Buffer(input).data(), run, to + at, to_run, run, bytes(input) / run));
      at += run;
    }
  } else if (node.op == Op::kSliceCopy && node.attributes.Int("step", 1) == 1) {
    const size_t axis = Dim(values_, node);
    const size_t run = RunBytes(values_, node.output, axis);
    const size_t from_run = RunBytes(values_, node.inputs[0], axis);
    const auto size = graph_.values[static_cast<size_t>(node.inputs[0])].type.sizes[axis];
    const auto start = static_cast<size_t>(std::clamp<int64_t>(node.attributes.Int("start"), 0, size));
    const size_t skip = from_run / static_cast<size_t>(size) * start;
    steps_.push_back(CopyRuns(from + skip, from_run, to, run, run, bytes(node.output) / run));
  } else if (node.op == Op::kExp) {
    const auto* x = reinterpret_cast<const float*>(from);
    auto* y = reinterpret_cast<float*>(to);
    steps_.emplace_back([=, n = bytes(node.output) / sizeof(float)] {
      for (size_t i = 0; i < n; ++i) y[i] = std::exp(x[i]);
    });
  } else {
    error_ = "no loop for '" + node.name + "' (" + OpName(node.op) + ")";
  }
}

}  // namespace dimorder::bench
