// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_TABLES_H_
#define DIMORDER_BENCH_TABLES_H_

#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "bench/rows.h"

namespace dimorder::bench {

// What the tables show of a timed row.
struct RowResult {
  std::string key;
  double ns = 0;     // of one call
  double gbps = 0;   // read + written
  double ratio = 0;  // time / time of the limit
  double lower = 0;  // confidence bounds of `ratio`; 0: too few blocks
  double upper = 0;
  double vs_memcpy = 0;                      // time / time of memcpy
  double loop = 0;                           // time / time of the limit of a loop of vectors over the same bytes
  std::map<std::string, double> peers = {};  // time / time of the limit of other libraries
  double slower_than_peer = 0;               // time / time of the best of them where that is confirmed to be faster
  double slower_than_serial = 0;             // the same for our own move on one thread
};

// Prints, each under a heading and only when it has lines: the cases of cases.csv; geometric means of their ratios by
// class and element size, with the best peers' in brackets, timed and listed, and the loop's; own cases; calls whose
// fixed cost is of interest. Results whose keys are not among `rows` are left out. With more than one thread other
// figures count: what is asked of large moves, and that none is slower than on one thread.
void PrintTables(const std::vector<Row>& rows, const std::vector<RowResult>& results, size_t threads,
                 std::ostream& out);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_TABLES_H_
