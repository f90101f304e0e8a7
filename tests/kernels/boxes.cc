// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/boxes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace dimorder::test {
namespace {

// How the strides that a family leaves open are chosen.
enum Variation { kTight, kGaps, kReversed, kBroadcast, kNumVariations };

// A source stride for rows of `bytes` bytes.
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

// Gives axis 2 `n` steps: far outside on the source; on the destination outside, or between axes 0 and 1.
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

void AddRuns(std::vector<Box>* boxes) {
  std::vector<int64_t> lengths;
  for (int64_t n = 1; n <= 140; ++n) lengths.push_back(n);
  for (int64_t n : {143, 144, 145, 191, 192, 255, 256, 257, 320, 511, 513, 1000, 4095, 4096, 4097, 5001})
    lengths.push_back(n);
  for (int64_t bytes : lengths) {
    for (int v = 0; v < kNumVariations; ++v) {
      const Variation variation = static_cast<Variation>(v);
      Box box{
          {{bytes, 1, 1}, {v + 1, SourceStride(variation, bytes), bytes + (v == kGaps ? 5 : 0)}, {1, 0, 0}, {1, 0, 0}}};
      AddOuter(variation, 1 + v % 3, bytes, &box);
      boxes->push_back(box);
    }
    const int64_t adjoining = 2 * 4096 / bytes + 3;  // more than kStream gathers at a time
    boxes->push_back({{{bytes, 1, 1}, {adjoining, bytes + 9, bytes}, {2, 5, adjoining * bytes + 1}, {1, 0, 0}}});
  }
}

// Runs that adjoin on both sides, as rows and columns of kStageRuns.
void AddStagedRuns(std::vector<Box>* boxes) {
  std::vector<int64_t> lengths;
  for (int64_t n = 8; n <= 70; ++n) lengths.push_back(n);
  for (int64_t n : {100, 108, 127, 128, 129, 191, 200, 255}) lengths.push_back(n);
  for (int64_t bytes : lengths) {
    for (int64_t rows : {1, 2, 15, 16, 33, 70, 130}) {
      for (int64_t cols : {1, 2, 3, 9}) {
        const int64_t row_bytes = cols * bytes;
        const int64_t is[] = {row_bytes, row_bytes + 3, -row_bytes, 4096, 0};
        const int64_t gap = rows % 2 * 9;
        boxes->push_back(
            {{{bytes, 1, 1}, {rows, is[boxes->size() % 5], bytes}, {cols, bytes, rows * bytes + gap}, {1, 0, 0}}});
      }
    }
  }
}

// Transposes of `rows` source rows of `cols` elements.
void AddTile(int64_t rows, int64_t cols, int64_t size, std::vector<Box>* boxes) {
  for (int v = 0; v < kNumVariations; ++v) {
    const Variation variation = static_cast<Variation>(v);
    const int64_t gap = v == kGaps ? 3 : v == kBroadcast ? 64 : 0;
    Box box{
        {{rows, SourceStride(variation, cols * size), size}, {cols, size, rows * size + gap}, {1, 0, 0}, {1, 0, 0}}};
    AddOuter(variation, 1 + v % 3, std::abs(box.inner[0].is) * rows + cols * size, &box);
    boxes->push_back(box);
  }
}

// Transposes and deinterleaves whose columns are whole lines apart, at any place within a line, of rows that are near,
// far, on pages of their own, or reversed.
void AddLines(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {1, 15, 16, 17, 32, 63, 64, 65, 130, 200}) {
    for (int64_t cols : {1, 2, 3, 4, 7, 16, 33, 130}) {
      for (int64_t is : {cols * size, cols * size + 3, -(cols * size), int64_t{4096}, int64_t{4099}}) {
        const int64_t os = (rows * size + kLineBytes - 1) / kLineBytes * kLineBytes;
        const int64_t far = std::abs(is) * rows + cols * size;
        boxes->push_back(
            {{{rows, is, size}, {cols, size, os}, {3, far, os * cols + size}, {2, 3 * far, 4 * os * cols + 1}}});
      }
    }
  }
}

