// SPDX-License-Identifier: Apache-2.0
#include "runtime/file.h"

#include <fstream>

#include "runtime/error.h"

namespace dimorder {

std::vector<std::byte> ReadFile(const std::string& path, size_t max_bytes) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail("cannot open " + path);
  std::vector<std::byte> bytes;
  char chunk[1 << 16];
  while (file.read(chunk, sizeof(chunk)), file.gcount() > 0) {
    const auto* begin = reinterpret_cast<const std::byte*>(chunk);
    bytes.insert(bytes.end(), begin, begin + file.gcount());
    if (bytes.size() > max_bytes) Fail(path + " has more than " + std::to_string(max_bytes) + " bytes");
  }
  if (file.bad()) Fail("cannot read " + path);
  return bytes;
}

void WriteFile(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) Fail("cannot write " + path);
}

}  // namespace dimorder
