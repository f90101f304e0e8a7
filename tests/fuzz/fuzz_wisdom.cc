// SPDX-License-Identifier: Apache-2.0
// Texts for ImportWisdom: a refused one changes nothing, one that was taken exports to a text that is taken again.
// The input either is the text, or overwrites bytes of a right one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "dimorder/dimorder.h"
#include "dimorder/wisdom.h"

namespace dimorder::test {
namespace {

void Require(bool condition, const std::string& text) {
  if (condition) return;
  std::fprintf(stderr, "mismatch: wisdom:\n%s", text.c_str());
  std::abort();
}

// The wisdom of two problems.
const std::string& RightText() {
  static const std::string text = [] {
    const Options options = {.tuning = Tuning::kMeasure, .tuning_ns = 0};
    static_cast<void>(Plan::Create(Move::Permute({30, 40}, {1, 0}, 4), options));
    static_cast<void>(Plan::Create(Move::Permute({3, 500}, {1, 0}, 1), options));
    return ExportWisdom();
  }();
  return text;
}

// Each pair of bytes is a place and what is written there.
std::string Overwritten(const uint8_t* data, size_t size) {
  std::string text = RightText();
  for (size_t i = 0; i + 1 < size; i += 2) text[data[i] * text.size() / 256] = static_cast<char>(data[i + 1]);
  return text;
}

void Check(const std::string& text) {
  const std::string before = ExportWisdom();
  const Result<WisdomImport> result = ImportWisdom(text);
  const std::string after = ExportWisdom();
  Require(result.ok() || after == before, text);
  ForgetWisdom();
  Require(ImportWisdom(after).ok() && ExportWisdom() == after, after);
  static_cast<void>(Plan::Create(Move::Permute({30, 40}, {1, 0}, 4)));
  ForgetWisdom();
}

}  // namespace
}  // namespace dimorder::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using dimorder::test::Check;
  if (size != 0 && data[0] % 2 == 0) {
    Check(std::string(reinterpret_cast<const char*>(data + 1), size - 1));
  } else {
    Check(dimorder::test::Overwritten(data, size));
  }
  return 0;
}
