// SPDX-License-Identifier: Apache-2.0
// Boxes of pixels and of other small matrices.
#include <cstdlib>

#include "tests/kernels/box_kinds.h"

namespace dimorder::test {

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

void AddPicks(int64_t size, std::vector<Box>* boxes) {
  for (int64_t count = 2; IsPickCount(count); ++count) {
    for (int64_t n : Counts(false)) {
      boxes->push_back({{{n, count * size, size}, {3, -n * count * size, n * size}, {2, 7, 3 * n * size}, {1, 0, 0}}});
      boxes->push_back({{{n, count * size, size}, {2, 0, n * size + 3}, {1, 0, 0}, {2, 1, 2 * (n * size + 3)}}});
    }
  }
}

void AddShuffles(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows = 2; rows * 2 * size <= kLineBytes; ++rows) {
    for (int64_t cols = 2; rows * cols * size <= kLineBytes; ++cols) {
      const int64_t bytes = rows * cols * size;
      for (const int64_t n : {1 + (rows + cols) % 21, 40 + cols}) {
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
}

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

}  // namespace dimorder::test
