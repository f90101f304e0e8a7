// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_FLAGS_H_
#define DIMORDER_BENCH_FLAGS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/cases.h"

namespace dimorder::bench {

// The flags that dimorder-bench adds to google-benchmark's, and what it must know of the latter.
struct Flags {
  Suite suite = Suite::kQuick;
  std::string suite_name = "quick";
  size_t threads = 1;
  int64_t tuning_ns = 0;      // 0: plans are estimated; else measured for about so long each
  bool peers = false;         // time the other libraries, too
  std::string target;         // empty: none is named
  bool list = false;          // --benchmark_list_tests
  bool has_format = false;    // --benchmark_format: google-benchmark's own output on stdout, our tables on stderr
  bool has_min_time = false;  // --benchmark_min_time
  bool json_file = false;     // --benchmark_out in the default format
};

extern const char kFlagsHelp[];

// Takes our flags out of argv and leaves the others. Throws std::runtime_error that names a flag with a bad value.
Flags TakeFlags(int* argc, char** argv);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_FLAGS_H_
