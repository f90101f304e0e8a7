// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_MODELS_PLAIN_SUBGRAPH_H_
#define DIMORDER_BENCH_MODELS_PLAIN_SUBGRAPH_H_

#include <pthreadpool.h>
#include <xnnpack.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/models/plain_values.h"

namespace dimorder::bench {

// Some nodes of a graph as one subgraph of XNNPACK.
class PlainSubgraph {
 public:
  // `outputs`: values made here that are read elsewhere.
  PlainSubgraph(PlainValues& values, const std::vector<const Node*>& nodes, const std::vector<ValueId>& outputs,
                pthreadpool_t pool);

  // XNNPACK has such a node, whatever its attributes.
  static bool Takes(Op op);

  // Says which node it does not know; then there is nothing to run.
  const std::string& error() const { return error_; }
  void Run() { xnn_invoke_runtime(runtime_.get()); }

 private:
  uint32_t External(ValueId value, uint32_t flags);
  void Define(const Node& node);
  xnn_status DefineOp(const Node& node);
  xnn_status DefineConv(const Node& node);
  xnn_status DefineGemm(const Node& node);
  xnn_status DefineMaxPool(const Node& node);
  xnn_status DefineBinary(const Node& node);
  uint32_t Tensor(const std::vector<size_t>& sizes, const float* data);
  uint32_t Input(const Node& node, size_t k);
  uint32_t Result(const Node& node);
  uint32_t Constant(ValueId value, const std::vector<size_t>& sizes, const std::vector<size_t>& axes);

  struct Deleter {
    void operator()(xnn_subgraph_t subgraph) const { xnn_delete_subgraph(subgraph); }
    void operator()(xnn_runtime_t runtime) const { xnn_delete_runtime(runtime); }
  };

  PlainValues& values_;
  const Graph& graph_;
  std::string error_;
  std::unique_ptr<xnn_subgraph, Deleter> subgraph_;
  std::vector<std::unique_ptr<float[]>> constants_;
  std::map<ValueId, uint32_t> ids_;
  std::vector<xnn_external_value> externals_;
  std::unique_ptr<xnn_runtime, Deleter> runtime_;
};

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_MODELS_PLAIN_SUBGRAPH_H_
