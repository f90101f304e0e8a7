// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_MODELS_PLAIN_VALUES_H_
#define DIMORDER_BENCH_MODELS_PLAIN_VALUES_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "dimorder/graph.h"

namespace dimorder::bench {

// Where the values of a graph are in a program that keeps its images in NHWC and everything else as it is. What a
// transpose to NHWC or a reshape makes of an image has the bytes of its input: no node runs for it.
class PlainValues {
 public:
  // error() names a node that would have to move bytes otherwise.
  explicit PlainValues(const Graph& graph);

  const std::string& error() const { return error_; }
  const Graph& graph() const { return graph_; }

  // The value whose bytes these are.
  ValueId root(ValueId value) const { return roots_[static_cast<size_t>(value)]; }
  // The logical axes, outermost first.
  std::vector<size_t> Axes(ValueId value) const;
  // Their sizes.
  std::vector<size_t> Sizes(ValueId value) const;
  // Memory of one's own for a value, and 16 bytes behind it that XNNPACK may read. Made when first asked for.
  std::vector<float>& Buffer(ValueId value);

 private:
  void Place(const Node& node);

  const Graph& graph_;
  std::vector<ValueId> roots_;
  std::vector<bool> nhwc_;
  std::vector<std::vector<float>> buffers_;
  std::string error_;
};

// A node that no program needs to run: PlainValues gives its output the input's bytes.
bool IsView(const Node& node);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_MODELS_PLAIN_VALUES_H_
