// SPDX-License-Identifier: Apache-2.0
// From a request to a canonical list of loops.
//
// Both layouts become byte strides; a move is then nothing but axes {n, is, os}, with the element's own bytes as the
// innermost one. Canonical form makes equal moves look equal, and makes most moves small: unit axes go, reversed
// destinations are walked backwards (the source carries the sign), axes are sorted by destination stride, neighbours
// that chain on both sides become one, and an unchanged innermost run of 2, 4, 8 or 16 bytes becomes the unit. What
// began as rank 6 is rarely above 4 after that, and an odd element size is simply a short run.
#include "dispatch/problem.h"

#include "dispatch/order.h"
#include "dispatch/status_values.h"

namespace dimorder {
inline namespace v1 {
namespace {

Status Invalid(Rule rule, int64_t v0 = 0, int64_t v1 = 0, int64_t v2 = 0, Side side = Side::kOnly) {
  return Status(StatusCode::kInvalidArgument, rule, v0, v1, v2, static_cast<int64_t>(side));
}

Status CheckLayout(const Layout& layout, Side side, bool by_perm) {
  if (Status status = CheckRank(layout.rank()); !status.ok()) return status;
  for (size_t a = 0; a < layout.rank(); ++a) {
    if (layout.size(a) < 0) return Invalid(Rule::kSizeNegative, static_cast<int64_t>(a), layout.size(a), 0, side);
  }
  if (layout.has_order()) return ValidateOrder(layout.order(), layout.rank(), by_perm);
  if (layout.num_strides() != layout.rank()) {
    return Invalid(Rule::kStridesLength, static_cast<int64_t>(layout.num_strides()),
                   static_cast<int64_t>(layout.rank()), 0, side);
  }
  return Status();
}

Status CheckMove(const Move& move) {
  if (move.element_bytes < 1) return Invalid(Rule::kElementBytes, move.element_bytes);
  if (Status status = CheckLayout(move.src, Side::kSource, false); !status.ok()) return status;
  if (Status status = CheckLayout(move.dst, Side::kDestination, move.by_perm); !status.ok()) return status;
  if (move.src.rank() != move.dst.rank()) {
    return Invalid(Rule::kRanksDiffer, static_cast<int64_t>(move.src.rank()), static_cast<int64_t>(move.dst.rank()));
  }
  for (size_t a = 0; a < move.src.rank(); ++a) {
    if (move.src.size(a) != move.dst.size(a)) {
      return Invalid(Rule::kSizesDiffer, static_cast<int64_t>(a), move.src.size(a), move.dst.size(a));
    }
  }
  return Status();
}

// Sets the counts and the payload. Sizes of 0 count as 1 while overflow is checked, so that it does not depend on where
// they stand.
Status SetCounts(const Move& move, Problem* problem) {
  int64_t product = move.element_bytes;
  bool empty = false;
  for (size_t a = 0; a < move.src.rank(); ++a) {
    const int64_t n = move.src.size(a);
    problem->axes[a].n = n;
    empty |= n == 0;
    if (n > 1 && __builtin_mul_overflow(product, n, &product)) {
      return Status(StatusCode::kOverflow, Rule::kBytesOverflow, static_cast<int64_t>(a), n);
    }
  }
  problem->bytes = empty ? 0 : product;
  return Status();
}

// Writes one side's byte strides of a checked layout. Dense ones cannot overflow: they are products of sizes that
// SetCounts has seen.
void SetByteStrides(const Layout& layout, int64_t element_bytes, int64_t Axis::*side, Axis* axes) {
  if (!layout.has_order()) {
    for (size_t a = 0; a < layout.rank(); ++a) axes[a].*side = layout.stride(a);
    return;
  }
  int64_t stride = element_bytes;
  for (size_t i = layout.rank(); i-- > 0;) {
    Axis& axis = axes[layout.order()[i]];
    axis.*side = stride;
    if (axis.n > 1) stride *= axis.n;
  }
}

// Bytes that a side may touch, from `begin` to before `end`. What widens it returns whether a number overflowed.
struct Span {
  int64_t begin, end;

  bool Start(int64_t offset, int64_t bytes) {
    begin = offset;
    return __builtin_add_overflow(offset, bytes, &end);
  }

  bool Extend(int64_t n, int64_t stride) {
    int64_t reach;
    if (__builtin_mul_overflow(n - 1, stride, &reach)) return true;
    int64_t& bound = reach < 0 ? begin : end;
    return __builtin_add_overflow(bound, reach, &bound);
  }

  // One of 2^63 bytes or more cannot be compared or walked.
  bool Overflows() const {
    int64_t length;
    return __builtin_sub_overflow(end, begin, &length);
  }
};

// The span of one side, whose strides are set. A dense one is the payload.
Status MeasureSpan(const Layout& layout, int64_t element_bytes, const Problem& p, Side side, Span* span) {
  *span = Span{0, p.bytes};
  if (layout.has_order()) return Status();
  const auto overflow = [side](int64_t at, int64_t n, int64_t value) {
    return Status(StatusCode::kOverflow, Rule::kSpanOverflow, at, n, value, static_cast<int64_t>(side));
  };
  const int64_t offset = layout.byte_offset();
  if (span->Start(offset, element_bytes)) return overflow(kAtOffset, 0, offset);
  for (int a = 0; a < p.num_axes; ++a) {
    const int64_t stride = side == Side::kSource ? p.axes[a].is : p.axes[a].os;
    if (span->Extend(p.axes[a].n, stride)) return overflow(a, p.axes[a].n, stride);
  }
  return span->Overflows() ? overflow(kAtAllAxes, 0, 0) : Status();
}

// Drops axes of one step, walks those with a negative destination stride from their other end, and puts the largest
// destination stride first: a stable insertion sort, since there are few axes and most come sorted.
void DropFlipAndSort(Problem* p) {
  int kept = 0;
  for (int a = 0; a < p->num_axes; ++a) {
    Axis axis = p->axes[a];
    if (axis.n == 1) continue;
    if (axis.os < 0) {
      p->src_offset += (axis.n - 1) * axis.is;
      p->dst_offset += (axis.n - 1) * axis.os;
      axis.is = -axis.is;
      axis.os = -axis.os;
    }
    int at = kept++;
    for (; at > 0 && p->axes[at - 1].os < axis.os; --at) p->axes[at] = p->axes[at - 1];
    p->axes[at] = axis;
  }
  p->num_axes = kept;
}

Status CheckNesting(const Problem& p) {
  int64_t span = 1;
  for (int a = p.num_axes - 1; a >= 0; --a) {
    if (p.axes[a].os < span) return Invalid(Rule::kDestinationOverlap, p.axes[a].os, span);
    span += (p.axes[a].n - 1) * p.axes[a].os;
  }
  return Status();
}

bool Chains(const Axis& outer, const Axis& inner) {
  int64_t is;
  return outer.os == inner.n * inner.os && !__builtin_mul_overflow(inner.n, inner.is, &is) && outer.is == is;
}

void Fuse(Problem* p) {
  int kept = 0;
  for (int a = 1; a < p->num_axes; ++a) {
    Axis& outer = p->axes[kept];
    const Axis inner = p->axes[a];
    if (Chains(outer, inner)) {
      outer = Axis{outer.n * inner.n, inner.is, inner.os};
    } else {
      p->axes[++kept] = inner;
    }
  }
  if (p->num_axes > 0) p->num_axes = kept + 1;
}

void Widen(Problem* p) {
  p->unit = 1;
  if (p->num_axes == 0) return;
  const Axis& run = p->axes[p->num_axes - 1];
  if (run.is != 1 || run.os != 1) return;
  if (run.n == 2 || run.n == 4 || run.n == 8 || run.n == 16) {
    p->unit = run.n;
    --p->num_axes;
  }
}

}  // namespace

Status MakeProblem(const Move& move, Problem* problem) noexcept {
  if (Status status = CheckMove(move); !status.ok()) return status;
  Problem& p = *problem;
  p.num_axes = 0;
  p.unit = 1;
  p.src_offset = p.dst_offset = 0;
  p.src_begin = p.src_end = p.dst_begin = p.dst_end = 0;
  if (Status status = SetCounts(move, problem); !status.ok()) return status;
  if (p.bytes == 0) return Status();

  p.num_axes = static_cast<int>(move.src.rank());
  SetByteStrides(move.src, move.element_bytes, &Axis::is, p.axes);
  SetByteStrides(move.dst, move.element_bytes, &Axis::os, p.axes);
  p.src_offset = move.src.byte_offset();
  p.dst_offset = move.dst.byte_offset();
  Span src, dst;
  if (Status status = MeasureSpan(move.src, move.element_bytes, p, Side::kSource, &src); !status.ok()) return status;
  if (Status status = MeasureSpan(move.dst, move.element_bytes, p, Side::kDestination, &dst); !status.ok())
    return status;
  p.src_begin = src.begin;
  p.src_end = src.end;
  p.dst_begin = dst.begin;
  p.dst_end = dst.end;
  p.axes[p.num_axes++] = Axis{move.element_bytes, 1, 1};
  return Status();
}

Status Canonicalize(Problem* problem) noexcept {
  DropFlipAndSort(problem);
  if (Status status = CheckNesting(*problem); !status.ok()) return status;
  Simplify(problem);
  return Status();
}

void Simplify(Problem* problem) noexcept {
  Fuse(problem);
  Widen(problem);
}

}  // namespace v1
}  // namespace dimorder
