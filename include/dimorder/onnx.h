// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_ONNX_H_
#define DIMORDER_ONNX_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dimorder/export.h"
#include "dimorder/graph.h"
#include "dimorder/npy.h"

// Reads ONNX models: opsets 6 to 17, and of the default domain's ops those that convolutional networks are made of
// (OnnxOps lists them). Part of dimorder::runtime where that was built with ONNX.
namespace dimorder {
inline namespace v1 {

struct OnnxOptions {
  // The size of a symbolic first axis of a graph input that is not among `sizes`. 0: such an axis is an error, as any
  // other symbolic one is.
  int64_t batch = 0;
  // The sizes of graph inputs with symbolic axes, by name; those of their fixed axes must agree.
  std::map<std::string, std::vector<int64_t>> sizes = {};
  // Graph inputs that are constants instead, by name; of the types that the model declares.
  std::map<std::string, TensorData> constants = {};
  // All values of the graph together may have so many bytes. Constants that are larger than what the file holds of them
  // may have 2^30 in all, or these, if they are fewer.
  int64_t max_bytes = int64_t{1} << 34;
};

// Any bytes may be given. What the importer does not know it refuses, with the node's name, its op and the opset.
DIMORDER_EXPORT GraphResult<Graph> ImportOnnx(std::span<const std::byte> model,
                                              const OnnxOptions& options = {}) noexcept;
DIMORDER_EXPORT GraphResult<Graph> ImportOnnxFile(const std::string& path, const OnnxOptions& options = {}) noexcept;

// The names of the ONNX ops that are taken.
DIMORDER_EXPORT std::vector<std::string> OnnxOps();

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_ONNX_H_
