// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_STATUS_H_
#define DIMORDER_STATUS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "dimorder/export.h"

namespace dimorder {
inline namespace v1 {

// What kind of failure a Status reports. The numbers are stable: the C ABI uses them.
enum class StatusCode : int32_t {
  kOk = 0,
  kInvalidArgument = 1,  // the request contradicts itself or the rules
  kOverflow = 2,         // a product or a byte span does not fit into 63 bits
  kUnsupported = 3,      // well-formed, but not on this machine or in this build
  kOutOfMemory = 4,      // an allocation failed; nothing was changed, but by Plan::Measure
};

// The rule that a request broke. Each has one sentence of text (dispatch/status.cc) with the offending values in it.
// Append only: the C ABI hands the numbers out.
enum class Rule : int32_t {
  kNone = 0,
  kRankLimit,           // 0 <= rank <= kMaxRank
  kStridesLength,       // one stride per axis
  kSizeNegative,        // sizes >= 0
  kElementBytes,        // element_bytes >= 1
  kPermLength,          // one entry per axis
  kPermRange,           // entries in [0, rank)
  kPermRepeated,        // entries differ
  kDimOrderLength,      // one entry per axis
  kDimOrderRange,       // entries in [0, rank)
  kDimOrderRepeated,    // entries differ
  kRanksDiffer,         // source and destination have the same rank
  kSizesDiffer,         // source and destination have the same sizes
  kBytesOverflow,       // the product of sizes and element_bytes fits into 63 bits
  kSpanOverflow,        // the bytes between first and last element fit into 63 bits
  kDestinationOverlap,  // destination axes nest: no two elements share a byte
  kNullPointer,         // Execute: no null pointer unless there are no elements; C ABI: nor for an argument
  kBuffersOverlap,      // Execute: the byte spans of source and destination are disjoint
  kWorkspaceSize,       // Execute: the workspace holds at least ScratchBytes() bytes
  kExecutor,            // an executor has parallel_for and concurrency >= 1
  kAllocator,           // an allocator has both functions
  kUnknownTarget,       // the name is a target's name
  kUnsupportedTarget,   // this build has the target and this machine runs it
  kOrderName,           // the text is a dim order: a table name, FROM->TO letters, or numbers
  kAllocationFailed,    // the allocator returned null
  kStructSize,          // C ABI: struct_size is at least that of the struct's first version
  kEnumValue,           // an option's value is one of its enumerators
  kWisdomLine,          // ImportWisdom: each line of the text is as ExportWisdom writes it
  kWisdomMachine,       // ImportWisdom: the caches are those of this machine
  kWisdomSize,          // ImportWisdom: at most kMaxWisdom problems in all
};

// The outcome of a call that can fail: a code, the rule that was broken and up to four values that broke it.
// Trivially copyable and 40 bytes; text is made only when asked for. Thread-safe as any value is.
class [[nodiscard]] Status {
 public:
  constexpr Status() = default;
  constexpr Status(StatusCode code, Rule rule, int64_t v0 = 0, int64_t v1 = 0, int64_t v2 = 0, int64_t v3 = 0)
      : code_(code), rule_(rule), values_{v0, v1, v2, v3} {}

  constexpr bool ok() const { return code_ == StatusCode::kOk; }
  constexpr StatusCode code() const { return code_; }
  constexpr Rule rule() const { return rule_; }
  constexpr int64_t value(int i) const { return values_[i & 3]; }

  // Writes the text, cut to `capacity` and always zero-terminated (when capacity > 0), and returns its full length
  // without the zero. Allocates nothing.
  DIMORDER_EXPORT size_t Format(char* buffer, size_t capacity) const noexcept;

  std::string ToString() const {
    std::string text(Format(nullptr, 0), '\0');
    Format(text.data(), text.size() + 1);
    return text;
  }

 private:
  StatusCode code_ = StatusCode::kOk;
  Rule rule_ = Rule::kNone;
  int64_t values_[4] = {0, 0, 0, 0};
};
static_assert(std::is_trivially_copyable_v<Status>);

// A value, or the status that says why there is none. `value()` may be used only when ok().
template <class T, class S = Status>
class [[nodiscard]] Result {
 public:
  Result(S status) : status_(std::move(status)) {}  // NOLINT(google-explicit-constructor)
  Result(T value) : value_(std::move(value)) {}     // NOLINT(google-explicit-constructor)

  bool ok() const { return status_.ok(); }
  const S& status() const { return status_; }
  T& value() & { return value_; }
  const T& value() const& { return value_; }
  T&& value() && { return std::move(value_); }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }
  T& operator*() & { return value_; }
  const T& operator*() const& { return value_; }
  T&& operator*() && { return std::move(value_); }

 private:
  S status_;
  T value_{};
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_STATUS_H_
