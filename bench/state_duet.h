// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_STATE_DUET_H_
#define DIMORDER_BENCH_STATE_DUET_H_

#include <benchmark/benchmark.h>

#include "bench/contender.h"

namespace dimorder::bench {

// Times `subject` against `limit` for as long as google-benchmark asks. One call of the subject is one iteration and
// its time is the iteration's manual time, so that real_time is the time of a move; iterations come in blocks of the
// duet.
DuetResult RunDuet(benchmark::State& state, Contender& limit, Contender& subject, BufferPairs& pairs,
                   const SamplerOptions& options = {});

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_STATE_DUET_H_
