// SPDX-License-Identifier: Apache-2.0
// Boxes of runs.
#include <bit>

#include "tests/kernels/box_kinds.h"

namespace dimorder::test {

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
    for (int64_t n : {adjoining, 64 / bytes + 1, 64 / bytes + 2}) {
      boxes->push_back({{{bytes, 1, 1}, {n, bytes + 9, bytes}, {3, 5, n * bytes}, {1, 0, 0}}});
    }
    const int64_t columns = 2 * kFewLongRunsBytes / bytes + 3;  // more than kRun takes of a few rows at a time
    // Moves of the next power of two end where the next run does.
    const int64_t least = 2 * static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(bytes))) - bytes;
    for (int64_t rows : {2, 3, 4, 5}) {
      boxes->push_back({{{bytes, 1, 1}, {rows, columns * bytes, bytes}, {columns, bytes, rows * bytes}, {1, 0, 0}}});
      boxes->push_back({{{bytes, 1, 1}, {rows, -bytes, bytes}, {columns, least, rows * bytes}, {1, 0, 0}}});
      boxes->push_back({{{bytes, 1, 1}, {rows, 0, bytes}, {9, least - 1, rows * bytes}, {1, 0, 0}}});
    }
    for (int64_t n : {7, 8, 9, 10, 11}) {
      boxes->push_back({{{bytes, 1, 1}, {n, least, bytes}, {2, -3, n * bytes + 1}, {1, 0, 0}}});
    }
    for (int64_t n : {2, 4}) {  // as many as a vector has blocks
      boxes->push_back({{{bytes, 1, 1}, {n, bytes + 9, bytes}, {3, 5, n * bytes + 1}, {1, 0, 0}}});
    }
    boxes->push_back({{{bytes, 1, 1}, {2, -7, bytes + 5}, {columns, bytes + 2, 2 * bytes + 10}, {1, 0, 0}}});
  }
}

void AddPermutedRuns(std::vector<Box>* boxes) {
  for (int64_t bytes = 2; bytes < 16; ++bytes) {
    for (int64_t rows : {2, 3, 4}) {
      for (int64_t vectors : {1, 2, 5}) {
        for (int64_t n = vectors * 64 / bytes; n <= vectors * 64 / bytes + 4; ++n) {
          for (int64_t is : {n * bytes, -n * bytes, int64_t{0}}) {
            boxes->push_back({{{bytes, 1, 1}, {rows, is, bytes}, {n, bytes, rows * bytes}, {1, 0, 0}}});
          }
          const Axis twice = {2, 2 * rows * n * bytes + 1, rows * n * bytes + 3};
          boxes->push_back({{{bytes, 1, 1}, {rows, n * bytes, bytes}, {n, bytes, rows * bytes}, twice}});
        }
      }
      for (int64_t n = 256 / bytes; n <= 256 / bytes + 32 / bytes + 2; ++n) {
        const Axis twice = {1 + n % 2, 2 * rows * n * bytes + 1, 2 * n * bytes + 9};
        boxes->push_back({{{bytes, 1, 1}, {n, rows * bytes, bytes}, {2, bytes, n * bytes + 1}, twice}});
      }
    }
  }
}

void AddDeepRuns(std::vector<Box>* boxes) {
  for (int64_t bytes : {1, 2, 3, 5, 8, 12, 20, 31, 32, 50, 64, 100, 300, 5000}) {
    for (int64_t n : {2, 3, 9}) {
      const int64_t row = n * bytes;
      boxes->push_back({{{bytes, 1, 1}, {n, 6 * bytes, bytes}, {3, 2 * bytes, row}, {2, bytes, 3 * row}}});
      boxes->push_back({{{bytes, 1, 1}, {n, -bytes, bytes + 1}, {2, 7, row + n}, {4, 0, 2 * (row + n) + 5}}});
    }
  }
}

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

}  // namespace dimorder::test
