// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_KERNELS_BOX_CALLS_H_
#define DIMORDER_TESTS_KERNELS_BOX_CALLS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "dimorder/dimorder.h"
#include "kernels/block_tables.h"
#include "kernels/kernels.h"

// Moves and tables of a kernel's box, which is kInnerAxes axes. For tests and microbenchmarks.
namespace dimorder::test {

// The box as a move, for the oracle.
inline Move MoveOf(const Axis* inner, int64_t element_bytes) {
  std::array<int64_t, kInnerAxes> sizes, from, to;
  for (size_t i = 0; i < kInnerAxes; ++i) {
    const Axis& axis = inner[kInnerAxes - 1 - i];
    sizes[i] = axis.n;
    from[i] = axis.is;
    to[i] = axis.os;
  }
  return Move::Between(Layout::Strided(sizes, from), Layout::Strided(sizes, to), element_bytes);
}

// The tables of kJoined for a box of rows inner[0] and inner[2] and columns inner[1] and inner[3]; it becomes the box
// that the kernel takes. A place beyond the last one is where there is no memory.
inline JoinedAxes Join(Axis* inner) {
  constexpr int64_t kNowhere = int64_t{1} << 46;
  JoinedAxes joined;
  std::fill(std::begin(joined.row_at), std::end(joined.row_at), kNowhere);
  std::fill(std::begin(joined.col_at), std::end(joined.col_at), kNowhere);
  for (int64_t i = 0; i < inner[0].n * inner[2].n; ++i) {
    joined.row_at[i] = i % inner[0].n * inner[0].is + i / inner[0].n * inner[2].is;
  }
  for (int64_t i = 0; i < inner[1].n * inner[3].n; ++i) {
    joined.col_at[i] = i % inner[1].n * inner[1].os + i / inner[1].n * inner[3].os;
  }
  inner[0].n *= inner[2].n;
  inner[1].n *= inner[3].n;
  inner[2] = inner[3] = {1, 0, 0};
  return joined;
}

// The same of kLookup, for a box of bytes that is dense in the destination: where each of these comes from.
inline BlockTables LookUp(Axis* inner) {
  uint8_t source[kLineBytes] = {};
  int64_t count = 1;
  for (int axis = 0; axis < kInnerAxes; ++axis) {
    const auto [n, is, os] = inner[axis];
    for (int64_t i = count; i < n * count; ++i) source[i] = static_cast<uint8_t>(source[i - count] + is);
    count *= n;
    inner[axis] = {1, 0, 0};
  }
  inner[0] = {count, 1, 1};
  return MakeBlockTables(source, count);
}

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_KERNELS_BOX_CALLS_H_
