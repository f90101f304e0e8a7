// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_FUZZ_BYTE_READER_H_
#define DIMORDER_TESTS_FUZZ_BYTE_READER_H_

#include <cstddef>
#include <cstdint>

namespace dimorder::test {

// Decisions out of a fuzzer's bytes; zeros after their end.
class ByteReader {
 public:
  ByteReader(const uint8_t* data, size_t size) : data_(data), end_(data + size) {}

  uint8_t Next() { return data_ == end_ ? 0 : *data_++; }
  // False for zero bytes, so that short inputs are ordinary ones.
  bool OneIn(int n) { return Next() % n == n - 1; }
  // Any number, extremes among them.
  int64_t Wide() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i) value = value << 8 | Next();
    return static_cast<int64_t>(value);
  }

 private:
  const uint8_t* data_;
  const uint8_t* end_;
};

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_FUZZ_BYTE_READER_H_
