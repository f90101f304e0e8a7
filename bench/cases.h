// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_CASES_H_
#define DIMORDER_BENCH_CASES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dimorder/dimorder.h"

// The one table of moves that tests, benchmarks, gate and dashboard share: bench/cases.csv, over which the project's
// figures are computed, and bench/own_cases.csv, our additions. Both are compiled in. Names are keys of recorded
// results: add rows, never rename them.
namespace dimorder::bench {

// Each suite holds the ones before it.
enum class Suite { kQuick, kStandard, kFull };

// The suite of that name, or false.
bool ParseSuite(std::string_view name, Suite* suite);

// Strides of a dense tensor, in bytes.
std::vector<int64_t> DenseStrides(const std::vector<int64_t>& sizes, int64_t element_bytes);

// The permutation of a dense tensor, or of a view of one: of the first so many elements of each axis.
struct Case {
  std::string name;
  int64_t element_bytes = 0;
  std::vector<int64_t> sizes;      // of what is moved, outermost in memory first
  std::vector<int64_t> allocated;  // of the source tensor, no less; empty where it is dense
  std::vector<int> perm;           // numpy's: destination axis i is source axis perm[i]
  std::string group;               // exactly one, "act-cache": figures are geometric means over a group
  Suite suite = Suite::kStandard;
  double peer_ratio = 0;  // the best other library's time / time of the limit; 0: not measured
  std::string peer;       // which library that was
  std::string why;
  bool own = false;  // from own_cases.csv

  // "nchw2nhwc/1x64x56x56/4": name and element size. The benchmark's name.
  std::string Key() const;
  int64_t Bytes() const;        // that are moved
  int64_t SourceBytes() const;  // of the source tensor
  bool IsView() const { return !allocated.empty(); }
  // The move by strides, in bytes, of the source and the destination; axes are in the destination's order.
  struct View {
    std::vector<int64_t> sizes, src_strides, dst_strides;
  };
  View ToView() const;
  Move ToMove() const;
};

// All rows of both tables, in the order of the files.
const std::vector<Case>& AllCases();

// The rows of a table in the csv form of cases.csv, its header line included. Throws std::runtime_error with line and
// field when something in it is wrong.
std::vector<Case> ParseCases(std::string_view csv, bool own);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_CASES_H_
