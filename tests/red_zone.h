// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_RED_ZONE_H_
#define DIMORDER_TESTS_RED_ZONE_H_

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DIMORDER_TESTS_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define DIMORDER_TESTS_ASAN 1
#endif

#if defined(DIMORDER_TESTS_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace dimorder::test {

// Bytes that AddressSanitizer lets nobody touch while this object lives; without it, nothing.
class RedZone {
 public:
#if defined(DIMORDER_TESTS_ASAN)
  RedZone(const void* begin, size_t bytes) : begin_(begin), bytes_(bytes) { ASAN_POISON_MEMORY_REGION(begin_, bytes_); }
  ~RedZone() { ASAN_UNPOISON_MEMORY_REGION(begin_, bytes_); }
#else
  RedZone(const void* begin, size_t bytes) : begin_(begin), bytes_(bytes) {}
#endif
  RedZone(const RedZone&) = delete;
  RedZone& operator=(const RedZone&) = delete;

  const void* begin() const { return begin_; }
  size_t bytes() const { return bytes_; }

 private:
  const void* begin_;
  size_t bytes_;
};

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_RED_ZONE_H_
