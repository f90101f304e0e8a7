// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <numeric>
#include <span>

#include "tests/sweep/families.h"

namespace dimorder::test {
namespace {

using Sizes = std::vector<int64_t>;
using Order = std::vector<int>;

void Add(const Sizes& sizes, const Order& perm, std::initializer_list<int64_t> elements, std::vector<Move>* moves) {
  for (int64_t e : elements) moves->push_back(Move::Permute(sizes, AxisList(perm.data(), perm.size()), e));
}

Order Identity(size_t rank) {
  Order order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Order Reversal(size_t rank) {
  Order order = Identity(rank);
  std::reverse(order.begin(), order.end());
  return order;
}

Order Rotation(size_t rank, size_t by) {
  Order order = Identity(rank);
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(by), order.end());
  return order;
}

Order SwappedPairs(size_t rank) {
  Order order = Identity(rank);
  for (size_t i = 0; i + 1 < rank; i += 2) std::swap(order[i], order[i + 1]);
  return order;
}

Order Shuffled(size_t rank, uint64_t seed) {
  Order order = Identity(rank);
  Random(seed).Shuffle(std::span<int>(order));
  return order;
}

// The rank of tensor networks and quantum circuits: 22 qubits.
void AddManyTwos(std::vector<Move>* moves) {
  const Sizes twos(22, 2);
  Add(twos, Reversal(22), {1, 4, 16}, moves);
  Add(twos, Rotation(22, 9), {2}, moves);
  Add(twos, Shuffled(22, 1), {1, 8}, moves);
  Add(twos, Shuffled(22, 2), {4}, moves);
  Add(Sizes(14, 2), Shuffled(14, 3), {1, 2, 3, 4, 8, 16}, moves);
}

void AddHighRanks(std::vector<Move>* moves) {
  for (const Sizes& sizes : {Sizes{2, 3, 4, 5, 3, 2}, Sizes{16, 3, 2, 7, 2, 5}, Sizes{1, 4, 1, 33, 2, 3},
                             Sizes{2, 3, 2, 5, 2, 3, 4}, Sizes{7, 1, 2, 2, 17, 3, 1}, Sizes{2, 2, 3, 2, 3, 2, 2, 5},
                             Sizes{3, 1, 4, 1, 5, 9, 2, 6}, Sizes{16, 16, 16, 16}, Sizes{5, 5, 5, 5, 5, 5}}) {
    const size_t rank = sizes.size();
    for (const Order& perm : {Reversal(rank), Rotation(rank, 1), Rotation(rank, rank - 1), Rotation(rank, rank / 2),
                              SwappedPairs(rank), Shuffled(rank, 4), Shuffled(rank, 5)}) {
      Add(sizes, perm, {1, 2, 3, 4, 8, 12, 16}, moves);
    }
  }
}

void AddRankLimits(std::vector<Move>* moves) {
  Add({}, {}, {1, 2, 3, 4, 8, 16, 1000}, moves);
  Sizes sparse(32, 1);
  Add(sparse, Reversal(32), {1, 8}, moves);
  for (size_t axis : {0, 3, 9, 16, 17, 25, 31}) sparse[axis] = 3;
  Add(sparse, Reversal(32), {1, 2, 4, 8, 16}, moves);
  Add(sparse, Shuffled(32, 6), {1, 2, 4, 8, 16}, moves);
  Add({2, 2, 1, 1}, {0, 2, 3, 1}, {1, 2, 4, 8, 16}, moves);
}

// Powers of two fall into the same cache sets; one more breaks alignment; primes leave a tail in every loop.
void AddStubbornSizes(std::vector<Move>* moves) {
  for (const Sizes& sizes : {Sizes{256, 256}, Sizes{257, 257}, Sizes{64, 1024}, Sizes{65, 1025}, Sizes{512, 512},
                             Sizes{1024, 64}, Sizes{101, 103}, Sizes{499, 503}, Sizes{2, 4099}, Sizes{4096, 3},
                             Sizes{4097, 5}, Sizes{13, 1009}, Sizes{1000, 300}}) {
    Add(sizes, {1, 0}, {1, 2, 4, 8, 16}, moves);
  }
  for (const Sizes& sizes : {Sizes{16, 64, 128}, Sizes{17, 65, 129}, Sizes{13, 17, 19}, Sizes{64, 64, 64},
                             Sizes{23, 29, 31}, Sizes{3, 224, 224}, Sizes{224, 224, 3}, Sizes{64, 56, 56}}) {
    for (const Order& perm : Permutations(3)) Add(sizes, perm, {1, 2, 4, 8}, moves);
  }
}

// Pixels of few elements in few images, whose elements and images change places.
void AddRegrouped(std::vector<Move>* moves) {
  for (int64_t images : {2, 3, 4, 7, 12, 16}) {
    for (int64_t elements : {2, 3, 4, 5, 9, 31}) {
      for (int64_t pixels : {20, 64, 1001, 4096}) {
        Add({2, images, pixels, elements}, {0, 3, 2, 1}, {1, 2, 4, 8}, moves);
      }
      Add({images, 3, 200, elements}, {3, 1, 2, 0}, {1, 4}, moves);
    }
  }
}

// Several short axes, which go in two passes over boxes of which the last is smaller; also from sources with gaps, in
// reverse, and with windows that overlap, so that a smaller box chains less than a whole one.
void AddShortAxes(std::vector<Move>* moves) {
  for (const Sizes& sizes :
       {Sizes{1000, 3, 32, 2}, Sizes{65, 16, 5, 7, 2}, Sizes{301, 12, 9, 8}, Sizes{97, 10, 4, 14, 2},
        Sizes{384, 9, 24, 6}, Sizes{1021, 5, 8, 4}, Sizes{10, 13, 17, 2, 2}, Sizes{41, 8, 3, 2, 2}}) {
    for (uint64_t seed = 1; seed <= 12; ++seed) Add(sizes, Shuffled(sizes.size(), seed), {1, 2}, moves);
  }
  const Sizes sizes = {7, 61, 5, 24};
  for (int64_t e : {1, 2}) {
    const Layout dense = Layout::Strided(sizes, {7320 * e, 120 * e, 24 * e, e});
    for (const Sizes& strides : {Sizes{e, 7 * e, 10248 * e, 427 * e}, Sizes{e, 9 * e, 15000 * e, 600 * e},
                                 Sizes{-e, 7 * e, -10248 * e, 427 * e}, Sizes{e, e, 200 * e, 7 * e}}) {
      moves->push_back(Move::Between(Layout::Strided(sizes, strides), dense, e));
    }
  }
  moves->push_back(
      Move::Between(Layout::Strided({2, 15, 24, 13}, {48, 6, 2, 186}), Layout::Contiguous({2, 15, 24, 13}), 2));
}

// Strides of dense axes in that order, outermost first, those in `reversed` negative; and where the first element is.
Layout Dense(const Sizes& sizes, const Order& order, int64_t element, unsigned reversed) {
  Sizes strides(sizes.size());
  int64_t stride = element;
  int64_t offset = 0;
  for (size_t i = order.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(order[i]);
    const bool backwards = (reversed >> axis & 1) != 0;
    strides[axis] = backwards ? -stride : stride;
    if (backwards) offset += (sizes[axis] - 1) * stride;
    stride *= sizes[axis];
  }
  return Layout::Strided(sizes, strides, offset);
}

// A line at most, in all orders and directions; and from sources that repeat something and skip something.
void AddTiny(std::vector<Move>* moves) {
  for (const Sizes& sizes : {Sizes{2, 3, 2}, Sizes{2, 2, 4}, Sizes{3, 3, 1}, Sizes{5, 2, 3}}) {
    for (int64_t e : {1, 2, 3, 4, 5, 7, 8, 16}) {
      if (e * sizes[0] * sizes[1] * sizes[2] > 64) continue;
      for (const Order& order : Permutations(3)) {
        for (unsigned reversed = 0; reversed < 8; ++reversed) {
          moves->push_back(
              Move::Between(Dense(sizes, order, e, reversed), Dense(sizes, Identity(3), e, reversed * 3 / 2 % 8), e));
        }
      }
    }
  }
  moves->push_back(Move::Between(Layout::Strided({64}, {-1}, 63), Layout::Contiguous({64}), 1));
  moves->push_back(Move::Between(Layout::Strided({2, 3}, {5, 0}), Layout::Contiguous({2, 3}), 1));
  moves->push_back(Move::Between(Layout::Strided({2, 3}, {-5, 0}, 5), Layout::Contiguous({2, 3}), 1));
}

// Every second to fourth run out of rows, with gaps after these or not, and the runs of as many rows put together.
void AddShortRuns(std::vector<Move>* moves) {
  for (int64_t rows : {2, 3, 4}) {
    for (int64_t bytes : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12}) {
      const int64_t row = 150 * rows * bytes;
      for (int64_t gap : {0, 30}) {
        const Layout apart = Layout::Strided({20, 150, bytes}, {row + gap, rows * bytes, 1});
        const Layout dense = Layout::Contiguous({20, 150, bytes});
        moves->push_back(Move::Between(apart, dense, 1));
        moves->push_back(Move::Between(dense, apart, 1));
      }
      Add({20, rows, 150, bytes}, {0, 2, 1, 3}, {1}, moves);
    }
  }
}

}  // namespace

