// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_ERROR_H_
#define DIMORDER_RUNTIME_ERROR_H_

#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "dimorder/graph_status.h"

// Inside runtime/ what cannot go on is thrown; every public function runs in Guarded, which makes a status of it.
namespace dimorder {

class Error : public std::exception {
 public:
  Error(StatusCode code, std::string message) : status_(code, std::move(message)) {}
  explicit Error(GraphStatus status) : status_(std::move(status)) {}
  const char* what() const noexcept override { return status_.message().c_str(); }
  const GraphStatus& status() const { return status_; }

 private:
  GraphStatus status_;
};

[[noreturn]] inline void Fail(std::string message) { throw Error(StatusCode::kInvalidArgument, std::move(message)); }
[[noreturn]] inline void FailUnsupported(std::string message) {
  throw Error(StatusCode::kUnsupported, std::move(message));
}
inline void Require(bool holds, const char* message) {
  if (!holds) Fail(message);
}
inline void Check(const Status& status) {
  if (!status.ok()) throw Error(GraphStatus(status));
}
inline void Check(const GraphStatus& status) {
  if (!status.ok()) throw Error(status);
}

// Runs `body`; the text of what it throws gets `where` in front.
template <class Body>
auto In(std::string_view where, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(error.status().code(), std::string(where) + ": " + error.status().message());
  }
}

// Runs `body`, which returns a GraphStatus or a GraphResult, and makes one of what it throws.
template <class Body>
auto Guarded(Body&& body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return GraphStatus(StatusCode::kOutOfMemory, "out of memory");  // short enough to need none
  } catch (const std::exception& error) {
    return GraphStatus(StatusCode::kInvalidArgument, error.what());
  }
}

// "[1, 2, 3]"
inline std::string Join(std::span<const int64_t> numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i) text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_ERROR_H_
