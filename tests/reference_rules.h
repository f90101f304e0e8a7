// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_REFERENCE_RULES_H_
#define DIMORDER_TESTS_REFERENCE_RULES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "dimorder/dimorder.h"
#include "tests/reference.h"

// Which moves are valid: the rules of status.h written a second time, from their words, in numbers so wide that nothing
// overflows. A plan must be refused exactly where these say no.
namespace dimorder::test {

__extension__ using Wide = __int128;
inline constexpr Wide kLargest = INT64_MAX;

inline bool IsPermutation(const AxisList& order, size_t rank) {
  if (order.size() != rank) return false;
  std::vector<bool> seen(rank, false);
  for (int axis : order) {
    if (axis < 0 || static_cast<size_t>(axis) >= rank || seen[static_cast<size_t>(axis)]) return false;
    seen[static_cast<size_t>(axis)] = true;
  }
  return true;
}

inline bool IsLayout(const Layout& layout) {
  if (layout.rank() > static_cast<size_t>(kMaxRank)) return false;
  for (size_t axis = 0; axis < layout.rank(); ++axis) {
    if (layout.size(axis) < 0) return false;
  }
  return layout.has_order() ? IsPermutation(layout.order(), layout.rank()) : layout.num_strides() == layout.rank();
}

inline bool SizesAgree(const Layout& a, const Layout& b) {
  if (a.rank() != b.rank()) return false;
  for (size_t axis = 0; axis < a.rank(); ++axis) {
    if (a.size(axis) != b.size(axis)) return false;
  }
  return true;
}

inline bool BytesFit(const Layout& layout, int64_t element_bytes) {
  Wide bytes = element_bytes;
  for (size_t axis = 0; axis < layout.rank() && bytes <= kLargest; ++axis) {
    bytes *= std::max<int64_t>(layout.size(axis), 1);
  }
  return bytes <= kLargest;
}

inline bool SpanFits(const Layout& layout, int64_t element_bytes) {
  const std::vector<int64_t> strides = ReferenceStrides(layout, element_bytes);
  Wide begin = layout.byte_offset();
  Wide end = begin + element_bytes;
  for (size_t axis = 0; axis < layout.rank() && end - begin <= kLargest; ++axis) {
    const Wide reach = layout.size(axis) == 1 ? Wide{0} : Wide{layout.size(axis) - 1} * strides[axis];
    (reach < 0 ? begin : end) += reach;
  }
  return end - begin <= kLargest && end <= kLargest && begin >= -kLargest - 1;
}

// From the innermost axis outwards, each destination stride reaches beyond all that lies inside it.
inline bool Nests(const Layout& layout, int64_t element_bytes) {
  const std::vector<int64_t> strides = ReferenceStrides(layout, element_bytes);
  std::vector<std::pair<Wide, Wide>> axes;  // stride, size
  for (size_t axis = 0; axis < layout.rank(); ++axis) {
    const Wide stride = strides[axis];
    if (layout.size(axis) > 1) axes.emplace_back(stride < 0 ? -stride : stride, layout.size(axis));
  }
  std::sort(axes.begin(), axes.end());
  Wide span = element_bytes;
  for (const auto& [stride, size] : axes) {
    if (stride < span) return false;
    span += (size - 1) * stride;
  }
  return true;
}

inline bool ReferenceAccepts(const Move& move) {
  if (move.element_bytes < 1 || !IsLayout(move.src) || !IsLayout(move.dst) || !SizesAgree(move.src, move.dst)) {
    return false;
  }
  if (!BytesFit(move.src, move.element_bytes)) return false;
  if (HasNoElements(move.src)) return true;
  return SpanFits(move.src, move.element_bytes) && SpanFits(move.dst, move.element_bytes) &&
         Nests(move.dst, move.element_bytes);
}

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_REFERENCE_RULES_H_
