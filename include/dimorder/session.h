// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_SESSION_H_
#define DIMORDER_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dimorder/program.h"

// A program is compiled for the sizes of its graph. A session runs a model on inputs of whatever sizes, from any number
// of threads: it has one program for each sizes that it meets, and keeps the last few.
//
//   auto session = dimorder::Session::Create([](std::span<const std::vector<int64_t>> sizes) {
//     return dimorder::ImportOnnxFile("model.onnx", {.sizes = {{"image", sizes[0]}}});
//   });
//   session->Run({{{image_type, image}}}, {{{scores_type, scores}}});      // batch 1
//   session->Run({{{images_type, images}}}, {{{scores4_type, scores4}}});  // batch 4: compiled once, then kept
namespace dimorder {
inline namespace v1 {

struct SessionData;  // runtime/run/session.cc

// Copies share everything. All calls may be made from any thread at any time.
class Session {
 public:
  // The sizes of each graph input.
  using Sizes = std::vector<std::vector<int64_t>>;
  // Makes the graph for inputs of these sizes; by several threads at once where they ask for different ones. Data types
  // and dim orders of its inputs and outputs must not depend on the sizes.
  using GraphFor = std::function<GraphResult<Graph>(std::span<const std::vector<int64_t>> sizes)>;

  Session() = default;

  // Compiles nothing yet. At most `max_programs`, the last used ones, are kept; at least one is.
  DIMORDER_EXPORT static GraphResult<Session> Create(GraphFor graph_for, const CompileOptions& options = {},
                                                     size_t max_programs = 16) noexcept;

  // The program for these sizes, compiled if there is none: its graph says the types of the outputs.
  DIMORDER_EXPORT GraphResult<Program> ProgramFor(const Sizes& sizes) const noexcept;

  // Context::Run of a program for the inputs' sizes, on a context that no other thread uses.
  DIMORDER_EXPORT GraphStatus Run(std::span<const InputBuffer> inputs,
                                  std::span<const OutputBuffer> outputs) const noexcept;

 private:
  std::shared_ptr<SessionData> data_;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_SESSION_H_
