// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <numeric>

#include "tests/sweep/families.h"

namespace dimorder::test {
namespace {

constexpr int64_t kElements[] = {1, 2, 4, 8, 16};
constexpr int kForms = 2;  // Move::Permute, and Move::ToDimOrder from an order that is not the identity

const std::vector<std::vector<int64_t>>& RaggedSizes() {
  static const std::vector<std::vector<int64_t>> sizes = {
      {1},
      {2},
      {7},
      {16},
      {17},
      {63},
      {257},
      {0},
      {3, 5},
      {16, 16},
      {17, 33},
      {64, 31},
      {1, 65},
      {129, 2},
      {0, 4},
      {13, 127},
      {2, 3, 5},
      {7, 16, 9},
      {33, 4, 17},
      {1, 64, 15},
      {5, 1, 31},
      {3, 65, 8},
      {4, 0, 3},
      {16, 12, 32},
      {2, 3, 4, 5},
      {1, 3, 17, 11},
      {2, 16, 7, 7},
      {3, 5, 33, 2},
      {2, 64, 5, 1},
      {8, 8, 8, 8},
      {1, 31, 1, 13},
      {3, 0, 2, 5},
      {5, 4, 3, 16},
      {2, 2, 1, 1},
      {9, 3, 3, 65},
      {2, 3, 4, 5, 3},
      {1, 2, 17, 3, 9},
      {2, 1, 16, 5, 7},
      {3, 3, 2, 2, 33},
      {2, 4, 1, 3, 64},
      {5, 2, 3, 16, 2},
      {2, 2, 2, 2, 2},
      {1, 7, 1, 9, 1},
      {4, 3, 0, 2, 2},
  };
  return sizes;
}

struct PermutedSizes {
  std::vector<int64_t> sizes;
  std::vector<int> perm;
};

Move MakeMove(const PermutedSizes& c, int64_t element_bytes, int form) {
  const AxisList perm(c.perm.data(), c.perm.size());
  if (form == 0) return Move::Permute(c.sizes, perm, element_bytes);
  std::vector<int> from(c.perm.rbegin(), c.perm.rend());
  std::rotate(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(from.size() / 2), from.end());
  return Move::ToDimOrder(c.sizes, AxisList(from.data(), from.size()), perm, element_bytes);
}

}  // namespace

std::vector<std::vector<int>> Permutations(int rank) {
  std::vector<int> perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  std::vector<std::vector<int>> all;
  do {
    all.push_back(perm);
  } while (std::next_permutation(perm.begin(), perm.end()));
  return all;
}

Family AllPermutations() {
  std::vector<PermutedSizes> cases;
  for (const std::vector<int64_t>& sizes : RaggedSizes()) {
    for (const std::vector<int>& perm : Permutations(static_cast<int>(sizes.size()))) cases.push_back({sizes, perm});
  }
  constexpr int64_t kPerCase = static_cast<int64_t>(std::size(kElements)) * kForms;
  const int64_t count = static_cast<int64_t>(cases.size()) * kPerCase;
  return {"permutations", count, 4, [cases](int64_t i) {
            const PermutedSizes& c = cases[static_cast<size_t>(i / kPerCase)];
            return MakeMove(c, kElements[i % kPerCase / kForms], static_cast<int>(i % kForms));
          }};
}

}  // namespace dimorder::test
