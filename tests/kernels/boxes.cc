// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/boxes.h"

#include <algorithm>
#include <cstdlib>

#include "tests/kernels/box_kinds.h"

namespace dimorder::test {
namespace {

void AddGeneric(int64_t size, std::vector<Box>* boxes) {
  AddTile(5, 7, size, boxes);
  AddTile(33, 4, size, boxes);
  for (int64_t n : Counts(false)) {
    boxes->push_back(
        {{{n, -2 * size, size + 1}, {3, 0, n * (size + 1)}, {2, 3 * size, 3 * n * (size + 1) + 1}, {1, 0, 0}}});
    boxes->push_back({{{n, size, 3 * size}, {2, -n * size, size}, {1, 0, 0}, {2, 1, 3 * n * size}}});
  }
}

// KernelArgs::run of kStageRuns: whole lines, one run, or both and something.
int64_t StagedRunOf(int64_t bytes, size_t number) {
  const int64_t runs[] = {LineColumns(bytes) * bytes, std::max(bytes, kLineBytes), kRunBytes + bytes};
  return runs[number % 3];
}

// The same of kStage: for most boxes of adjoining columns that by which they are staged line by line of each row.
int64_t RunOf(const Box& box, int64_t size, size_t number) {
  const int64_t os = box.inner[1].os;
  const bool adjoin = os == box.inner[0].n * size && box.inner[2].n == 1 && box.inner[3].n == 1;
  const int64_t line_by_line = LineByLineRun(os, size);
  return adjoin && number % 5 < 3 && line_by_line >= kLineBytes ? line_by_line : kRunBytes;
}

bool IsPowerUpTo8(const KernelInfo& info) {
  return (info.element_bytes & (info.element_bytes - 1)) == 0 && info.element_bytes <= 8;
}

}  // namespace

int64_t SourceStride(Variation variation, int64_t bytes) {
  switch (variation) {
    case kTight:
      return bytes;
    case kGaps:
      return bytes + 3;
    case kReversed:
      return -bytes;
    default:
      return 0;
  }
}

void AddOuter(Variation variation, int64_t n, int64_t row_bytes, Box* box) {
  Axis& mid = box->inner[1];
  Axis& outer = box->inner[2];
  outer = {n, std::abs(mid.is) * mid.n + row_bytes + 5, mid.os * mid.n + (variation == kGaps ? 7 : 0)};
  if (variation == kReversed) {
    outer.os = mid.os;
    mid.os *= n;
  }
}

const std::vector<int64_t>& Counts(bool quick) {
  static const std::vector<int64_t> all = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,  13,  14,
                                           15, 16, 17, 23, 31, 32, 33, 48, 63, 64, 65, 100, 127, 129};
  static const std::vector<int64_t> few = {1, 3, 8, 17, 33, 65, 520};
  return quick ? few : all;
}

