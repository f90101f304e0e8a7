// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_BENCH_PEERS_PEERS_H_
#define DIMORDER_BENCH_PEERS_PEERS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/contender.h"
#include "bench/peers/permutation.h"

// Other ways to do the same moves. Each lives in one file, which is built when CMake finds its library.
namespace dimorder::bench {

struct Peer {
  std::string name;
  // The peer's call for a permutation, everything made beforehand but the execution; null where it lacks the element
  // size, the rank or the threads. May throw what the library throws.
  std::unique_ptr<Contender> (*make)(const Permutation& p, size_t threads);
};

// Those in this build, the naive loop first.
const std::vector<Peer>& Peers();

// bench/peers/NAME.cc
std::unique_ptr<Contender> MakeNaive(const Permutation& p, size_t threads);
std::unique_ptr<Contender> MakeEigen(const Permutation& p, size_t threads);
std::unique_ptr<Contender> MakeOneDnn(const Permutation& p, size_t threads);
std::unique_ptr<Contender> MakeOpenBlas(const Permutation& p, size_t threads);
std::unique_ptr<Contender> MakeTorch(const Permutation& p, size_t threads);

}  // namespace dimorder::bench

#endif  // DIMORDER_BENCH_PEERS_PEERS_H_
