// SPDX-License-Identifier: Apache-2.0
// The estimate: kernel, blocks and stores from the sizes of the caches, without touching data.
#include "dispatch/choice.h"

#include "dispatch/choose.h"
#include "dispatch/integers.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"
#include "dispatch/plan.h"
#include "dispatch/target.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Joined columns that may be so long are packed, and streamed from there. 64 bytes: 2.5 times slower than not
// streaming.
constexpr int64_t kMinJoinedStreamBytes = 128;

// No choice asks for more.
constexpr int64_t kMaxStageColumns = int64_t{1} << 20;
constexpr int64_t kMaxStageBytes = int64_t{16} << 20;

// Whether kJoined can do what a shape asks for.
bool CanJoin(const Shape& shape) {
  if (FindKernelId(Family::kJoined, shape.element_bytes) == kNumKernels) return false;
  return shape.family == Family::kTile ||
         (shape.family == Family::kGeneric && shape.inner[0].os == shape.element_bytes);
}

// Whether rows or columns are shorter than a line, and an axis continues them. What may be staged is, where
// columns are long and rows, with what continues them, not too short: weights to HWIO take 2.2 times a copy for 5.0
// (1024 x 1024 of 3x3 bytes 5.3 -> 2.2, of 5 floats 3.7 -> 1.95).
bool Joins(const Shape& shape, bool may_stage) {
  if (!CanJoin(shape)) return false;
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  if (may_stage && column_bytes >= kStageRunBytes && HasLongRows(shape)) return false;
  for (int i = 0; i < shape.num_outer; ++i) {
    if (column_bytes < kLineBytes && shape.outer[i].os == column_bytes) return true;
    if (shape.family == Family::kTile && row_bytes < kLineBytes && shape.outer[i].is == row_bytes) return true;
  }
  // Two axes alone are what the generic kernel walks in one call, too.
  return shape.family == Family::kGeneric && shape.num_outer != 0 && column_bytes < kLineBytes &&
         shape.inner[1].os == column_bytes;
}

// The axis that continues so many rows in the destination.
Axis NextRows(const Shape& shape, int64_t rows) { return NextAxis(shape, &Axis::os, rows * shape.element_bytes); }

// Rows that kJoined may have side by side: those of all axes that continue each other. What continues both sides goes
// to the one with fewer elements.
int64_t JoinedRows(const Shape& shape) {
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  const bool rows_first = shape.inner[0].n < shape.inner[1].n;
  int64_t rows = Min(shape.inner[0].n, kMostJoined);
  for (Axis next = shape.inner[0]; rows < kMostJoined && next.n > 1;) {
    next = NextRows(shape, rows);
    if (!rows_first && next.is == row_bytes) break;
    rows = Min(rows * Min(next.n, kMostJoined), kMostJoined);
  }
  return rows;
}

// Whether joined rows are packed though they do not stream, since L1 cannot hold a line of each: those of all axes that
// continue each other, whose places in the source are multiples of a large power of two.
bool PacksJoinedRows(const Shape& shape, int64_t bytes) {
  if (shape.family != Family::kTile || bytes <= MachineCaches().l1 / 2) return false;
  int64_t rows = 1;
  int64_t places = 0;
  Axis axis = shape.inner[0];
  for (int64_t most = kMostJoined; axis.n > 1; most = kMostJoined / rows) {
    places |= Magnitude(axis.is);
    rows *= Min(axis.n, most);
    if (axis.n > most) break;
    axis = NextRows(shape, rows);
  }
  return rows > 2 * RowsInL1(places & -places);
}

// Whether the next box goes on within the line that its runs end in. Then, where the last level is near, they are
// stored as they are: the lines that runs cut stay in the cache until they are whole (12 and 24 rows of floats that
// others continue 5.5 -> 3.2 and 6.4 -> 3.0 times a copy).
bool RunsGoOn(const Shape& shape) {
  int64_t rows = 1;
  for (int64_t n = shape.inner[0].n; n > 1; n = NextRows(shape, rows).n) {
    const int64_t most = kMostJoined / rows;
    const int64_t shares = CeilDivide(n, most);
    const int64_t block = CeilDivide(n, shares);
    rows *= block;
    if (block < n) return LevelIsNear() && !WholeLines(rows * shape.element_bytes);
  }
  return false;
}

}  // namespace

Choice EstimateChoice(const Request& request, Stores stores) noexcept {
  const Shape& shape = request.shape;
  Choice choice = {
      .family = shape.family, .pack = Pack::kNone, .swap = false, .panel = 1, .run = 0, .rows = 0, .cols = 0};
  const int64_t bytes = request.problem.bytes;
  const int64_t vector_bytes = VectorBytes(request.target);
  const bool ahead = AsksAhead(shape, bytes, vector_bytes);
  const bool may_wait = ahead && stores == Stores::kAuto && request.threads == 1;
  const bool waits = may_wait && !Joins(shape, false) && OutrunsStage(shape, bytes, vector_bytes);
  const bool streams = !waits && Streams(shape, bytes, request.threads, stores);
  if (streams) choice.family = StreamedFamily(shape, bytes, vector_bytes);
  if (Regroups(shape, streams)) {
    ChooseRegroup(shape, streams, &choice);
  } else if (Joins(shape, choice.family == Family::kStage) && !(streams && StagesShortColumns(shape, bytes))) {
    choice.family = Family::kJoined;
    const bool long_runs = JoinedRows(shape) * shape.element_bytes >= kMinJoinedStreamBytes;
    if (long_runs && shape.family == Family::kTile && streams && !RunsGoOn(shape)) {
      choice.pack = Pack::kColumns;
    } else if (PacksJoinedRows(shape, bytes)) {
      choice.pack = Pack::kRows;
    }
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
  if (FindKernelId(choice.family, shape.element_bytes) == kNumKernels) return false;
  if (choice.family == Family::kJoined) return choice.pack != Pack::kLongColumns && CanJoin(shape);
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
}

}  // namespace v1
}  // namespace dimorder
