// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_GATE_SAMPLE_H_
#define DIMORDER_BENCH_GATE_SAMPLE_H_

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "bench/duet.h"
#include "bench/rows.h"

// What worker processes do: they open the libraries, run the rows and write lines, which the gate reads. A process of
// its own for each job, since what a process happens to get (addresses, pages) favours one side or the other.
namespace dimorder::bench::gate {

struct Libraries {
  std::string base;
  std::string head;
  std::string control;  // a copy of base's file
};

struct SampleJob {
  uint64_t seed = 1;        // decides all orders: of opening, of rows, of sides
  int64_t rounds = 1;       // visits to each row that fits the caches; the others are visited once, for as many blocks
  int64_t blocks = 8;       // per visit
  int64_t slow_blocks = 3;  // the same where a call fills a batch
  double seconds = 60;      // no row is begun after that
  bool with_control = false;  // blocks of base against its copy between those of head
};

// Where a block belongs.
enum class Pair { kHead, kControl };
struct SampleLine {
  Pair pair;
  std::string key;
  BlockTimes times;
};

// Writes one line per block. Throws std::runtime_error when a library cannot run a row.
void Sample(const Libraries& libraries, const std::vector<Row>& rows, const SampleJob& job, std::ostream& out);
// Throws std::runtime_error for what Sample did not write.
SampleLine ParseSampleLine(std::string_view line);

// How the libraries run a row, timing aside.
struct Inspection {
  enum class Result { kEqual, kDiffers, kBaseFails, kHeadFails };
  std::string key;
  Result result = Result::kEqual;
  std::string base;  // Plan::Describe, or the error
  std::string head;
};

// Writes one line per row, after comparing what both libraries make of the same source.
void Inspect(const Libraries& libraries, const std::vector<Row>& rows, std::ostream& out);
Inspection ParseInspectLine(std::string_view line);

}  // namespace dimorder::bench::gate

#endif  // DIMORDER_BENCH_GATE_SAMPLE_H_
