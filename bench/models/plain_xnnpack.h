// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_MODELS_PLAIN_XNNPACK_H_
#define DIMORDER_BENCH_MODELS_PLAIN_XNNPACK_H_

#include <pthreadpool.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/models/plain_subgraph.h"
#include "bench/models/plain_values.h"

namespace dimorder::bench {

// A model as somebody writes it who has nothing but XNNPACK's header: images in NHWC throughout, as few subgraphs as
// can be, and between them loops of one's own for what XNNPACK's subgraphs of 2022 lack: concat, slice, exp. It shares
// no code with the delegate, and knows only the ops of plain CNNs.
class PlainXnnpack {
 public:
  // error() says what it does not know of the graph; then there is nothing to run.
  PlainXnnpack(const Graph& graph, pthreadpool_t pool);

  const std::string& error() const { return error_; }

  // Images in NHWC. Outputs may have a few more elements than the tensor.
  std::vector<float>& input(size_t i) { return values_.Buffer(graph_.inputs[i]); }
  const std::vector<float>& output(size_t i) { return values_.Buffer(graph_.outputs[i]); }
  void Run() const {
    for (const auto& step : steps_) step();
  }

 private:
  void AddSubgraph(const std::vector<const Node*>& nodes, pthreadpool_t pool);
  void AddLoop(const Node& node);

  const Graph& graph_;
  PlainValues values_;
  std::vector<std::unique_ptr<PlainSubgraph>> subgraphs_;
  std::vector<std::function<void()>> steps_;
  std::string error_;
};

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_MODELS_PLAIN_XNNPACK_H_
