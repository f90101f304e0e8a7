// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/permutation.h"

#include <cstddef>

namespace dimorder::bench {
namespace {

void DropUnitAxes(Permutation* p) {
  std::vector<int> kept_as(p->sizes.size(), -1);
  std::vector<int64_t> sizes;
  for (size_t axis = 0; axis < p->sizes.size(); ++axis) {
    if (p->sizes[axis] == 1) continue;
    kept_as[axis] = static_cast<int>(sizes.size());
    sizes.push_back(p->sizes[axis]);
  }
  std::vector<int> perm;
  for (const int axis : p->perm) {
    if (kept_as[static_cast<size_t>(axis)] >= 0) perm.push_back(kept_as[static_cast<size_t>(axis)]);
  }
  p->sizes = sizes;
  p->perm = perm;
}

// Fuses source axis `axis + 1` into `axis`, which it follows at place `at` of the destination.
void FuseAt(size_t at, Permutation* p) {
  const int axis = p->perm[at];
  const auto next = static_cast<size_t>(axis) + 1;
  p->sizes[next - 1] *= p->sizes[next];
  p->sizes.erase(p->sizes.begin() + static_cast<std::ptrdiff_t>(next));
  p->perm.erase(p->perm.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  for (int& other : p->perm) other -= other > axis ? 1 : 0;
}

}  // namespace

Permutation Fuse(const Case& c) {
  Permutation p = {c.sizes, c.perm, c.element_bytes};
  DropUnitAxes(&p);
  for (size_t at = 0; at + 1 < p.perm.size();) {
    if (p.perm[at + 1] == p.perm[at] + 1) {
      FuseAt(at, &p);
    } else {
      ++at;
    }
  }
  return p;
}

BatchOfTransposes AsTransposes(const Permutation& p) {
  if (p.perm == std::vector<int>{1, 0}) return {1, p.sizes[0], p.sizes[1]};
  if (p.perm == std::vector<int>{0, 2, 1}) return {p.sizes[0], p.sizes[1], p.sizes[2]};
  return {};
}

}  // namespace dimorder::bench