Family SpecialShapes() {
  auto moves = std::make_shared<std::vector<Move>>();
  AddManyTwos(moves.get());
  AddHighRanks(moves.get());
  AddRankLimits(moves.get());
  AddStubbornSizes(moves.get());
  AddRegrouped(moves.get());
  AddShortAxes(moves.get());
  AddTiny(moves.get());
  AddShortRuns(moves.get());
  return {"special", static_cast<int64_t>(moves->size()), 2,
          [moves](int64_t i) { return (*moves)[static_cast<size_t>(i)]; }};
}

Family ParallelMoves() {
  const std::vector<Sizes> shapes = {{600, 1111},      {1, 96, 70, 70},    {1, 140, 70, 48}, {9, 10, 100, 64},
                                     {2, 3, 320, 640}, {1023, 513},        {64, 16, 33, 16}, {8000, 1, 99},
                                     {2, 2000, 2, 99}, {10, 7, 11, 13, 61}};
  // Each shape under twelve permutations, five elements.
  return {"parallel", static_cast<int64_t>(shapes.size()) * 60, 4, [shapes](int64_t i) {
            const Sizes& sizes = shapes[static_cast<size_t>(i / 60)];
            const int64_t element = int64_t{1} << (i % 5);
            const Order perm =
                i / 5 % 12 == 0 ? Reversal(sizes.size()) : Shuffled(sizes.size(), static_cast<uint64_t>(i / 5));
            return Move::Permute(sizes, AxisList(perm.data(), perm.size()), element);
          }};
}

}  // namespace dimorder::test
