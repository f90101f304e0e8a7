// SPDX-License-Identifier: Apache-2.0
// Transposes that are streamed line by line, and in which order. Columns must be whole lines apart; where they begin is
// known to Execute only, so that short ones are planned as a stage, which the kernel leaves out if they are on lines.
#include "dispatch/choose.h"
#include "dispatch/l1.h"
#include "dispatch/machine.h"

namespace dimorder {
inline namespace v1 {
namespace {

// Shorter columns go by kStage: else, within a line, their parts cost more than streaming line by line wins (64 floats
// at 16 bytes 1.4 -> 4.4 times a copy, 256 bytes 1.7 -> 2.6; 128 floats 2.3 -> 1.5).
constexpr int64_t kMinRows = 128;
constexpr int64_t kMinByteRows = 512;
// Where the last level is far, columns of a line are staged wherever they begin, bytes (1.2 times as slow else) and
// what goes by vectors shorter than lines, too. Where it is near, lines are faster for all of them: 64 rows of bytes
// 2.1 -> 1.6 times a copy, 32 of 2 bytes 1.7 -> 1.1.
constexpr int64_t kMinFarColumnBytes = 2 * kLineBytes;
// Where the last level is near, panels go along so much of their rows (of 1 KB, 64 floats took 1.5 times as long), or
// along so many columns, where each has pages of its own.
constexpr int64_t kNearSourceBytes = int64_t{16} * 1024;
constexpr int64_t kNearPages = 1024;
// There one line of a column at a time is best: of two, 32 to 112 floats took 1.05 to 1.35 times as long, 3136 of 2
// bytes 1.15. But lines that are a multiple of these bytes apart seem to go to few of the memory's channels: 128 and
// 256 floats 1.1 -> 1.5 times a copy, also within the last level, 1.65 -> 2.9. And long columns of bytes want two: 9984
// of them 1.5 -> 1.7.
constexpr int64_t kChannelBytes = 512;
// Then two; or four, where rows and columns of 2 and 4 bytes are long (4096x4096 floats 2.1 -> 1.75; 8 bytes 1.5
// -> 1.9). Where L1 has spare ways four of all sizes (1280x2107 floats 2.5 -> 1.6 ns a line, 960x2943 doubles 2.9
// -> 1.9), but two of lines 512 bytes apart (0.8 to 1.5 times) and of rows that all collide. One of pieces of rows,
// since the next ones are asked for (1536x56x64 floats reversed 2.5 -> 1.9).
constexpr int64_t kMinFourLinesRowBytes = 128;
// The same of floats beyond the last level (25088x96 1.2 -> 1.4 with four; 12544x96 within it 1.6 -> 1.35, and rows of
// 192 and 320 bytes of 2-byte elements 0.88 of the time).
constexpr int64_t kMinFourFarFloatsRowBytes = 512;
constexpr int64_t kMinPieceBytes = 256;
constexpr int64_t kMostPieceBytes = 2048;
constexpr int64_t kMinLongBytes = 2048;
// Pieces of rows up to this are staged beyond the last level, if they make columns of these bytes: 32x64x100x32 floats
// reversed but for the first axis 2.6 -> 1.4 times a copy, others 0.7 to 1.0 of the time. (Pieces of 512 bytes took 1.1
// to 1.2 times as long, columns of 64 bytes and of 512 1.2.)
constexpr int64_t kMostStagedPieceBytes = 256;
constexpr int64_t kMinStagedColumnBytes = 128;
constexpr int64_t kMostStagedColumnBytes = 384;
// Where cores want runs, columns so many elements apart, or a multiple of it, are at few places of their pages; and so
// are those of 256 floats which adjoin, if rows are long (a stage of them 1.1 to 1.4 times a copy, lines 1.45 to 1.7).
constexpr int64_t kFewPlacesElements = 512;
constexpr int64_t kAdjoiningColumnBytes = 1024;
constexpr int64_t kMinLongRowBytes = 2048;
// Columns a multiple of these bytes apart begin at no more than 16 places.
constexpr int64_t kSixteenPlacesBytes = 256;
// Rows of bytes that are shorter than this are staged where they or their columns are at bad places.
constexpr int64_t kMinByteColumns = 256;

bool ArePagesApart(const Axis& rows) { return rows.is % kPageBytes == 0; }
bool AreRowsLong(const Shape& shape) { return shape.inner[1].n * shape.element_bytes >= kMinLongRowBytes; }

// Whether long rows of floats all collide in L1, where cores want runs: the kernel uses up a line of each at once
// (4096x4096 and others 3.0 to 3.7 times a copy in groups of their own, 2.2 or more by other stages, 1.8 to 2.2 by four
// lines of each; by one, in an hour when that took 2.7 to 5.0, 1.5 to 2.9).
bool UsesUpLines(const Shape& shape) {
  return StreamsWantRuns() && shape.element_bytes == 4 && ArePagesApart(shape.inner[0]) && AreRowsLong(shape);
}

// Whether L1 holds too few lines of rows for a line of a column, so that what is asked for would not stay. Where the
// last level is far a stage was slower still; so was one of long columns that adjoin, but for groups of them.
bool LinesCollide(const Shape& shape, int64_t bytes) {
  const int64_t element = shape.element_bytes;
  const bool stays = Adjoin(shape) && element >= 4 && !StagesGroups(shape, bytes);
  return LevelIsNear() && RowsInL1(shape.inner[0].is) * element < kLineBytes && !stays && !UsesUpLines(shape);
}

// Whether lines of all columns are at so few places of their pages that cores which want runs are better served by a
// stage than by a panel of any height: 70 shapes on Zen 3, with RunLines() for the others, in 0.6 of the time (0.2 to
// 1.35; 22x1024x32 floats 8.5 -> 1.7 times a copy).
bool SharePlaces(const Shape& shape) {
  if (!StreamsWantRuns() || UsesUpLines(shape)) return false;
  const int64_t element = shape.element_bytes;
  const int64_t os = shape.inner[1].os;
  return os % (kFewPlacesElements * element) == 0 ||
         (element == 4 && os == kAdjoiningColumnBytes && AreRowsLong(shape));
}

bool ShareChannels(const Shape& shape) { return shape.inner[1].os % kChannelBytes == 0; }
bool AreAtFewPlaces(const Shape& shape) { return shape.inner[1].os % kSixteenPlacesBytes == 0; }

// Whether short pieces of rows that make short columns are staged beyond the last level.
bool StagesPieces(const Shape& shape) {
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  return shape.inner[0].is != row_bytes && row_bytes <= kMostStagedPieceBytes &&
         column_bytes >= kMinStagedColumnBytes && column_bytes <= kMostStagedColumnBytes;
}

// Whether a stage is faster where the last level is near: for whole boxes, for pieces, and of rows that adjoin for cut
// ones, beyond the last level (2048x49 floats 2.0 -> 1.3 times a copy), if four lines at once are no faster, and short
// ones of bytes (192000x100 of them 3.0 -> 2.1, 64 columns of 1024 2.3 -> 1.7).
bool IsNearStage(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  if (!LevelIsNear()) return false;
  const bool far = LeavesNearLevel(bytes);
  if (far && (StagesWholeBox(shape, bytes) || StagesPieces(shape))) return true;
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  const bool cut = !WholeLines(shape.inner[0].is);
  const bool short_bytes = shape.element_bytes == 1 && row_bytes < kMinByteColumns;
  if (!RowsAdjoin(shape)) return false;
  if (short_bytes) return (cut || ShareChannels(shape)) && (far || vector_bytes < kLineBytes);
  const bool four_lines = HasSpareWays() && ShareChannels(shape);
  return cut && far && row_bytes >= 2 * kLineBytes && !four_lines;
}

// Whether a stage is faster than lines, wherever columns begin.
bool IsStageFaster(const Shape& shape, int64_t bytes, int64_t vector_bytes) {
  return LinesCollide(shape, bytes) || SharePlaces(shape) || IsNearStage(shape, bytes, vector_bytes);
}

// Lines of a column in a panel where cores want runs: 128 to 12544 floats a multiple of 512 bytes apart 1.1 to 1.8
// times a copy with four, 1.7 to 4.3 with one; doubles of long rows 1.2 to 1.5 with two, 1.6 to 2.0 with four. Other
// doubles 0.5 to 1.1 of the time with four (784x17x112 of them by 120 1.35 times, 1000x4480, whose rows are long, 1.9).
// Other moves within the last level 0.57 to 1.08 with two, but bytes at odd places 0.85 to 1.02 with one; beyond it
// floats 1.2 to 1.7 times with two, two of nine 0.6 and 0.9.
int64_t RunLines(const Shape& shape, int64_t bytes) {
  const int64_t element = shape.element_bytes;
  const bool long_rows = shape.inner[1].n * element > kPageBytes;
  if (ShareChannels(shape)) return element == 8 && long_rows ? 2 : 4;
  if (element == 8 && (AreAtFewPlaces(shape) || !long_rows)) return 4;
  if (LeavesNearLevel(bytes) || (element == 1 && !AreAtFewPlaces(shape))) return 1;
  return 2;
}

// The same where they do not.
int64_t ChannelLines(const Shape& shape, int64_t bytes) {
  const int64_t element = shape.element_bytes;
  const int64_t os = shape.inner[1].os;
  const int64_t row_bytes = shape.inner[1].n * element;
  const bool pieces = shape.inner[0].is != row_bytes && row_bytes >= kMinPieceBytes && row_bytes <= kMostPieceBytes;
  const bool long_bytes = element == 1 && os > kMinLongBytes;
  if (pieces || !(ShareChannels(shape) || long_bytes)) return 1;
  if (HasSpareWays()) return ShareChannels(shape) && os > kChannelBytes && !ArePagesApart(shape.inner[0]) ? 4 : 2;
  const bool far_floats = element == 4 && LeavesNearLevel(bytes);
  const int64_t long_row_bytes = far_floats ? kMinFourFarFloatsRowBytes : kMinFourLinesRowBytes;
  return os > kPageBytes && row_bytes >= long_row_bytes && (element == 2 || element == 4) ? 4 : 2;
}

// Lines of a column in a panel of so many rows, at least one.
int64_t LinesOf(const Shape& shape, int64_t rows) {
  return Max(WholePanel(rows) * shape.element_bytes / kLineBytes, 1);
}

// Lines of a column in a panel, where the last level is near: mostly no more than rows stay in L1 for. Where cores want
// runs that is half of those that it holds (1584x256 floats in pieces of rows 1.43 -> 1.57 times a copy with all), but
// all if columns are at few places (3136x256 floats 1.9 -> 1.3).
int64_t NearPanelLines(const Shape& shape, int64_t bytes) {
  const int64_t held = RowsInL1(shape.inner[0].is);
  if (StreamsWantRuns()) return Min(RunLines(shape, bytes), LinesOf(shape, AreAtFewPlaces(shape) ? held : held / 2));
  const int64_t lines = ChannelLines(shape, bytes);
  // Rows that all collide in L1 are used up a line at once. Where L1 has spare ways, other rows gain by as many lines
  // as channels want, too: 66 shapes of 4 to 40 MB in 0.83 of the time of those that rows stay for, 0.35 to 1.17
  // (1024x3584 floats 6.0 -> 2.2 times a copy, 4096x2560 bytes 6.9 -> 2.5), 16 of them in 0.74 with vectors of half a
  // line.
  if ((HasSpareWays() || ArePagesApart(shape.inner[0])) && ShareChannels(shape)) return lines;
  return Min(lines, LinesOf(shape, held));
}

// The same where it is far: two, but one of single bytes where each row has a page of its own (moves of 8 MB and more
// 0.7 to 0.85 of the time, of 2 to 3 MB 0.85 to 1.4 times; of 2 bytes 0.85 to 1.6 times).
int64_t FarPanelLines(const Shape& shape) { return shape.element_bytes == 1 && IsPageEach(shape.inner[0].is) ? 1 : 2; }

// Source rows of a panel.
int64_t PanelOf(const Shape& shape, int64_t bytes) {
  const int64_t lines = LevelIsNear() ? NearPanelLines(shape, bytes) : FarPanelLines(shape);
  return lines * kLineBytes / shape.element_bytes;
}

}  // namespace

bool StreamsColumns(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept {
  const Axis& rows = shape.inner[0];
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  const bool near_rows = row_bytes >= 16 && Magnitude(rows.is) < kLineBytes;
  return shape.family == Family::kTile && (row_bytes >= kLineBytes || near_rows) && CanBeLines(shape) &&
         WholeLines(shape.inner[1].os) && !IsStageFaster(shape, bytes, vector_bytes) &&
         rows.n >= (shape.element_bytes == 1 ? kMinByteRows : kMinRows);
}

void ChooseLines(const Shape& shape, int64_t bytes, Choice* choice) noexcept {
  if (shape.family != Family::kTile) return;
  const int64_t element = shape.element_bytes;
  choice->panel = PanelOf(shape, bytes);
  choice->cols = kTileSourceBytes / element;
  if (!LevelIsNear()) return;
  const int64_t on_pages = kNearPages * kPageBytes / Max(shape.inner[1].os, 1);
  choice->cols = Min(kNearSourceBytes / element, Max(on_pages, choice->cols));
}

int64_t PanelInsteadOfStage(const Shape& shape, int64_t bytes, int64_t vector_bytes) noexcept {
  const int64_t column_bytes = shape.inner[0].n * shape.element_bytes;
  const int64_t row_bytes = shape.inner[1].n * shape.element_bytes;
  if (!CanBeLines(shape) || !WholeLines(shape.inner[1].os) || row_bytes < kLineBytes ||
      IsStageFaster(shape, bytes, vector_bytes))
    return 0;
  const bool far_lines = column_bytes >= kMinFarColumnBytes && shape.element_bytes > 1 && vector_bytes == kLineBytes;
  return far_lines || (LevelIsNear() && column_bytes >= kLineBytes) ? PanelOf(shape, bytes) : 0;
}

int64_t LinesAhead(int64_t panel, int64_t bytes) noexcept {
  // Within the last level more gains nothing (1000x1000 doubles 1.1 times as long).
  if (!LeavesNearLevel(bytes)) return kLineBytes;
  return Max(MachineCaches().l1 / 2 / Max(panel, 1) / kLineBytes, 1) * kLineBytes;
}

}  // namespace v1
}  // namespace dimorder
