// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <span>

#include "tests/sweep/families.h"

// Random moves, built so that they are valid: a destination's strides are chosen from the innermost axis outwards, each
// at least what the axes inside it span. Sources may do whatever they like.
namespace dimorder::test {
namespace {

constexpr int64_t kEdges[] = {31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513};
constexpr int64_t kWideElements[] = {1, 2, 4, 8, 16};
constexpr int64_t kOddElements[] = {3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 17, 24, 31, 32, 33, 48, 64, 100};

int64_t RandomSize(Random& random) {
  switch (random.Below(8)) {
    case 0:
      return 1;
    case 1:
      return 2;
    case 2:
      return random.Pick(kEdges);
    case 3:
      return random.Between(1, 80);
    default:
      return random.Between(1, 17);
  }
}

// Sizes whose product is at most `max_elements`.
std::vector<int64_t> RandomSizes(Random& random, int64_t max_elements) {
  std::vector<int64_t> sizes(static_cast<size_t>(random.OneIn(20) ? random.Below(13) : random.Between(1, 6)));
  int64_t room = std::max<int64_t>(max_elements, 1);
  for (int64_t& n : sizes) {
    n = std::min(RandomSize(random), room);
    room /= n;
  }
  random.Shuffle(std::span<int64_t>(sizes));
  if (!sizes.empty() && random.OneIn(100))
    sizes[static_cast<size_t>(random.Below(static_cast<int64_t>(sizes.size())))] = 0;
  return sizes;
}

std::vector<int> RandomOrder(Random& random, size_t rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  random.Shuffle(std::span<int>(order));
  return order;
}

int64_t RandomGap(Random& random, int64_t element) {
  switch (random.Below(6)) {
    case 0:
      return element;
    case 1:
      return random.Between(1, 7);
    case 2:
      return random.Between(1, 100);
    default:
      return 0;
  }
}

// Strides that nest in a random order, with gaps and reversed axes.
std::vector<int64_t> NestedStrides(Random& random, const std::vector<int64_t>& sizes, int64_t element) {
  std::vector<int64_t> strides(sizes.size());
  int64_t span = element;
  for (int axis : RandomOrder(random, sizes.size())) {
    const size_t a = static_cast<size_t>(axis);
    if (sizes[a] <= 1) {
      strides[a] = random.Between(-1000, 1000);  // of no consequence
      continue;
    }
    int64_t stride = span + RandomGap(random, element);
    if (random.OneIn(8)) stride = (stride + 63) / 64 * 64;
    span += (sizes[a] - 1) * stride;
    strides[a] = random.OneIn(6) ? -stride : stride;
  }
  return strides;
}

Layout RandomDestination(Random& random, const std::vector<int64_t>& sizes, int64_t element) {
  if (random.OneIn(2)) {
    const std::vector<int> order = RandomOrder(random, sizes.size());
    return Layout::InOrder(sizes, AxisList(order.data(), order.size()));
  }
  return Layout::Strided(sizes, NestedStrides(random, sizes, element), random.Between(-100, 100));
}

Layout RandomSource(Random& random, const std::vector<int64_t>& sizes, int64_t element) {
  if (random.OneIn(2)) return RandomDestination(random, sizes, element);
  std::vector<int64_t> strides = NestedStrides(random, sizes, element);
  for (int64_t& stride : strides) {
    if (random.OneIn(4)) stride = 0;                                          // broadcast
    if (random.OneIn(6)) stride = random.Between(-3 * element, 3 * element);  // sliding windows
  }
  return Layout::Strided(sizes, strides, random.Between(-1000, 1000));
}

int64_t RandomElement(Random& random) {
  if (random.OneIn(200)) return random.Between(100, 5000);
  return random.OneIn(4) ? random.Pick(kOddElements) : random.Pick(kWideElements);
}

}  // namespace

Move RandomMove(Random& random, int64_t max_bytes) {
  const int64_t element = RandomElement(random);
  const std::vector<int64_t> sizes = RandomSizes(random, max_bytes / element);
  const Layout src = RandomSource(random, sizes, element);
  return Move::Between(src, RandomDestination(random, sizes, element), element);
}

Family StridedLayouts() {
  return {"strided", 20000, 3, [](int64_t i) {
            Random random(static_cast<uint64_t>(i));
            const std::vector<int64_t> sizes = RandomSizes(random, 3000);
            const int64_t element = RandomElement(random);
            const Layout src = Layout::Strided(sizes, NestedStrides(random, sizes, element), random.Below(50));
            const Layout dst = Layout::Strided(sizes, NestedStrides(random, sizes, element), random.Below(50));
            return Move::Between(src, dst, element);
          }};
}

Family RandomMoves(uint64_t seed, int64_t count) {
  return {"random", count, 4, [seed](int64_t i) {
            Random random(Combine(seed, static_cast<uint64_t>(i)));
            return RandomMove(random, random.OneIn(16) ? 100000 : 8000);
          }};
}

}  // namespace dimorder::test
