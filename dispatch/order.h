// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_ORDER_H_
#define DIMORDER_DISPATCH_ORDER_H_

#include <cstddef>

#include "dimorder/layout.h"
#include "dimorder/status.h"

namespace dimorder {
inline namespace v1 {

// Whether `order` is a permutation of [0, rank), rank <= kMaxRank. Errors, in this order: the length, then the first
// entry out of range, then the first repeated one, by the rules of a perm or of a dim_order.
Status ValidateOrder(const AxisList& order, size_t rank, bool by_perm) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_ORDER_H_
