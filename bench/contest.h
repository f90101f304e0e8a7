// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_CONTEST_H_
#define DIMORDER_BENCH_CONTEST_H_

#include <cstdint>
#include <memory>
#include <string>

#include "bench/buffers.h"
#include "bench/contender.h"
#include "bench/limit.h"
#include "bench/rows.h"
#include "bench/threads.h"

namespace dimorder::bench {

// What all rows of a run have in common.
struct Settings {
  const Threads* threads = nullptr;
  int64_t target = 0;     // Highway's bit of the active target
  bool peers = false;     // time the other libraries, too
  int64_t tuning_ns = 0;  // 0: plans are estimated; else what measuring one may take
};

// A row ready to be timed: buffers filled, plan made, result compared with the oracle, limit chosen.
struct Contest {
  std::string error;  // why the row cannot be timed; empty when it can
  int64_t bytes = 0;
  BufferPairs pairs;
  std::unique_ptr<Contender> subject;
  std::unique_ptr<Contender> serial;  // the same on one thread; null where the subject has no more
  Limit limit;
  double plan_ns = 0;       // of Plan::Create and its end
  std::string description;  // Plan::Describe
};

// The first element in the destination that a move got wrong, as text; empty when there is none.
std::string FindMismatch(const Move& move, const uint8_t* src, const uint8_t* dst);

// Takes about as long as filling the buffers and walking them once, element by element. Throws std::bad_alloc.
Contest Prepare(const Row& row, const Settings& settings);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_CONTEST_H_
