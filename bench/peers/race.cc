// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/race.h"

#include <cstring>
#include <exception>
#include <memory>

#include "bench/peers/peers.h"
#include "tests/reference.h"

namespace dimorder::bench {
namespace {

constexpr int64_t kBlocks = 16;
constexpr double kSeconds = 0.06;
constexpr int64_t kSecondBlocks = 48;
constexpr double kSecondSeconds = 0.6;
constexpr int64_t kMinSecondBlocks = 6;  // the fewest that have a bound: with less no row could be confirmed

// The bits of a float or double, a NaN's made quiet.
template <class Bits>
Bits Quiet(const uint8_t* element, Bits infinity, Bits quiet_bit) {
  Bits bits;
  std::memcpy(&bits, element, sizeof(bits));
  const bool is_nan = (bits & infinity) == infinity && (bits & ~infinity << 1 >> 1) != 0;
  return is_nan ? bits | quiet_bit : bits;
}

bool SameElement(const uint8_t* a, const uint8_t* b, int64_t bytes) {
  if (std::memcmp(a, b, static_cast<size_t>(bytes)) == 0) return true;
  if (bytes == 4) {
    constexpr uint32_t kInfinity = 0x7f800000, kQuiet = 0x00400000;
    return Quiet(a, kInfinity, kQuiet) == Quiet(b, kInfinity, kQuiet);
  }
  if (bytes == 8) {
    constexpr uint64_t kInfinity = 0x7ff0000000000000, kQuiet = 0x0008000000000000;
    return Quiet(a, kInfinity, kQuiet) == Quiet(b, kInfinity, kQuiet);
  }
  return false;
}

// What is wrong with a peer's result; empty when nothing is.
std::string Verify(Contender& peer, const Row& row, const Contest& contest) {
  constexpr int kUnwritten = 0x5a;
  std::memset(contest.pairs.dst(0), kUnwritten, static_cast<size_t>(contest.bytes));
  peer.Run(contest.pairs, 0, 1);
  return FindPeerMismatch(row.c->ToMove(), contest.pairs.src(0), contest.pairs.dst(0));
}

// The peer's contender if it takes the case and gets it right.
std::unique_ptr<Contender> Enter(const Peer& peer, const Row& row, const Contest& contest, size_t threads,
                                 std::string* wrong) {
  try {
    std::unique_ptr<Contender> made = peer.make(Fuse(*row.c), threads);
    const std::string error = made == nullptr ? "" : Verify(*made, row, contest);
    if (error.empty()) return made;
    *wrong += peer.name + ": " + error + "; ";
  } catch (const std::exception& error) {
    *wrong += peer.name + ": " + error.what() + "; ";
  }
  return nullptr;
}

}  // namespace

std::string FindPeerMismatch(const Move& move, const uint8_t* src, const uint8_t* dst) {
  int64_t wrong = 0;
  test::ForEachElement(
      move, [&](int64_t from, int64_t to) { wrong += SameElement(src + from, dst + to, move.element_bytes) ? 0 : 1; });
  return wrong == 0 ? "" : "wrong result: " + std::to_string(wrong) + " elements differ from the oracle's";
}

// What one side stores past the caches the other would read from memory: where calls find their pair in the caches, it
// is read, and one call that is not timed comes first, where the side changes (8x112x112x64 bytes on two threads "1.2
// times slower" than on one that takes twice as long alone).
double SlowerThan(Contender& other, Contest& contest) {
  Contender& subject = *contest.subject;
  const SamplerOptions options = {.lead_calls = contest.pairs.count() == 1 ? 1 : 0};
  if (RunDuet(other, subject, contest.pairs, kBlocks, kSeconds, options).ratio <= kSlowerBy) return 0;
  const DuetResult second =
      RunDuet(other, subject, contest.pairs, kSecondBlocks, kSecondSeconds, options, kMinSecondBlocks);
  return second.lower > kSlowerBy ? second.ratio : 0;
}

PeerRace RacePeers(const Row& row, Contest& contest, size_t threads) {
  PeerRace race;
  if (row.c->IsView()) return race;  // peers are given dense tensors
  std::unique_ptr<Contender> best;
  double best_ratio = 0;
  for (const Peer& peer : Peers()) {
    std::unique_ptr<Contender> made = Enter(peer, row, contest, threads, &race.wrong);
    if (made == nullptr) continue;
    const double its = RunDuet(*contest.limit.copy, *made, contest.pairs, kBlocks, kSeconds).ratio;
    race.ratios[peer.name] = its;
    if (best != nullptr && best_ratio <= its) continue;
    best = std::move(made);
    best_ratio = its;
  }
  if (best != nullptr) race.slower = SlowerThan(*best, contest);
  return race;
}

}  // namespace dimorder::bench
