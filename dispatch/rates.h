// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_RATES_H_
#define DIMORDER_DISPATCH_RATES_H_

#include <cstdint>

#include "dispatch/classify.h"

namespace dimorder {
inline namespace v1 {

// Predicted nanoseconds of a move of `bytes` bytes on a nominal machine. Depends on its arguments alone, not on caches,
// target or threads, so that what is decided with it is reproducible anywhere.
double EstimateCost(const Shape& shape, int64_t bytes) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_RATES_H_