std::vector<Box> BoxesOf(const KernelInfo& info) {
  std::vector<Box> boxes;
  switch (info.family) {
    case Family::kCopy:
      AddRuns(&boxes);
      for (Box& box : boxes) box.inner[1] = box.inner[2] = box.inner[3] = {1, 0, 0};
      break;
    case Family::kRun:
      AddRuns(&boxes);
      AddPermutedRuns(&boxes);
      AddDeepRuns(&boxes);
      break;
    case Family::kRunAhead:
    case Family::kStream:
      AddRuns(&boxes);
      break;
    case Family::kStageRuns:
      AddStagedRuns(&boxes);
      break;
    case Family::kTile:
    case Family::kAhead:
      AddTiles(info.element_bytes, &boxes);
      AddLongPixels(info.element_bytes, &boxes);
      AddComposites(info.element_bytes, &boxes);
      for (int64_t cols : {5, 16, 33}) AddPeeled(info.element_bytes, cols, &boxes);
      for (int64_t cols : {11, 13, 15, 27, 45, 51, 84}) AddTile(64, cols, info.element_bytes, &boxes);
      for (int64_t cols : {32, 33, 65, 96, 130}) AddTile(32 / info.element_bytes, cols, info.element_bytes, &boxes);
      for (int64_t rows : {17, 33, 40, 49, 64, 72}) {  // that collide
        AddTile(rows, kPageBytes / info.element_bytes, info.element_bytes, &boxes);
      }
      for (int64_t rows : {24, 40, 41, 49, 72, 80, 88, 96, 516}) {
        for (int64_t cols : {53, 84, 96}) AddTile(rows, cols, info.element_bytes, &boxes);
      }
      break;
    case Family::kLines:
      AddTiles(info.element_bytes, &boxes);
      AddLines(info.element_bytes, &boxes);
      AddSeams(info.element_bytes, &boxes);
      AddZips(info.element_bytes, &boxes);
      AddUnzips(info.element_bytes, &boxes);
      break;
    case Family::kStage:
      AddTiles(info.element_bytes, &boxes);
      for (Box& box : boxes) box.inner[2] = {1, 0, 0};  // would have to continue the rows
      AddComposites(info.element_bytes, &boxes);
      AddAdjoiningRuns(info.element_bytes, &boxes);
      AddUnstaged(info.element_bytes, &boxes);
      AddShortBoxes(info.element_bytes, &boxes);
      AddCutColumns(info.element_bytes, &boxes);
      break;
    case Family::kJoined:
      AddJoined(info.element_bytes, &boxes);
      break;
    case Family::kLookup:
      AddLookups(&boxes);
      break;
    case Family::kZip:
    case Family::kZipAhead:
      AddZips(info.element_bytes, &boxes);
      break;
    case Family::kUnzip:
    case Family::kUnzipAhead:
      AddUnzips(info.element_bytes, &boxes);
      break;
    case Family::kPick:
      AddPicks(info.element_bytes, &boxes);
      break;
    case Family::kShuffle:
      AddShuffles(info.element_bytes, &boxes);
      break;
    case Family::kBatch:
      AddBatches(info.element_bytes, &boxes);
      break;
    case Family::kRegroup:
    case Family::kStageRegroup:
      AddRegrouped(info.element_bytes, &boxes);
      break;
    case Family::kTwoPass:
    case Family::kGeneric:
      AddGeneric(info.element_bytes, &boxes);
      break;
  }
  return boxes;
}

int64_t RunOf(const KernelInfo& info, const Box& box, size_t number) {
  if (info.family == Family::kStageRuns) return StagedRunOf(box.inner[0].n, number);
  if (IsRegrouped(info.family)) return static_cast<int64_t>(1 + number % 4) * kLineBytes;
  return RunOf(box, info.element_bytes, number);
}

int64_t GroupOf(const KernelInfo& info, const Box& box, size_t number) {
  if (info.family != Family::kStage || !IsPowerUpTo8(info) || box.inner[2].n != 1 || box.inner[3].n != 1) return 0;
  constexpr int64_t kGroups[] = {0, 16, 1, 40};
  return kGroups[number / 4 % 4];
}

int64_t PanelOf(const KernelInfo& info, size_t number) {
  if (info.family == Family::kTile && number / 4 % 5 < 2) return kLineTiles;
  constexpr int64_t kPanels[] = {1, 24, int64_t{1} << 40};
  return kPanels[number % 3];
}

int64_t LinesPanelOf(const KernelInfo& info, size_t number) {
  constexpr int64_t kAbreast[] = {1, 40, 128};  // the next one after all 36 of AbreastOf()
  constexpr int64_t kStaged[] = {0, 1, 40};
  return info.family == Family::kTile ? kAbreast[number / 36 % 3] : kStaged[number / 2 % 3];
}

int64_t AbreastOf(const KernelInfo& info, size_t number) {
  if (info.family != Family::kTile || !IsPowerUpTo8(info)) return 0;
  const int64_t microtile = 16 / info.element_bytes;
  const int64_t lines = 4 * microtile;
  const int64_t two = 2 * microtile;
  const int64_t abreast[] = {0, two, microtile, 0, two, microtile / 2, two, lines, 0};
  return abreast[number / 4 % 9];
}

}  // namespace dimorder::test
