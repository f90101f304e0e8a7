// SPDX-License-Identifier: Apache-2.0
#include "bench/rows.h"

#include <regex>

namespace dimorder::bench {
namespace {

// The move whose bytes cost next to nothing, so that its calls show what a call costs.
constexpr std::string_view kSmallCase = "nchw2nhwc/1x8x4x4/4";

}  // namespace

std::vector<Row> RowsOf(Suite suite) {
  std::vector<Row> rows;
  for (const Case& c : AllCases()) {
    if (c.suite > suite) continue;
    const std::string key = c.Key();
    rows.push_back({key, &c, Call::kExecute});
    if (key != kSmallCase) continue;
    rows.push_back({"oneshot/" + key, &c, Call::kOneShot});
    rows.push_back({"create/" + key, &c, Call::kCreate});
  }
  return rows;
}

std::vector<Row> Filter(const std::vector<Row>& rows, std::string_view filter) {
  if (filter.empty() || filter == "all") return rows;
  const bool negative = filter.front() == '-';
  if (negative) filter.remove_prefix(1);
  const std::regex expression(filter.begin(), filter.end(), std::regex::extended | std::regex::nosubs);
  std::vector<Row> taken;
  for (const Row& row : rows) {
    if (std::regex_search(row.key, expression) != negative) taken.push_back(row);
  }
  return taken;
}

}  // namespace dimorder::bench
