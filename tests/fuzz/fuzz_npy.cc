// SPDX-License-Identifier: Apache-2.0
// Files for ReadNpy: one that is taken is written and read again as the same tensor. The input either is the file, or
// the header and data of one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "dimorder/npy.h"

namespace dimorder::test {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "mismatch: %s\n", what);
  std::abort();
}

void Check(const std::string& file) {
  const auto tensor = ReadNpy(std::as_bytes(std::span(file)));
  if (!tensor.ok()) return Require(!tensor.status().message().empty(), "an error without a text");
  const auto written = WriteNpy(tensor->type, tensor->bytes.data());
  Require(written.ok(), "what was read cannot be written");
  const auto again = ReadNpy(*written);
  Require(again.ok() && SameLayout(again->type, tensor->type) && again->bytes == tensor->bytes, "not the same");
}

}  // namespace
}  // namespace dimorder::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  dimorder::test::Check(text);
  if (size == 0) return 0;
  // A right start, and a header of the length that the first byte says.
  const size_t length = data[0] < size ? data[0] : size - 1;
  std::string file = "\x93NUMPY\1";
  file += '\0';
  file += static_cast<char>(length);
  file += '\0';
  dimorder::test::Check(file + text.substr(1));
  return 0;
}
