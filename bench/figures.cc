// SPDX-License-Identifier: Apache-2.0
#include "bench/figures.h"

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/cases_data.h"

namespace dimorder::bench {
namespace {

using Figures = std::map<std::pair<std::string, int64_t>, double>;

std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

Figures Read() {
  Figures figures;
  std::istringstream in(kFiguresCsv);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> header = Fields(line);
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = Fields(line);
    for (size_t i = 1; i < fields.size(); ++i) {
      if (!fields[i].empty()) figures[{fields[0], std::stoll(header[i])}] = std::stod(fields[i]);
    }
  }
  return figures;
}

}  // namespace

double FigureOf(std::string_view group, int64_t element_bytes) {
  static const Figures figures = Read();
  const auto found = figures.find({std::string(group), element_bytes});
  return found == figures.end() ? 0 : found->second;
}

}  // namespace dimorder::bench