// Adjoining columns of whole lines that begin at each block of 16 bytes within a line, or at some elements.
void AddSeams(int64_t size, std::vector<Box>* boxes) {
  for (int64_t lines : {1, 2, 5, 9}) {
    for (int64_t cols : {1, 2, 3, 4, 5, 7, 9, 15, 16, 17, 40}) {
      const int64_t rows = lines * kLineBytes / size;
      const int64_t bytes = rows * cols * size;
      for (int64_t phase : {int64_t{16}, size}) {
        boxes->push_back(
            {{{rows, cols * size, size}, {cols, size, rows * size}, {4, bytes, bytes + phase}, {1, 0, 0}}});
      }
    }
  }
}

// As AddLines(), so large that columns which begin within a line, or within an element there, are put on lines first.
void AddPeeled(int64_t size, int64_t cols, std::vector<Box>* boxes) {
  for (int64_t extra : {1, 3, 8, 15}) {
    const int64_t rows = std::max(1024 / size, 48 * 1024 / (cols * size)) + extra;
    const int64_t os = (rows * size + kLineBytes - 1) / kLineBytes * kLineBytes;
    const int64_t is = cols * size;
    boxes->push_back({{{rows, is, size}, {cols, size, os}, {1, 0, 0}, {1, 0, 0}}});
    boxes->push_back({{{rows, is, size}, {cols, size, os}, {2, rows * is, cols * os + extra}, {1, 0, 0}}});
  }
}

// Those that kStage moves without a stage: lines of two and more, with and without ends, alone and continued.
void AddUnstaged(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {128 / size, 128 / size + 5, 256 / size}) {
    for (int64_t cols : {64 / size, 64 / size + 7, int64_t{130}}) {
      const int64_t os = (rows * size + kLineBytes - 1) / kLineBytes * kLineBytes;
      boxes->push_back({{{rows, cols * size, size}, {cols, size, os}, {1, 0, 0}, {1, 0, 0}}});
      boxes->push_back({{{rows, -cols * size, size}, {cols, size, os + kLineBytes}, {1, 0, 0}, {1, 0, 0}}});
      if (os != rows * size) continue;
      boxes->push_back({{{rows, 3 * cols * size, size}, {cols, size, 3 * os}, {3, cols * size, os}, {1, 0, 0}}});
    }
  }
}

// Those that kStage gathers a few columns at a time, from rows that are near, far, repeated or reversed.
void AddShortBoxes(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {32 / size, 32 / size + 3, int64_t{64}}) {
    for (int64_t cols : {16 / size, 16 / size + 1, 64 / size + 5, int64_t{100}}) {
      for (int64_t is : {cols * size, cols * size + 3, int64_t{0}, -(cols * size)}) {
        boxes->push_back({{{rows, is, size}, {cols, size, rows * size}, {1, 0, 0}, {1, 0, 0}}});
      }
    }
  }
}

// Those that kStage gathers line by line of each row, see RunOf(): of a few lines and more, that begin anywhere.
void AddCutColumns(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {16 / size, 32 / size + 1, int64_t{49}, int64_t{100}}) {
    for (int64_t cols : {16 / size, 64 / size, 80 / size, 128 / size + 1, 200 / size, int64_t{300}}) {
      for (int64_t is : {cols * size, cols * size + 3, int64_t{0}, -(cols * size)}) {
        boxes->push_back({{{rows, is, size}, {cols, size, rows * size}, {1, 0, 0}, {1, 0, 0}}});
      }
    }
  }
}

constexpr int64_t kRunBytes = 512;

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

void AddTiles(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : Counts(false)) {
    for (int64_t cols : Counts(size > 4)) AddTile(rows, cols, size, boxes);
  }
  const int64_t rows = 2 * kRunBytes / size + 3;  // three runs of kStage
  for (int64_t cols : Counts(true)) AddTile(rows, cols, size, boxes);
}

