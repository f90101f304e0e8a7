// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "bench/gate/gate.h"
#include "bench/gate_cases_data.h"

namespace dimorder::bench::gate {

std::vector<Row> ParseGatedRows(std::string_view list) {
  const std::vector<Row> all = RowsOf(Suite::kFull);
  std::vector<Row> rows;
  std::istringstream in{std::string(list)};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string key;
    if (!(words >> key)) continue;
    const auto has_key = [&](const Row& row) { return row.key == key; };
    const auto found = std::find_if(all.begin(), all.end(), has_key);
    if (found == all.end() || std::any_of(rows.begin(), rows.end(), has_key)) {
      throw std::runtime_error("gated cases, line " + std::to_string(number) + ": " + key +
                               (found == all.end() ? ": no such case" : ": listed twice"));
    }
    rows.push_back(*found);
  }
  return rows;
}

const std::vector<Row>& GatedRows() {
  static const std::vector<Row> rows = ParseGatedRows(kGateCases);
  return rows;
}

}  // namespace dimorder::bench::gate
