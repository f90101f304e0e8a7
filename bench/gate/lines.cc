// SPDX-License-Identifier: Apache-2.0
// Reads what workers write.
#include <charconv>
#include <stdexcept>
#include <vector>

#include "bench/gate/sample.h"

namespace dimorder::bench::gate {
namespace {

std::vector<std::string_view> Fields(std::string_view line, size_t count) {
  std::vector<std::string_view> fields;
  for (std::string_view rest = line;;) {
    const size_t end = rest.find('\t');
    fields.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (fields.size() != count) throw std::runtime_error("not a line of a gate worker: " + std::string(line));
  return fields;
}

template <class Number>
Number ParseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error("not a number from a gate worker: " + std::string(text));
  }
  return number;
}

}  // namespace

SampleLine ParseSampleLine(std::string_view line) {
  const std::vector<std::string_view> fields = Fields(line, 5);
  if (fields[0] != "head" && fields[0] != "control") {
    throw std::runtime_error("not a line of a gate worker: " + std::string(line));
  }
  return {fields[0] == "head" ? Pair::kHead : Pair::kControl, std::string(fields[1]),
          BlockTimes{ParseNumber<double>(fields[2]), ParseNumber<double>(fields[3]), ParseNumber<double>(fields[4])}};
}

Inspection ParseInspectLine(std::string_view line) {
  const std::vector<std::string_view> fields = Fields(line, 4);
  const int result = ParseNumber<int>(fields[1]);
  if (result < 0 || result > static_cast<int>(Inspection::Result::kHeadFails)) {
    throw std::runtime_error("not a result of a gate worker: " + std::string(line));
  }
  return {std::string(fields[0]), static_cast<Inspection::Result>(result), std::string(fields[2]),
          std::string(fields[3])};
}

}  // namespace dimorder::bench::gate