// Boxes whose rows and columns are continued by a second axis each, in reversed order on the other side.
void AddComposites(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {2, 7, 16, 25}) {
    for (int64_t more_rows : {1, 2, 5, 48}) {
      for (int64_t cols : {1, 3, 16, 35}) {
        for (int64_t more_cols : {1, 2, 9}) {
          if (rows * size > kRunBytes) continue;
          const int64_t row_bytes = cols * more_cols * size;
          const int64_t column_bytes = rows * more_rows * size;
          boxes->push_back({{{rows, more_rows * row_bytes, size},
                             {cols, size, more_cols * column_bytes},
                             {more_rows, row_bytes, rows * size},
                             {more_cols, cols * size, column_bytes}}});
        }
      }
    }
  }
}

// Composite boxes of kStage whose columns adjoin, or each column's parts, or nothing; with or without gaps after
// them, and rows on pages of their own.
void AddAdjoiningRuns(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {5, 16, 33}) {
    for (int64_t more_rows : {1, 2, 7}) {
      for (int64_t cols : {2, 9, 17}) {
        for (int64_t parts : {1, 3, 20}) {
          if (rows * size > kRunBytes) continue;
          const int64_t column_bytes = rows * more_rows * size;
          for (int64_t gap : {0, 3}) {
            const int64_t row_step = cols * parts * size + gap * 1366;
            for (const auto& [col_os, part_os] : {std::pair(column_bytes, cols * column_bytes + gap),
                                                  std::pair(parts * column_bytes + gap, column_bytes),
                                                  std::pair(column_bytes + 1, cols * (column_bytes + 1) + gap)}) {
              boxes->push_back({{{rows, more_rows * row_step, size},
                                 {cols, size, col_os},
                                 {more_rows, row_step, rows * size},
                                 {parts, cols * size, part_os}}});
            }
          }
        }
      }
    }
  }
}

// As AddComposites(), as small as tables demand.
void AddJoined(int64_t size, std::vector<Box>* boxes) {
  AddComposites(size, boxes);
  AddTile(64, 64, size, boxes);
  AddTile(1, 1, size, boxes);
  std::erase_if(*boxes, [](const Box& box) {
    return box.inner[0].n * box.inner[2].n > kMostJoined || box.inner[1].n * box.inner[3].n > kMostJoined;
  });
  for (Box& box : *boxes) {
    if (box.inner[2].os != box.inner[0].n * size) box.inner[2] = {1, 0, 0};  // does not continue the rows
  }
}

void AddZips(int64_t size, std::vector<Box>* boxes) {
  for (int64_t channels = 2; channels <= kMostZipped; ++channels) {
    if (!IsZipCount(channels, size)) continue;
    for (int64_t n : Counts(false)) {
      for (int v = 0; v < kNumVariations; ++v) {
        const Variation variation = static_cast<Variation>(v);
        Box box{
            {{channels, SourceStride(variation, n * size), size}, {n, size, channels * size}, {1, 0, 0}, {1, 0, 0}}};
        box.inner[2] = {1 + v % 3, (std::abs(box.inner[0].is) + 1) * channels + n * size,
                        n * channels * size + (v == kGaps ? 7 : 0)};
        boxes->push_back(box);
      }
    }
    for (int64_t extra : {1, 2, 4, 15}) {  // large ones, which are put on lines
      const int64_t n = 48 * 1024 / (channels * size) + extra;
      const Axis twice = {2, channels * n * size, channels * n * size};
      boxes->push_back({{{channels, n * size, size}, {n, size, channels * size}, twice, {1, 0, 0}}});
    }
  }
}

void AddUnzips(int64_t size, std::vector<Box>* boxes) {
  for (int64_t channels = 2; IsUnzipCount(channels, size); ++channels) {
    for (int64_t n : Counts(false)) {
      for (int v : {kTight, kGaps, kReversed}) {
        const Variation variation = static_cast<Variation>(v);
        Box box{{{n, channels * size, size}, {channels, size, n * size + (v == kGaps ? 3 : 0)}, {1, 0, 0}, {1, 0, 0}}};
        AddOuter(variation, 1 + v % 3, n * channels * size, &box);
        boxes->push_back(box);
      }
    }
    AddPeeled(size, channels, boxes);
  }
}

