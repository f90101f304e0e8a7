// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_ORDER_H_
#define DIMORDER_DISPATCH_ORDER_H_

#include <cstddef>
#include <cstdint>

#include "dimorder/layout.h"
#include "dimorder/status.h"

namespace dimorder {
inline namespace v1 {

// Whether `order` is a permutation of [0, rank), rank <= kMaxRank.
inline bool IsPermutation(const AxisList& order, size_t rank) noexcept {
  static_assert(kMaxRank < 64);
  if (order.size() != rank) return false;
  uint64_t named = 0;
  uint32_t all_bits = 0;  // of 64 and more, or negative, if any entry is
  for (size_t i = 0; i < rank; ++i) {
    const auto axis = static_cast<uint32_t>(order[i]);
    named |= uint64_t{1} << (axis % 64);
    all_bits |= axis;
  }
  return all_bits < 64 && named == (uint64_t{1} << rank) - 1;
}

// What is wrong with an order that must not be a permutation of [0, rank): the length, then the first entry out of
// range, then the first repeated one, by the rules of a perm or of a dim_order.
Status OrderFault(const AxisList& order, size_t rank, bool by_perm) noexcept;

inline Status ValidateOrder(const AxisList& order, size_t rank, bool by_perm) noexcept {
  return IsPermutation(order, rank) ? Status() : OrderFault(order, rank, by_perm);
}

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_ORDER_H_
