// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "tests/sweep/families.h"

namespace dimorder::test {
namespace {

// Odd sizes are runs of bytes that no vector or register holds.
constexpr int64_t kElements[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24};
constexpr int64_t kEdges[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,   10,  11,  12,  13,  14, 15,
                              16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
constexpr int64_t kNumEdges = static_cast<int64_t>(std::size(kEdges));
constexpr int64_t kNumElements = static_cast<int64_t>(std::size(kElements));
constexpr int64_t kForms = 4;

Move Transposed(int64_t rows, int64_t cols, int64_t element, int64_t form) {
  switch (form) {
    case 0:  // plain
      return Move::Permute({rows, cols}, {1, 0}, element);
    case 1:  // a batch of three
      return Move::Permute({3, rows, cols}, {0, 2, 1}, element);
    case 2:  // runs of `cols` elements
      return Move::Permute({rows, 5, cols}, {1, 0, 2}, element);
    default:  // out of a wider matrix into a wider one
      return Move::Between(Layout::Strided({rows, cols}, {(cols + 3) * element, element}),
                           Layout::Strided({rows, cols}, {element, rows * element + 5}), element);
  }
}

}  // namespace

Family AllSizes() {
  const int64_t count = kNumEdges * kNumEdges * kNumElements * kForms;
  return {"sizes", count, 2, [](int64_t i) {
            const int64_t form = i % kForms;
            const int64_t element = kElements[i / kForms % kNumElements];
            const int64_t pair = i / kForms / kNumElements;
            return Transposed(kEdges[pair / kNumEdges], kEdges[pair % kNumEdges], element, form);
          }};
}

Family DegenerateSizes() {
  static constexpr int64_t kSizes[4] = {3, 4, 5, 2};
  static constexpr int64_t kWidths[] = {1, 2, 4, 8, 16};
  const std::vector<std::vector<int>> perms = Permutations(4);
  // Each set of axes made 1, each set of axes made 0, under each permutation and element.
  const int64_t count = 2 * 16 * 24 * 5;
  return {"degenerate", count, 2, [perms](int64_t i) {
            const int64_t set = i % 16;
            const int64_t small = i / 16 % 2;
            const std::vector<int>& perm = perms[static_cast<size_t>(i / 32 % 24)];
            int64_t sizes[4];
            for (int a = 0; a < 4; ++a) sizes[a] = (set >> a & 1) != 0 ? small : kSizes[a];
            return Move::Permute(sizes, AxisList(perm.data(), perm.size()), kWidths[i / 768]);
          }};
}

}  // namespace dimorder::test
