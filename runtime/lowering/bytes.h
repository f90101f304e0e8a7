// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_LOWERING_BYTES_H_
#define DIMORDER_RUNTIME_LOWERING_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dimorder/tensor_type.h"
#include "runtime/error.h"

// What blobs are made of: numbers in little-endian order, and lists after their length.
namespace dimorder {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

class ByteWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void Number(T value) { Raw(std::as_bytes(std::span(&value, 1))); }
  void Bytes(std::span<const std::byte> bytes) {
    Number<uint64_t>(bytes.size());
    Raw(bytes);
  }
  void Text(std::string_view text) { Bytes(std::as_bytes(std::span(text))); }
  template <class T>
  void Numbers(const std::vector<T>& values) {
    Number<uint64_t>(values.size());
    for (T value : values) Number(value);
  }
  void Type(const TensorType& type);

  std::vector<std::byte> Take() { return std::move(bytes_); }

 private:
  void Raw(std::span<const std::byte> bytes);

  std::vector<std::byte> bytes_;
};

// Throws Error where the bytes end too early; never makes room for more than they can hold.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T> T Number() {
    T value;
    std::memcpy(&value, Raw(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::span<const std::byte> Bytes() { return Raw(Count(1)); }
  std::string Text() {
    const auto bytes = Bytes();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  template <class T>
  std::vector<T> Numbers() {
    std::vector<T> values(Count(sizeof(T)));
    for (T& value : values) value = Number<T>();
    return values;
  }
  // A valid one.
  TensorType Type();
  // The length of a list whose elements take at least so many bytes each.
  size_t Count(size_t element_bytes) {
    const auto count = Number<uint64_t>();
    if (count > rest_.size() / element_bytes) Fail("the bytes end too early");
    return static_cast<size_t>(count);
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::span<const std::byte> Raw(size_t n);

  std::span<const std::byte> rest_;
};

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_LOWERING_BYTES_H_
