// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "tests/sweep/families.h"

// Offsets beyond 32 bits, over mappings of which a few pages are touched.
namespace dimorder::test {
namespace {

// Moves of (3, 20, 5) elements with one axis `far` bytes apart on one side.
void AddFar(int64_t far, int64_t e, std::vector<Move>* moves) {
  const int64_t sizes[] = {3, 20, 5};
  const Layout dense = Layout::Contiguous(sizes);
  const Layout swapped = Layout::InOrder(sizes, {0, 2, 1});
  const Layout outer = Layout::Strided(sizes, {far, 5 * e, e});
  const Layout middle = Layout::Strided(sizes, {5 * e, far, e});
  const Layout inner = Layout::Strided(sizes, {20 * e, e, far});
  const Layout backwards = Layout::Strided(sizes, {-far, e, 20 * e}, 2 * far);
  for (const Layout& sparse : {outer, middle, inner, backwards}) {
    moves->push_back(Move::Between(sparse, dense, e));
    moves->push_back(Move::Between(sparse, swapped, e));
    moves->push_back(Move::Between(dense, sparse, e));
    moves->push_back(Move::Between(swapped, sparse, e));
  }
  moves->push_back(Move::Between(outer, middle, e));
  moves->push_back(Move::Between(inner, backwards, e));
}

}  // namespace

Family SparseLayouts() {
  auto moves = std::make_shared<std::vector<Move>>();
  for (int64_t e : {1, 2, 4, 8, 16, 3}) {
    for (int64_t far : {int64_t{1} << 31, int64_t{1} << 33, (int64_t{1} << 33) + 5 * e}) AddFar(far, e, moves.get());
  }
  return {"sparse", static_cast<int64_t>(moves->size()), 1,
          [moves](int64_t i) { return (*moves)[static_cast<size_t>(i)]; }};
}

}  // namespace dimorder::test
