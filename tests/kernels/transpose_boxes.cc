// SPDX-License-Identifier: Apache-2.0
// Boxes of transposes, as each family of kernels must take them.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tests/kernels/box_kinds.h"

namespace dimorder::test {

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

void AddPeeled(int64_t size, int64_t cols, std::vector<Box>* boxes) {
  for (int64_t extra : {1, 3, 8, 15}) {
    const int64_t rows = std::max(1024 / size, 48 * 1024 / (cols * size)) + extra;
    const int64_t os = (rows * size + kLineBytes - 1) / kLineBytes * kLineBytes;
    const int64_t is = cols * size;
    boxes->push_back({{{rows, is, size}, {cols, size, os}, {1, 0, 0}, {1, 0, 0}}});
    boxes->push_back({{{rows, is, size}, {cols, size, os}, {2, rows * is, cols * os + extra}, {1, 0, 0}}});
  }
}

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

void AddShortBoxes(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {32 / size, 32 / size + 3, int64_t{64}}) {
    for (int64_t cols : {16 / size, 16 / size + 1, 64 / size + 5, int64_t{100}}) {
      for (int64_t is : {cols * size, cols * size + 3, int64_t{0}, -(cols * size)}) {
        boxes->push_back({{{rows, is, size}, {cols, size, rows * size}, {1, 0, 0}, {1, 0, 0}}});
      }
    }
  }
}

void AddCutColumns(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : {16 / size, 32 / size + 1, int64_t{49}, int64_t{100}}) {
    for (int64_t cols : {16 / size, 64 / size, 80 / size, 128 / size + 1, 200 / size, int64_t{300}}) {
      for (int64_t is : {cols * size, cols * size + 3, int64_t{0}, -(cols * size)}) {
        boxes->push_back({{{rows, is, size}, {cols, size, rows * size}, {1, 0, 0}, {1, 0, 0}}});
      }
    }
  }
}

void AddTiles(int64_t size, std::vector<Box>* boxes) {
  for (int64_t rows : Counts(false)) {
    for (int64_t cols : Counts(size > 4)) AddTile(rows, cols, size, boxes);
  }
  for (int64_t rows : {17, 25, 40, 49}) AddTile(rows, 300, size, boxes);   // parts of columns that are packed apart
  for (int64_t rows : {2 * kRunBytes / size, 2 * kRunBytes / size + 3}) {  // two and three runs of kStage
    for (int64_t cols : Counts(true)) AddTile(rows, cols, size, boxes);
  }
}

void AddLongPixels(int64_t size, std::vector<Box>* boxes) {
  const int64_t lanes = kLineBytes / size;
  for (int64_t count = 5; count <= 33; ++count) {
    // 49 boxes, which shares no factor with 24, so that all kinds come by, whichever boxes are left out, and in each
    // way that is told from their number.
    for (int64_t n : {lanes / 2, lanes / 2 + 1, lanes - 1, lanes, lanes + 1, 2 * lanes - 1, 3 * lanes + 1}) {
      for (int64_t gap : {0, 3}) {  // columns with gaps are not pixels as well
        const int64_t os = n * size + gap;
        boxes->push_back({{{n, count * size, size}, {count, size, os}, {2, count * n * size, count * os}, {1, 0, 0}}});
      }
      const Axis parts = {3, count * n * size + 3, n * size};  // that continue the columns
      boxes->push_back({{{n, count * size, size}, {count, size, 3 * n * size}, parts, {1, 0, 0}}});
      for (int64_t is : {n * size, int64_t{0}, -n * size, n * size + 3}) {
        boxes->push_back({{{count, is, size}, {n, size, count * size}, {1, 0, 0}, {1, 0, 0}}});
      }
    }
  }
}

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

void AddLookups(std::vector<Box>* boxes) {
  const auto add = [boxes](int64_t a, int64_t b, int64_t c, int64_t d, const std::vector<int>& order) {
    if (a * b * c * d > kLineBytes) return;
    Box box{{{a, 0, 1}, {b, 0, a}, {c, 0, a * b}, {d, 0, a * b * c}}};
    int64_t is = 1;
    for (const int axis : order) {
      box.inner[axis].is = is;
      is *= box.inner[axis].n;
    }
    boxes->push_back(box);
  };
  for (int64_t a = 1; a <= kLineBytes; ++a) {
    for (int64_t b = 1; a * b <= kLineBytes; ++b) {
      for (int64_t c : {1, 2, 3, 5}) {
        for (int64_t d : {1, 2, 4}) add(a, b, c, d, {3, 2, 1, 0});
      }
    }
  }
  std::vector<int> order = {0, 1, 2, 3};
  do {
    for (int64_t a : {1, 2, 3, 4, 5}) add(a, 2, 3, 2, order);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace dimorder::test
