// SPDX-License-Identifier: Apache-2.0
//
// Tuning::kMeasure: one walk through a list of variations, each of one decision of the best choice so far: stores,
// lines or a stage, asking ahead, joining, regrouping, two passes, panel, packing, blocks, run, order. A variation
// takes its place when it wins a duet (dispatch/measure.h), and the one that is best at the end must win another one
// against the choice that the walk began with: noise lets a slower choice through once, hardly twice. Of plans with two
// ways (StreamsUncached) it is the way through the caches that is sought.
#include "dispatch/tune.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <iterator>
#include <new>

#include "dispatch/choose.h"
#include "dispatch/execute.h"
#include "dispatch/integers.h"
#include "dispatch/measure.h"
#include "dispatch/target.h"
#include "dispatch/two_pass.h"

namespace dimorder {
inline namespace v1 {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBlocks = 7;
constexpr int kMayLose = 1;              // blocks that the winner of a duet may lose
constexpr double kClearlyFaster = 0.98;  // time of the winner / time of the other, at the most
constexpr double kSearchShare = 0.75;    // of the budget; the rest is for the last duet
// A tensor may span so many bytes on scratch, and what is more than so many times what is moved, no more.
constexpr int64_t kMostSpanBytes = int64_t{64} << 20;
constexpr int64_t kMostSpanPayloads = 4;

// Memory that begins with a page, as that of plans does, and may not be had.
class Memory {
 public:
  Memory(const dimorder_allocator& allocator, int64_t bytes)
      : allocator_(allocator), bytes_(static_cast<size_t>(bytes)), data_(bytes == 0 ? nullptr : Allocate()) {}
  ~Memory() {
    if (allocator_.release == nullptr) {
      ::operator delete (data_, std::align_val_t{kPageBytes}, std::nothrow);
    } else if (data_ != nullptr) {
      allocator_.release(allocator_.ctx, data_, bytes_);
    }
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Status status() const {
    if (data_ != nullptr || bytes_ == 0) return Status();
    return Status(StatusCode::kOutOfMemory, Rule::kAllocationFailed, static_cast<int64_t>(bytes_));
  }
  uint8_t* data() const { return static_cast<uint8_t*>(data_); }
  std::span<std::byte> span() const { return {static_cast<std::byte*>(data_), bytes_}; }

 private:
  void* Allocate() const {
    if (allocator_.allocate != nullptr) return allocator_.allocate(allocator_.ctx, bytes_, kPageBytes);
    return ::operator new (bytes_, std::align_val_t{kPageBytes}, std::nothrow);
  }

  const dimorder_allocator& allocator_;
  size_t bytes_;
  void* data_;
};

// A choice's plan on the tensors, as AbbaSampler takes it. It asks nothing.
class Runner {
 public:
  Runner(const TuneJob& job, const Choice& choice, const void* src, void* dst)
      : plan_(Plan(job.request, choice)),
        scratch_(job.allocator, plan_.data.threads * plan_.data.scratch_bytes),
        src_(src),
        dst_(dst) {}

  // Whether its scratch was to be had.
  Status status() const { return scratch_.status(); }
  Status Run() const { return ExecutePlan(plan_.data, src_, dst_, scratch_.span()); }
  void operator()(int64_t, int64_t calls) const {
    for (int64_t i = 0; i < calls; ++i) static_cast<void>(Run());
  }

 private:
  static PlanStorage<1> Plan(const Request& request, const Choice& choice) {
    PlanStorage<1> plan;
    LayOutPlan(request, choice, Origin::kMeasured, &plan);
    plan.data.asks = false;
    return plan;
  }

  PlanStorage<1> plan_;
  Memory scratch_;
  const void* src_;
  void* dst_;
};

struct Variations {
  static constexpr int kMax = 32;
  Choice list[kMax];
  int count = 0;

  void Add(Choice choice) {
    if (choice.family != Family::kTile) choice.panel = Max(choice.panel, 1);  // 0 is line tiles
    if (count < kMax) list[count++] = choice;
  }
};

// `from` with one decision, Choice::*field, set to each of the values, which are bytes of `element_bytes` elements.
void Vary(const Choice& from, int64_t Choice::*field, std::initializer_list<int64_t> values, int64_t element_bytes,
          Variations* to) {
  for (const int64_t value : values) {
    Choice choice = from;
    choice.*field = value == 0 || value > element_bytes ? value / element_bytes : 1;
    if (choice.*field != from.*field) to->Add(choice);
  }
}

// A family and the one that does the same, but asks ahead, one from the other.
void VaryAsking(const Choice& from, const Request& request, Variations* to) {
  Choice other = from;
  switch (from.family) {
    case Family::kTile:
      AskEverywhere(&other);
      break;
    case Family::kAhead:
      other.family = Family::kTile;
      ChooseTile(request.shape, request.problem.bytes, VectorBytes(request.target), &other);
      break;
    case Family::kRun:
      other.family = Family::kRunAhead;
      break;
    case Family::kRunAhead:
      other.family = Family::kRun;
      break;
    case Family::kZip:
      if (request.shape.inner[0].n <= kFewZippedRows) return;
      other.family = Family::kZipAhead;
      break;
    case Family::kZipAhead:
      other.family = Family::kZip;
      break;
    case Family::kUnzip:
      other.family = Family::kUnzipAhead;
      break;
    case Family::kUnzipAhead:
      other.family = Family::kUnzip;
      break;
    default:
      return;
  }
  to->Add(other);
}

// kLines from kStage or from what takes pixels apart, and kStage from kLines.
void VaryLines(const Choice& from, const Request& request, Variations* to) {
  const Shape& shape = request.shape;
  if (!CanBeLines(shape) || !WholeLines(shape.inner[1].os)) return;
  Choice other = {};
  if (from.family == Family::kStage || from.family == Family::kUnzip || from.family == Family::kUnzipAhead) {
    other.family = Family::kLines;
    ChooseLines(shape, request.problem.bytes, &other);
  } else if (from.family == Family::kLines && shape.family == Family::kTile) {
    other.family = Family::kStage;
    ChooseStage(shape, request.problem.bytes, &other);
  } else {
    return;
  }
  to->Add(other);
}

// Line tiles where a box fills them. They are not packed: what is instead of them goes by panels of two lines.
void VaryTranspose(const Choice& from, const Request& request, Variations* to) {
  const int64_t element = request.shape.element_bytes;
  const bool fills = VectorBytes(request.target) == kLineBytes && FillsLineTiles(request.shape);
  if (from.family == Family::kTile && from.panel != kLineTiles && fills) {
    Choice tiles = from;
    ChooseLineTiles(&tiles);
    to->Add(tiles);
  }
  for (const Pack pack : {Pack::kNone, Pack::kRows, Pack::kColumns, Pack::kLongColumns}) {
    Choice packed = from;
    packed.pack = pack;
    if (packed.panel == kLineTiles) packed.panel = kPanelBytes / element;
    // Others have columns of one length, and kJoined streams what it packs so.
    const bool tells_apart = pack <= (from.family == Family::kJoined ? Pack::kRows : Pack::kColumns);
    const bool packs = CanPack(request.shape) && (tells_apart || from.family == Family::kTile);
    if (pack != from.pack && packs) to->Add(packed);
  }
  Vary(from, &Choice::panel, {32, 64, 128, 256, 512}, element, to);
  Vary(from, &Choice::cols, {256, 512, 1024, 4096}, element, to);
  if (from.family != Family::kJoined) {
    Choice joined = from;
    joined.family = Family::kJoined;
    joined.pack = WritesPastCaches(from) ? Pack::kColumns : Pack::kNone;
    to->Add(joined);
  }
  if (from.family != Family::kStage) return;
  Vary(from, &Choice::run, {256, 512, 1024}, 1, to);
  Vary(from, &Choice::rows, {0, 2048, 8192}, element, to);
}

// kStream and kStageRuns, one from the other, and what of its runs a stage holds.
void VaryGathering(const Choice& from, const Request& request, Variations* to) {
  const Shape& shape = request.shape;
  Choice other = from;
  other.run = other.rows = other.cols = 0;
  if (from.family == Family::kStream) {
    other.family = Family::kStageRuns;
    ChooseStagedRuns(shape, &other);
  } else if (from.family == Family::kStageRuns) {
    Vary(from, &Choice::cols, {320, 1280}, shape.inner[0].n, to);
    Vary(from, &Choice::rows, {0, 64, 512}, 1, to);
    other.family = Family::kStream;
    ChooseStreamedRuns(shape, request.problem.bytes, &other);
  } else {
    return;
  }
  to->Add(other);
}

// kRegroup and kJoined, one from the other, and what of the planes L1 holds.
void VaryRegrouping(const Choice& from, const Shape& shape, Variations* to) {
  const bool streams = WritesPastCaches(from);
  Choice other = from;
  other.copy = 0;
  if (IsRegrouped(from.family)) {
    Vary(from, &Choice::run, {128, 256, 512, 1024}, 1, to);
    other.family = Family::kJoined;
    other.pack = streams ? Pack::kColumns : Pack::kNone;
    other.run = 0;
  } else {
    other.pack = Pack::kNone;
    ChooseRegroup(shape, streams, &other);
  }
  to->Add(other);
}

// kTwoPass instead of another, and kJoined, the shape's own and other copies instead of it. (The walk goes on behind
// the place where it took kTwoPass: none of the copies is there.)
void VaryPasses(const Choice& from, const Request& request, Variations* to) {
  TwoPassBox box;
  if (!FindTwoPassBox(request.shape, &box)) return;
  Choice other = from;
  other.pack = Pack::kNone;
  if (from.family != Family::kTwoPass) {
    other.family = Family::kTwoPass;
    if (std::isfinite(ChooseCopy(box, &other.copy))) to->Add(other);
    return;
  }
  other.copy = 0;
  other.family = Family::kJoined;
  to->Add(other);
  other.family = request.shape.family;
  if (other.family == Family::kTile) {
    ChooseTile(request.shape, request.problem.bytes, VectorBytes(request.target), &other);
  }
  to->Add(other);
  other = from;
  for (const int64_t copy : CopiesOf(box)) {
    other.copy = copy;
    if (copy != from.copy) to->Add(other);
  }
}

// How many runs of either axis go into one kernel call, or how much of a long axis.
void VaryRuns(const Choice& from, const Request& request, Variations* to) {
  if (from.family == Family::kRun && request.shape.num_outer > 2) Vary(from, &Choice::panel, {1, 32, 128}, 1, to);
  if (from.panel > 1) return;
  Vary(from, &Choice::rows, {0, 8, 32, 128}, 1, to);
  Vary(from, &Choice::cols, {0, 8, 32, 128}, 1, to);
}

Variations VariationsOf(const Choice& from, const Request& request) {
  Variations variations;
  if (from.family == Family::kLookup) return variations;
  if (request.stores == Stores::kAuto) {
    const Stores other = WritesPastCaches(from) ? Stores::kTemporal : Stores::kNonTemporal;
    variations.Add(EstimateChoice(request, other));
  }
  VaryPasses(from, request, &variations);
  VaryLines(from, request, &variations);
  VaryAsking(from, request, &variations);
  if (CanRegroup(request.shape)) VaryRegrouping(from, request.shape, &variations);
  const bool fixed = from.family == Family::kBatch || from.family == Family::kTwoPass || IsRegrouped(from.family);
  if (request.shape.family == Family::kTile && !fixed) VaryTranspose(from, request, &variations);
  if (GathersRuns(request.shape)) VaryGathering(from, request, &variations);
  if (from.family == Family::kRun || from.family == Family::kRunAhead) {
    VaryRuns(from, request, &variations);
  }
  Choice swapped = from;
  swapped.swap = !from.swap;
  variations.Add(swapped);
  return variations;
}

class Tuner {
 public:
  Tuner(const TuneJob& job, const void* src, void* dst)
      : job_(job),
        request_(job.request),
        asks_(Asks(job.request)),
        src_(src),
        dst_(dst),
        start_(Clock::now()),
        budget_ns_(static_cast<double>(job.budget_ns)) {}

  Choice Search(const Choice& first) const {
    Choice best = first;
    const double search_ns = budget_ns_ * kSearchShare;
    for (int i = 0; SpentNs() < search_ns; ++i) {
      const Variations variations = VariationsOf(best, request_);
      if (i >= variations.count) break;
      const Choice& candidate = variations.list[i];
      if (IsCandidate(candidate, best) && Wins(candidate, best, search_ns)) best = candidate;
    }
    return best == first || Wins(best, first, budget_ns_) ? best : first;
  }

 private:
  static bool Asks(const Request& request) {
    Choice uncached;
    return StreamsUncached(request, &uncached);
  }

  // Callers who forbid or demand streaming get what does as they say. Of a plan that asks only the way through the
  // caches is sought: whether they have the destination is up to those who run it, not to what ran before in a search.
  bool IsCandidate(const Choice& choice, const Choice& best) const {
    const bool streams = WritesPastCaches(choice);
    if (streams && (asks_ || request_.stores == Stores::kTemporal)) return false;
    if (!streams && WritesPastCaches(best) && request_.stores == Stores::kNonTemporal) return false;
    return Suits(choice, request_.shape);
  }

  double SpentNs() const { return std::chrono::duration<double, std::nano>(Clock::now() - start_).count(); }

  // Whether `a` is clearly faster than `b`, shown before `deadline_ns`. What writes past the caches takes from them
  // what the other has there: that should not pay for it, so each is measured on the caches as it leaves them itself.
  bool Wins(const Choice& a, const Choice& b, double deadline_ns) const {
    const Runner run_a(job_, a, src_, dst_);
    const Runner run_b(job_, b, src_, dst_);
    if (!run_a.status().ok() || !run_b.status().ok()) return false;
    AbbaSampler sampler(run_b, run_a, {.lead_calls = WritesPastCaches(a) != WritesPastCaches(b) ? 1 : 0});
    sampler.WarmUp();
    int lost = 0;
    double sum = 0;
    for (int block = 0; block < kBlocks; ++block) {
      if (SpentNs() >= deadline_ns) return false;
      const double log_ratio = sampler.Next().log_ratio;
      sum += log_ratio;
      lost += log_ratio >= 0 ? 1 : 0;
      if (lost > kMayLose) return false;
    }
    return sum / kBlocks < std::log(kClearlyFaster);
  }

  const TuneJob& job_;
  const Request& request_;
  const bool asks_;
  const void* src_;
  void* dst_;
  const Clock::time_point start_;
  const double budget_ns_;
};

}  // namespace

Status TuneOn(const TuneJob& job, const void* src, void* dst, Choice* choice) noexcept {
  const Runner first(job, *choice, src, dst);
  if (Status status = first.status(); !status.ok()) return status;
  if (Status status = first.Run(); !status.ok()) return status;
  *choice = Tuner(job, src, dst).Search(*choice);
  return Status();
}

bool FitsScratch(const Problem& problem) noexcept {
  const int64_t span = Max(problem.src_end - problem.src_begin, problem.dst_end - problem.dst_begin);
  return span <= kMostSpanBytes || span / kMostSpanPayloads <= problem.bytes;
}

Status TuneOnScratch(const TuneJob& job, Choice* choice) noexcept {
  const Problem& problem = job.request.problem;
  const Memory src(job.allocator, problem.src_end - problem.src_begin);
  const Memory dst(job.allocator, problem.dst_end - problem.dst_begin);
  if (Status status = src.status(); !status.ok()) return status;
  if (Status status = dst.status(); !status.ok()) return status;
  // Pages that nobody wrote to share one page of zeros, and lines of zeros stream in half of the time on some cores.
  memset(src.data(), 0x5A, src.span().size());
  return TuneOn(job, src.data() - problem.src_begin, dst.data() - problem.dst_begin, choice);
}

}  // namespace v1
}  // namespace dimorder
