// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_TESTS_REFERENCE_H_
#define DIMORDER_TESTS_REFERENCE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "dimorder/dimorder.h"

// The oracle: what a move means, in the slowest obvious words. It reads what a Move says and shares no arithmetic with
// the library, so that it cannot share its mistakes.
namespace dimorder::test {

// Bytes between neighbours on each logical axis.
inline std::vector<int64_t> ReferenceStrides(const Layout& layout, int64_t element_bytes) {
  std::vector<int64_t> strides(layout.rank());
  int64_t dense = element_bytes;
  for (size_t i = layout.rank(); i-- > 0;) {
    const size_t axis = layout.has_order() ? static_cast<size_t>(layout.order()[i]) : i;
    strides[axis] = layout.has_order() ? dense : layout.stride(axis);
    dense *= std::max<int64_t>(layout.size(axis), 1);
  }
  return strides;
}

inline bool HasNoElements(const Layout& layout) {
  for (size_t axis = 0; axis < layout.rank(); ++axis) {
    if (layout.size(axis) == 0) return true;
  }
  return false;
}

// Calls visit(source bytes, destination bytes) for each element, as offsets from the two pointers.
template <class Visit>
void ForEachElement(const Move& move, const Visit& visit) {
  if (HasNoElements(move.src)) return;
  const size_t rank = move.src.rank();
  const std::vector<int64_t> is = ReferenceStrides(move.src, move.element_bytes);
  const std::vector<int64_t> os = ReferenceStrides(move.dst, move.element_bytes);
  std::vector<int64_t> index(rank, 0);
  for (;;) {
    int64_t from = move.src.byte_offset();
    int64_t to = move.dst.byte_offset();
    for (size_t axis = 0; axis < rank; ++axis) {
      from += index[axis] * is[axis];
      to += index[axis] * os[axis];
    }
    visit(from, to);
    size_t axis = rank;
    while (axis > 0 && ++index[axis - 1] == move.src.size(axis - 1)) index[--axis] = 0;
    if (axis == 0) return;
  }
}

// Moves the elements one by one.
inline void ReferenceMove(const Move& move, const void* src, void* dst) {
  ForEachElement(move, [&](int64_t from, int64_t to) {
    std::memcpy(static_cast<char*>(dst) + to, static_cast<const char*>(src) + from,
                static_cast<size_t>(move.element_bytes));
  });
}

// The bytes that a layout's elements touch, as offsets from its pointer: [begin, end), equal when there are none.
struct Extent {
  int64_t begin = 0;
  int64_t end = 0;
  size_t bytes() const { return static_cast<size_t>(end - begin); }
};

inline Extent ReferenceExtent(const Layout& layout, int64_t element_bytes) {
  if (HasNoElements(layout)) return {};
  const std::vector<int64_t> strides = ReferenceStrides(layout, element_bytes);
  Extent extent{layout.byte_offset(), layout.byte_offset() + element_bytes};
  for (size_t axis = 0; axis < layout.rank(); ++axis) {
    const int64_t reach = layout.size(axis) == 1 ? 0 : (layout.size(axis) - 1) * strides[axis];
    (reach < 0 ? extent.begin : extent.end) += reach;
  }
  return extent;
}

}  // namespace dimorder::test

#endif  // DIMORDER_TESTS_REFERENCE_H_
