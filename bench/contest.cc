// SPDX-License-Identifier: Apache-2.0
#include "bench/contest.h"

#include <cstring>
#include <utility>

#include "tests/reference.h"

namespace dimorder::bench {
namespace {

std::unique_ptr<Contender> MakeExecute(Plan plan) {
  return MakeContender("execute", [plan = std::move(plan)](const uint8_t* src, uint8_t* dst) {
    static_cast<void>(plan.Execute(src, dst));
  });
}

std::unique_ptr<Contender> MakeOneShot(const Case& c, const Options& options) {
  const Perm perm(c.perm.data(), c.perm.size());
  return MakeContender("oneshot", [&c, perm, options](const uint8_t* src, uint8_t* dst) {
    static_cast<void>(Permute(src, dst, c.sizes, perm, c.element_bytes, options));
  });
}

std::unique_ptr<Contender> MakeCreate(const Move& move, const Options& options) {
  return MakeContender("create",
                       [move, options](const uint8_t*, uint8_t*) { static_cast<void>(Plan::Create(move, options)); });
}

std::unique_ptr<Contender> MakeSubject(const Row& row, const Move& move, const Options& options, Plan plan) {
  switch (row.call) {
    case Call::kOneShot:
      return MakeOneShot(*row.c, options);
    case Call::kCreate:
      return MakeCreate(move, options);
    case Call::kExecute:
      break;
  }
  return MakeExecute(std::move(plan));
}

// Moves that a plan was made for have a serial one, too.
std::unique_ptr<Contender> MakeSerial(const Move& move) { return MakeExecute(*Plan::Create(move)); }

// Nanoseconds of Plan::Create and the plan's end.
double PlanNs(const Move& move, const Options& options, BufferPairs& pairs) {
  constexpr int64_t kBlocks = 3;
  const std::unique_ptr<Contender> create = MakeCreate(move, options);
  return RunDuet(*create, *create, pairs, kBlocks, 0).a_ns;
}

}  // namespace

std::string FindMismatch(const Move& move, const uint8_t* src, const uint8_t* dst) {
  const auto element = static_cast<size_t>(move.element_bytes);
  int64_t wrong = -1;
  test::ForEachElement(move, [&](int64_t from, int64_t to) {
    if (std::memcmp(src + from, dst + to, element) != 0 && (wrong < 0 || to < wrong)) wrong = to;
  });
  return wrong < 0 ? "" : "wrong result: differs from the oracle at destination byte " + std::to_string(wrong);
}

Contest Prepare(const Row& row, const Settings& settings) {
  const Move move = row.c->ToMove();
  const Options options{.executor = settings.threads->executor(),
                        .tuning = settings.tuning_ns == 0 ? Tuning::kEstimate : Tuning::kMeasure,
                        .tuning_ns = settings.tuning_ns};
  Contest contest;
  contest.bytes = row.c->Bytes();
  Result<Plan> plan = Plan::Create(move, options);
  if (!plan.ok()) {
    contest.error = plan.status().ToString();
    return contest;
  }
  contest.description = plan->Describe();
  contest.subject = MakeSubject(row, move, options, *std::move(plan));
  contest.pairs = BufferPairs(row.c->SourceBytes(), contest.bytes, kMostPlacements);
  if (row.call != Call::kCreate) {
    contest.subject->Run(contest.pairs, 0, 1);
    contest.error = FindMismatch(move, contest.pairs.src(0), contest.pairs.dst(0));
  }
  if (!contest.error.empty()) return contest;
  if (settings.threads->count() > 1 && row.call == Call::kExecute) contest.serial = MakeSerial(move);
  contest.plan_ns = PlanNs(move, options, contest.pairs);
  contest.limit = FindLimit(contest.pairs, contest.bytes, *settings.threads, settings.target);
  return contest;
}

}  // namespace dimorder::bench