// All boxes of at most a line, as many of them as need every way to move the last ones.
void AddShuffles(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows = 2; rows * 2 * size <= kLineBytes; ++rows) {
    for (int64_t cols = 2; rows * cols * size <= kLineBytes; ++cols) {
      const int64_t bytes = rows * cols * size;
      const int64_t n = 1 + (rows + cols) % 21;
      const Axis dense = {n, bytes, bytes};
      const Axis apart = {n, bytes + 5, bytes + 3};
      const Axis backwards = {n, -bytes, bytes};
      const Axis spread = {n, bytes, bytes + 3};
      const Axis repeated = {n, 0, bytes};
      for (const Axis& batch : {dense, apart, backwards, spread, repeated}) {
        const Axis twice = {1 + rows % 2, 2 * n * (bytes + 5), n * (bytes + 3)};
        boxes->push_back({{{rows, cols * size, size}, {cols, size, rows * size}, batch, twice}});
      }
    }
  }
}

// Boxes of all kinds that adjoin in the destination, more than fill the lines that they meet in.
void AddBatches(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {2, 3, 5, 8, 9, 16, 17, 33}) {
    for (int64_t cols : {2, 3, 4, 7, 15, 16, 17, 40}) {
      const int64_t bytes = rows * cols * size;
      if (bytes > kBatchBytes) continue;
      const int64_t n = 1 + (rows + cols) % 3 * 2 * kBatchBytes / bytes;
      for (int64_t gap : {0, 3, -3}) {
        const int64_t row = gap < 0 ? -cols * size : cols * size + gap;
        const Axis adjoining = {n, gap < 0 ? 0 : rows * row, bytes};
        const Axis twice = {2, n * rows * row, n * bytes + 3};
        boxes->push_back({{{rows, row, size}, {cols, size, rows * size}, adjoining, twice}});
      }
    }
  }
}

// Pixels of few elements in few images: fewer than are regrouped at a time, and more; images that lie apart, adjoin,
// are in reversed order, or all the same.
void AddRegrouped(int64_t size, std::vector<Box>* boxes) {
  for (int64_t images : {2, 3, 5, 8, 13, 16, 21}) {
    for (int64_t elements : {2, 3, 4, 7, 16, 17, 30}) {
      for (int64_t n : {1, 3, 17, 64, 195, 400}) {
        const int64_t image = n * elements * size;
        const int64_t is[] = {image, image + 3, -image, 0};
        const int64_t gap = n % 4 * 7;
        const Axis pixels = {n, elements * size, images * size};
        const Axis twice = {1 + n % 2, images * (image + 3), elements * (n * images * size + gap)};
        boxes->push_back(
            {{{images, is[boxes->size() / 4 % 4], size}, {elements, size, n * images * size + gap}, pixels, twice}});
      }
    }
  }
}

void AddGeneric(int64_t size, std::vector<Box>* boxes) {
  AddTile(5, 7, size, boxes);
  AddTile(33, 4, size, boxes);
  for (int64_t n : Counts(false)) {
    boxes->push_back(
        {{{n, -2 * size, size + 1}, {3, 0, n * (size + 1)}, {2, 3 * size, 3 * n * (size + 1) + 1}, {1, 0, 0}}});
    boxes->push_back({{{n, size, 3 * size}, {2, -n * size, size}, {1, 0, 0}, {2, 1, 3 * n * size}}});
  }
}

}  // namespace

std::vector<Box> BoxesOf(const KernelInfo& info) {
  std::vector<Box> boxes;
  switch (info.family) {
    case Family::kCopy:
      AddRuns(&boxes);
      for (Box& box : boxes) box.inner[1] = box.inner[2] = box.inner[3] = {1, 0, 0};
      break;
    case Family::kRun:
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
      AddComposites(info.element_bytes, &boxes);
      for (int64_t cols : {5, 16, 33}) AddPeeled(info.element_bytes, cols, &boxes);
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
    case Family::kZip:
      AddZips(info.element_bytes, &boxes);
      break;
    case Family::kUnzip:
    case Family::kUnzipAhead:
      AddUnzips(info.element_bytes, &boxes);
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

}  // namespace dimorder::test
