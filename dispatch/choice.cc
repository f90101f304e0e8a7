// SPDX-License-Identifier: Apache-2.0
// The estimate: kernel, blocks and stores from the sizes of the caches, without touching data.
#include "dispatch/choice.h"

#include <algorithm>

#include "dispatch/choose.h"
#include "dispatch/integers.h"
#include "dispatch/plan.h"
#include "dispatch/target.h"
#include "dispatch/two_pass.h"

namespace dimorder {
inline namespace v1 {
namespace {

// No choice asks for more.
constexpr int64_t kMaxStageColumns = int64_t{1} << 20;
constexpr int64_t kMaxStageBytes = int64_t{16} << 20;

}  // namespace

Choice EstimateChoice(const Request& request, Stores stores) noexcept {
  const Shape& shape = request.shape;
  Choice choice = {.family = shape.family,
                   .pack = Pack::kNone,
                   .swap = false,
                   .panel = 1,
                   .run = 0,
                   .rows = 0,
                   .cols = 0,
                   .copy = 0};
  if (shape.family == Family::kLookup) return choice;
  const int64_t bytes = request.problem.bytes;
  const int64_t vector_bytes = VectorBytes(request.target);
  const bool ahead = AsksAhead(shape, bytes, vector_bytes);
  const bool may_wait = ahead && stores == Stores::kAuto && request.threads == 1;
  const bool waits = may_wait && !Joins(shape, false) && OutrunsStage(shape, bytes, vector_bytes);
  const bool streams = !waits && Streams(shape, bytes, request.threads, stores);
  if (streams) choice.family = StreamedFamily(shape, bytes, vector_bytes);
  if (!streams && HasVectors(request.target) && TakesTwoPasses(shape, bytes, &choice.copy)) {
    choice.family = Family::kTwoPass;
  } else if (Regroups(shape, streams)) {
    ChooseRegroup(shape, streams, &choice);
  } else if (Joins(shape, choice.family == Family::kStage) && !(streams && StagesShortColumns(shape, bytes))) {
    ChooseJoined(shape, bytes, vector_bytes, streams, &choice);
  }
  if (choice.family == Family::kTile) {
    ahead ? ChooseAhead(shape, bytes, vector_bytes, &choice) : ChooseTile(shape, bytes, vector_bytes, &choice);
  }
  if (choice.family == Family::kZip && AsksForPixels(shape, bytes, vector_bytes)) choice.family = Family::kZipAhead;
  if (choice.family == Family::kUnzip && AsksForPlanes(shape, bytes, vector_bytes)) choice.family = Family::kUnzipAhead;
  if (choice.family == Family::kBatch) choice.panel = shape.inner[0].n;
  if (choice.family == Family::kLines) ChooseLines(shape, bytes, &choice);
  if (choice.family == Family::kStage) ChooseStage(shape, bytes, &choice);
  if (choice.family == Family::kStream) ChooseStreamedRuns(shape, bytes, &choice);
  if (choice.family == Family::kStageRuns) ChooseStagedRuns(shape, &choice);
  if (choice.family == Family::kRun) ChooseRuns(shape, bytes, vector_bytes, &choice);
  return choice;
}

bool Suits(const Choice& choice, const Shape& shape) noexcept {
  if (choice.copy != 0 && choice.family != Family::kTwoPass) return false;
  if (FindKernelId(choice.family, shape.element_bytes) == kNumKernels) return false;
  if (choice.family == Family::kJoined) return choice.pack != Pack::kLongColumns && CanJoin(shape);
  if (choice.family == Family::kTwoPass) {
    TwoPassBox box;
    if (choice.pack != Pack::kNone || !FindTwoPassBox(shape, &box)) return false;
    const Copies copies = CopiesOf(box);
    return std::find(copies.begin(), copies.end(), choice.copy) != copies.end();
  }
  if (choice.family == Family::kLines) return choice.pack == Pack::kNone && CanBeLines(shape);
  if (choice.family == Family::kBatch) return choice.pack == Pack::kNone && CanBatch(shape);
  if (choice.family == Family::kShuffle) return choice.pack == Pack::kNone && shape.family == Family::kShuffle;
  if (choice.family == Family::kAhead) return shape.family == Family::kTile;
  if (choice.family == Family::kZipAhead) return shape.family == Family::kZip;
  if (choice.family == Family::kUnzipAhead) return shape.family == Family::kUnzip;
  if (choice.family == Family::kStageRuns) {
    if (shape.family != Family::kRun || !GathersRuns(shape) || choice.pack != Pack::kNone) return false;
    if (choice.run < Max(kLineBytes, shape.inner[0].n) || choice.run > kMaxStageBytes || choice.cols < 1) return false;
    return choice.cols <= kMaxStageBytes / StagePitch(choice.run);
  }
  if (IsRegrouped(choice.family)) {
    const bool lines = choice.run >= kLineBytes && choice.run <= kMaxStageBytes && choice.run % kLineBytes == 0;
    if (!CanRegroup(shape) || choice.pack != Pack::kNone || !lines) return false;
    return RegroupBytes(shape.inner[1].n, shape.inner[0].n, choice.run, true) <= kMaxStageBytes;
  }
  if (choice.family != Family::kStage) {
    const bool runs = choice.family == Family::kStream || choice.family == Family::kRunAhead;
    return choice.family == shape.family || (runs && shape.family == Family::kRun);
  }
  if (shape.family != Family::kTile) return false;
  if (choice.run < kLineBytes || choice.cols < 1) return false;
  const Axis inner[kInnerAxes] = {shape.inner[0], {choice.cols, 0, shape.inner[1].os}, {1, 0, 0}, {1, 0, 0}};
  return choice.cols <= kMaxStageColumns && StageBytes(inner, shape.element_bytes, choice.run, 0) <= kMaxStageBytes;
}

void WriteChoice(const Choice& choice, int64_t element_bytes, TextWriter* text) noexcept {
  text->Add(GetKernelInfo(FindKernelId(choice.family, element_bytes)).name);
  text->Add(" pack=").Add(static_cast<int64_t>(choice.pack));
  text->Add(" panel=").Add(choice.panel).Add(" run=").Add(choice.run);
  text->Add(" rows=").Add(choice.rows).Add(" cols=").Add(choice.cols).Add(" swap=").Add(int64_t{choice.swap});
  text->Add(" copy=").Add(choice.copy);
}

}  // namespace v1
}  // namespace dimorder
