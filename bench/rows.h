// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_ROWS_H_
#define DIMORDER_BENCH_ROWS_H_

#include <string>
#include <string_view>
#include <vector>

#include "bench/cases.h"

namespace dimorder::bench {

// What one call of a row does.
enum class Call {
  kExecute,  // Plan::Execute, the plan made beforehand
  kOneShot,  // Permute, its plan in the cache
  kCreate,   // Plan::Create and its end; no data touched
};

// One line of results: a case and how it is called.
struct Row {
  std::string key;  // the case's; one-shot and create rows put their name before it
  const Case* c = nullptr;
  Call call = Call::kExecute;
};

// Every case of the suite, and the calls whose fixed cost is of interest on the case of 512 bytes.
std::vector<Row> RowsOf(Suite suite);

// The rows whose keys --benchmark_filter takes, by its rules: an extended regular expression that any part of the key
// matches, everything for "" and "all", and the others after a leading '-'. Throws std::regex_error.
std::vector<Row> Filter(const std::vector<Row>& rows, std::string_view filter);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_ROWS_H_
