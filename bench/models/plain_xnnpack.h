// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_MODELS_PLAIN_XNNPACK_H_
#define DIMORDER_BENCH_MODELS_PLAIN_XNNPACK_H_

#include <pthreadpool.h>
#include <xnnpack.h>

#include <memory>
#include <string>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder::bench {

// A model as somebody writes it who has nothing but XNNPACK's header: one subgraph, NHWC throughout. It shares no code
// with the delegate, and knows only the ops of plain CNNs: convolutions, pools, relu, clip, add, reshape to a matrix,
// gemm.
class PlainXnnpack {
 public:
  // `graph` has one input and one output. error() says what it does not know; then there is nothing to run.
  PlainXnnpack(const Graph& graph, pthreadpool_t pool);

  const std::string& error() const { return error_; }

  // NHWC, and the matrix that comes out; 16 bytes behind the input are readable.
  std::vector<float>& input() { return input_; }
  const std::vector<float>& output() const { return output_; }
  void Run() { xnn_invoke_runtime(runtime_.get()); }

 private:
  void Define(const Graph& graph);
  void DefineNode(const Graph& graph, const Node& node);
  xnn_status DefineConv(const Graph& graph, const Node& node);
  xnn_status DefineGemm(const Graph& graph, const Node& node);
  uint32_t Tensor(const std::vector<size_t>& sizes, const float* data);
  uint32_t Result(const Graph& graph, ValueId value);
  uint32_t Constant(const Graph& graph, ValueId value, const std::vector<size_t>& sizes, const std::vector<int>& axes);

  struct Deleter {
    void operator()(xnn_subgraph_t subgraph) const { xnn_delete_subgraph(subgraph); }
    void operator()(xnn_runtime_t runtime) const { xnn_delete_runtime(runtime); }
  };

  std::string error_;
  std::unique_ptr<xnn_subgraph, Deleter> subgraph_;
  std::vector<std::unique_ptr<float[]>> constants_;
  std::vector<uint32_t> ids_;
  std::unique_ptr<xnn_runtime, Deleter> runtime_;
  std::vector<float> input_;
  std::vector<float> output_;
};

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_MODELS_PLAIN_XNNPACK_H_
