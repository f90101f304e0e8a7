// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_TEXT_H_
#define DIMORDER_DISPATCH_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dimorder {
inline namespace v1 {

// Appends to a caller's buffer as snprintf would: what does not fit is counted but not written. No stdio, no locale.
class TextWriter {
 public:
  TextWriter(char* buffer, size_t capacity) : buffer_(buffer), capacity_(buffer == nullptr ? 0 : capacity) {}

  TextWriter& Add(std::string_view text) noexcept;
  TextWriter& Add(int64_t number) noexcept;
  // With one decimal, rounded.
  TextWriter& AddFixed(double number) noexcept;

  // Writes the terminating zero and returns the full length without it.
  size_t Finish() noexcept;

 private:
  char* buffer_;
  size_t capacity_;
  size_t length_ = 0;
};

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_TEXT_H_
