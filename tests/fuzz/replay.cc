// SPDX-License-Identifier: Apache-2.0
// Without libFuzzer: runs the fuzz target on inputs drawn from a fixed seed, and on files named as arguments.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/random.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int argc, char** argv) {
  constexpr int kInputs = 20000;
  dimorder::test::Random random(1);
  for (int i = 0; i < kInputs; ++i) {
    std::vector<uint8_t> input(static_cast<size_t>(random.Below(120)));
    for (uint8_t& byte : input) byte = static_cast<uint8_t>(random.Next());
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("%d random inputs and %d files\n", kInputs, argc - 1);
  return 0;
}
