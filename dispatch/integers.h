// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_DISPATCH_INTEGERS_H_
#define DIMORDER_DISPATCH_INTEGERS_H_

#include <cstdint>

namespace dimorder {
inline namespace v1 {

inline int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t Max(int64_t a, int64_t b) { return a > b ? a : b; }
inline int64_t Magnitude(int64_t n) { return n < 0 ? -n : n; }
// The shorter of an axis' strides in source and destination, where the latter is not negative.
inline int64_t MinStride(int64_t is, int64_t os) { return Min(Magnitude(is), os); }
inline int64_t CeilDivide(int64_t n, int64_t d) { return n / d + (n % d != 0 ? 1 : 0); }  // n up to 2^63 - 1
inline int64_t RoundUp(int64_t n, int64_t unit) { return CeilDivide(n, unit) * unit; }

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_DISPATCH_INTEGERS_H_
