// SPDX-License-Identifier: Apache-2.0
#include "runtime/passes/fold.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/error.h"
#include "runtime/graph/names.h"
#include "runtime/run/make_kernel.h"

namespace dimorder {
namespace {

size_t Index(int32_t id) { return static_cast<size_t>(id); }

bool IsConstant(const Graph& graph, ValueId id) { return id != kNoValue && graph.values[Index(id)].is_constant(); }

bool IsOutput(const Graph& graph, ValueId id) { return std::ranges::count(graph.outputs, id) > 0; }

ConstantData RunOnce(const Graph& graph, const Node& node) {
  const auto kernel = MakeKernel(graph, node, Options());
  std::vector<const void*> inputs;
  for (ValueId id : node.inputs) inputs.push_back(id == kNoValue ? nullptr : graph.values[Index(id)].data->data());
  auto output =
      std::make_shared<std::vector<std::byte>>(static_cast<size_t>(NumBytes(graph.values[Index(node.output)].type)));
  std::vector<std::byte> scratch(static_cast<size_t>(kernel->ScratchBytes()));
  kernel->Run({inputs, output->data(), scratch.data()});
  return output;
}

// One number per output channel of a batch norm, in any constant.
class PerChannel {
 public:
  PerChannel(const Graph& graph, ValueId id) : data_(graph.values[Index(id)].data) {}
  double operator[](size_t channel) const {
    float value;
    std::memcpy(&value, data_->data() + channel * sizeof(float), sizeof(float));
    return static_cast<double>(value);
  }

 private:
  ConstantData data_;
};

ValueId AddConstant(Graph& graph, const std::string& name, const TensorType& type, const std::vector<float>& numbers) {
  auto bytes = std::make_shared<std::vector<std::byte>>(numbers.size() * sizeof(float));
  if (!numbers.empty()) std::memcpy(bytes->data(), numbers.data(), bytes->size());
  graph.values.push_back({Names(graph).Unique(name), type, std::move(bytes)});
  return static_cast<ValueId>(graph.values.size() - 1);
}

// y = (w x + b - mean) * f + shift with f = scale / sqrt(variance + epsilon): w f and (b - mean) f + shift.
void Fold(Graph& graph, Node& conv, const Node& norm) {
  const Value weight = graph.values[Index(conv.inputs[1])];
  const PerChannel scale(graph, norm.inputs[1]);
  const PerChannel shift(graph, norm.inputs[2]);
  const PerChannel mean(graph, norm.inputs[3]);
  const PerChannel variance(graph, norm.inputs[4]);
  const double epsilon = norm.attributes.Float("epsilon", 1e-5);
  const auto channels = static_cast<size_t>(weight.type.sizes[0]);
  const bool has_bias = conv.inputs.size() > 2 && conv.inputs[2] != kNoValue;
  std::vector<double> factors;
  std::vector<float> bias;
  for (size_t c = 0; c < channels; ++c) {
    factors.push_back(scale[c] / std::sqrt(variance[c] + epsilon));
    const double b = has_bias ? PerChannel(graph, conv.inputs[2])[c] : 0;
    bias.push_back(static_cast<float>((b - mean[c]) * factors[c] + shift[c]));
  }
  // In memory, channel c has runs of `inner` elements, one in each of `outer` blocks of all channels.
  size_t inner = 1;
  for (size_t i = weight.type.rank(); weight.type.dim_order[i - 1] != 0; --i) {
    inner *= static_cast<size_t>(weight.type.sizes[Index(weight.type.dim_order[i - 1])]);
  }
  std::vector<float> folded(static_cast<size_t>(NumElements(weight.type)));
  if (!folded.empty()) std::memcpy(folded.data(), weight.data->data(), weight.data->size());
  for (size_t i = 0; i < folded.size(); ++i) {
    folded[i] = static_cast<float>(static_cast<double>(folded[i]) * factors[i / inner % channels]);
  }
  conv.inputs.resize(3, kNoValue);
  conv.inputs[1] = AddConstant(graph, weight.name + ":folded", weight.type, folded);
  conv.inputs[2] =
      AddConstant(graph, norm.name + ":folded", TensorType(DataType::kF32, {static_cast<int64_t>(channels)}), bias);
}

bool IsF32(const Graph& graph, ValueId id) {
  return id == kNoValue || graph.values[Index(id)].type.dtype == DataType::kF32;
}

bool AllConstant(const Graph& graph, const Node& node, size_t from) {
  return std::all_of(node.inputs.begin() + static_cast<ptrdiff_t>(from), node.inputs.end(),
                     [&](ValueId id) { return id == kNoValue || IsConstant(graph, id); });
}

// The conv2d that the batch norm can become a part of; null if there is none.
Node* Foldable(Graph& graph, const Node& norm) {
  if (norm.op != Op::kBatchNorm || !AllConstant(graph, norm, 1)) return nullptr;
  const ValueId between = norm.inputs[0];
  const auto conv = std::ranges::find(graph.nodes, between, &Node::output);
  if (conv == graph.nodes.end() || conv->op != Op::kConv2d || IsOutput(graph, between)) return nullptr;
  const auto is_f32 = [&](ValueId id) { return IsF32(graph, id); };
  if (!is_f32(between) || !is_f32(norm.output) || !std::ranges::all_of(conv->inputs, is_f32) ||
      !std::ranges::all_of(norm.inputs, is_f32) || !AllConstant(graph, *conv, 1)) {
    return nullptr;
  }
  int64_t readers = 0;
  for (const Node& node : graph.nodes) readers += std::ranges::count(node.inputs, between);
  return readers == 1 ? &*conv : nullptr;
}

}  // namespace

int FoldConstants(Graph& graph) {
  const size_t before = graph.nodes.size();
  std::vector<Node> kept;
  for (Node& node : graph.nodes) {
    // An empty tensor is made anew by each run: there is nothing in it to keep.
    if (node.inputs.empty() || !AllConstant(graph, node, 0) || IsOutput(graph, node.output)) {
      kept.push_back(std::move(node));
      continue;
    }
    graph.values[Index(node.output)].data = RunOnce(graph, node);
  }
  graph.nodes = std::move(kept);
  return static_cast<int>(before - graph.nodes.size());
}

int FoldBatchNorms(Graph& graph) {
  int count = 0;
  for (size_t n = 0; n < graph.nodes.size();) {
    const Node norm = graph.nodes[n];
    Node* conv = Foldable(graph, norm);
    if (!conv) {
      ++n;
      continue;
    }
    Fold(graph, *conv, norm);
    conv->output = norm.output;
    graph.nodes.erase(graph.nodes.begin() + static_cast<ptrdiff_t>(n));
    ++count;
  }
  return count;
}

}  // namespace dimorder
