// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_LIMIT_H_
#define DIMORDER_BENCH_LIMIT_H_

#include <cstdint>
#include <memory>

#include "bench/buffers.h"
#include "bench/contender.h"
#include "bench/threads.h"

// What a move of a dense tensor cannot beat: the better of two ways to copy the same bytes between the same buffers
// with the same threads. memcpy alone is no limit: between 8 and 24 MB it still writes through the caches on many
// machines, where stores that bypass them take 0.6 of its time; in the caches it is the other way round.
namespace dimorder::bench {

std::unique_ptr<Contender> MakeMemcpy(int64_t bytes, const Threads& threads);
// The kernel `Stream` of a target (Highway's bit).
std::unique_ptr<Contender> MakeStreamCopy(int64_t bytes, const Threads& threads, int64_t target);
// A loop of vector loads and stores, the kernel `Run` of short runs that adjoin: what a move would take that had
// nothing to do between them. No limit either, but a bound where memcpy has means that a transpose has not: `rep
// movsb`, which some cores do without reading the lines that it writes.
std::unique_ptr<Contender> MakeLoopCopy(int64_t bytes, const Threads& threads, int64_t target);

struct Limit {
  std::unique_ptr<Contender> copy;
  double over_memcpy = 1;  // its time / memcpy's
  double loop = 1;         // the loop's time / its time
};

// Races the first two on `pairs` in a short duet, the winner against the loop in another.
Limit FindLimit(BufferPairs& pairs, int64_t bytes, const Threads& threads, int64_t target);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_LIMIT_H_
