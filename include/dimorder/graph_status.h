// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_GRAPH_STATUS_H_
#define DIMORDER_GRAPH_STATUS_H_

#include <string>
#include <utility>

#include "dimorder/status.h"

namespace dimorder {
inline namespace v1 {

// The outcome of a call of the graph runtime. A move's Status needs a rule and four numbers; what is wrong with a graph
// is said with the names of its nodes and values, so this one carries its text. Same codes, no exceptions.
class [[nodiscard]] GraphStatus {
 public:
  GraphStatus() = default;
  GraphStatus(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}
  // The core's status with its text.
  GraphStatus(const Status& status)  // NOLINT(google-explicit-constructor)
      : code_(status.code()), message_(status.ok() ? std::string() : status.ToString()) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  // Empty when ok().
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// A value, or the GraphStatus that says why there is none. `value()` may be used only when ok().
template <class T>
using GraphResult = Result<T, GraphStatus>;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_GRAPH_STATUS_H_
