// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "dimorder/dimorder.h"
#include "dimorder/layout.h"

namespace dimorder {
inline namespace v1 {

// Both conventions describe the memory order of the source's axes in the destination: numpy's perm lists the source
// axes in the order of the destination's axes, which a contiguous destination holds from outermost to innermost.
Move Move::Permute(Dims sizes, const Perm& perm, int64_t element_bytes) noexcept {
  return {Layout::Contiguous(sizes), Layout::InOrder(sizes, perm), element_bytes, /*by_perm=*/true};
}

Move Move::ToDimOrder(Dims sizes, const DimOrder& from, const DimOrder& to, int64_t element_bytes) noexcept {
  return {Layout::InOrder(sizes, from), Layout::InOrder(sizes, to), element_bytes, /*by_perm=*/false};
}

Move Move::Between(const Layout& src, const Layout& dst, int64_t element_bytes) noexcept {
  return {src, dst, element_bytes, /*by_perm=*/false};
}

}  // namespace v1
}  // namespace dimorder
