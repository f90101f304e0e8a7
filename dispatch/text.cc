// SPDX-License-Identifier: Apache-2.0
#include "dispatch/text.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace dimorder {
inline namespace v1 {

TextWriter& TextWriter::Add(std::string_view text) noexcept {
  const size_t room = length_ < capacity_ ? capacity_ - length_ : 0;
  const size_t written = text.size() < room ? text.size() : room;
  if (written != 0) memcpy(buffer_ + length_, text.data(), written);
  length_ += text.size();
  return *this;
}

TextWriter& TextWriter::Add(int64_t number) noexcept {
  char digits[20];  // a sign and the 19 digits of 2^63
  char* begin = digits + sizeof(digits);
  uint64_t rest = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  do {
    *--begin = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (number < 0) *--begin = '-';
  return Add(std::string_view(begin, static_cast<size_t>(digits + sizeof(digits) - begin)));
}

TextWriter& TextWriter::AddFixed(double number) noexcept {
  if (std::isnan(number)) return Add("nan");
  if (std::signbit(number)) Add("-");
  const double magnitude = std::fabs(number);
  // From here on a double has no tenths, and ten times it might not fit.
  constexpr double kWholeOnly = 1e17;
  if (magnitude >= kWholeOnly) {
    constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
    return std::isinf(number) ? Add("inf") : Add(magnitude < 0x1p63 ? static_cast<int64_t>(magnitude) : kMax).Add(".0");
  }
  const int64_t tenths = std::llround(magnitude * 10);
  return Add(tenths / 10).Add(".").Add(tenths % 10);
}

size_t TextWriter::Finish() noexcept {
  if (capacity_ != 0) buffer_[length_ < capacity_ ? length_ : capacity_ - 1] = '\0';
  return length_;
}

}  // namespace v1
}  // namespace dimorder
