// SPDX-License-Identifier: Apache-2.0
#include "runtime/copy/view.h"

#include <algorithm>

#include "runtime/error.h"

namespace dimorder {
namespace {

int64_t Product(std::span<const int64_t> sizes) {
  int64_t n = 1;
  for (int64_t size : sizes) n *= size;
  return n;
}

// Row-major runs: neighbours whose strides chain become one axis, size-1 axes go.
View Fused(const View& view) {
  View fused;
  fused.offset = view.offset;
  for (size_t i = 0; i < view.rank(); ++i) {
    if (view.sizes[i] == 1) continue;
    if (fused.rank() && fused.strides.back() == view.strides[i] * view.sizes[i]) {
      fused.sizes.back() *= view.sizes[i];
      fused.strides.back() = view.strides[i];
    } else {
      fused.sizes.push_back(view.sizes[i]);
      fused.strides.push_back(view.strides[i]);
    }
  }
  return fused;
}

// Takes factors of an axis from the inside.
class Factors {
 public:
  explicit Factors(const View& view) : view_(view), next_(view.rank()) { Advance(); }

  bool done() const { return left_ == 1; }
  int64_t left() const { return left_; }
  // `factor` divides left().
  void Take(int64_t factor, View& to) {
    to.sizes.push_back(factor);
    to.strides.push_back(stride_);
    stride_ *= factor;
    left_ /= factor;
    if (left_ == 1) Advance();
  }

 private:
  void Advance() {
    while (next_ > 0 && left_ == 1) {
      --next_;
      left_ = view_.sizes[next_];
      stride_ = view_.strides[next_];
    }
  }

  const View& view_;
  size_t next_;
  int64_t left_ = 1;
  int64_t stride_ = 0;
};

void Reverse(View& view) {
  std::reverse(view.sizes.begin(), view.sizes.end());
  std::reverse(view.strides.begin(), view.strides.end());
}

}  // namespace

View DenseView(const TensorType& type) {
  View view{type.sizes, std::vector<int64_t>(type.rank()), 0};
  Check(DimOrderToStrides(type.sizes, type.dim_order, DataTypeBytes(type.dtype), view.strides.data()));
  return view;
}

View PermuteView(const View& view, std::span<const int64_t> dims) {
  View permuted;
  permuted.offset = view.offset;
  for (int64_t axis : dims) {
    permuted.sizes.push_back(view.sizes[static_cast<size_t>(axis)]);
    permuted.strides.push_back(view.strides[static_cast<size_t>(axis)]);
  }
  return permuted;
}

View SliceView(View view, size_t axis, int64_t start, int64_t step, int64_t length) {
  if (length > 0) view.offset += start * view.strides[axis];
  // The stride of an axis of one element means nothing, and may not overflow either.
  if (length > 1) view.strides[axis] *= step;
  view.sizes[axis] = length;
  return view;
}

View SelectView(View view, size_t axis, int64_t index) {
  view.offset += index * view.strides[axis];
  view.sizes.erase(view.sizes.begin() + static_cast<ptrdiff_t>(axis));
  view.strides.erase(view.strides.begin() + static_cast<ptrdiff_t>(axis));
  return view;
}

View FlipView(View view, std::span<const int64_t> axes) {
  for (int64_t a : axes) {
    const auto axis = static_cast<size_t>(a);
    if (view.sizes[axis] > 0) view.offset += (view.sizes[axis] - 1) * view.strides[axis];
    view.strides[axis] = -view.strides[axis];
  }
  return view;
}

View ExpandView(const View& view, std::span<const int64_t> sizes) {
  View expanded{{sizes.begin(), sizes.end()}, std::vector<int64_t>(sizes.size(), 0), view.offset};
  const size_t added = sizes.size() - view.rank();
  for (size_t i = 0; i < view.rank(); ++i) {
    if (view.sizes[i] != 1) expanded.strides[i + added] = view.strides[i];
  }
  return expanded;
}

View UnsqueezeView(View view, size_t axis) {
  view.sizes.insert(view.sizes.begin() + static_cast<ptrdiff_t>(axis), 1);
  view.strides.insert(view.strides.begin() + static_cast<ptrdiff_t>(axis), 0);
  return view;
}

View SplitAxisView(View view, size_t axis, int64_t inner) {
  const int64_t outer = view.sizes[axis] / inner;
  const int64_t stride = view.strides[axis];
  view.sizes[axis] = inner;
  view.sizes.insert(view.sizes.begin() + static_cast<ptrdiff_t>(axis), outer);
  view.strides.insert(view.strides.begin() + static_cast<ptrdiff_t>(axis), stride * inner);
  return view;
}

// Fuses what is one run in memory, then cuts the runs, from the inside, into the new sizes. A run that a new axis would
// reach beyond cannot be said in strides.
std::optional<View> ReshapeView(const View& view, std::span<const int64_t> sizes) {
  View reshaped{{sizes.begin(), sizes.end()}, std::vector<int64_t>(sizes.size(), 0), view.offset};
  if (Product(sizes) == 0) return reshaped;
  const View fused = Fused(view);
  Factors factors(fused);
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (factors.left() % sizes[i] != 0) return std::nullopt;
    View one;
    factors.Take(sizes[i], one);
    reshaped.strides[i] = one.strides[0];
  }
  return reshaped;
}

std::optional<std::pair<View, View>> RefineViews(const View& a, const View& b) {
  View x;
  View y;
  x.offset = a.offset;
  y.offset = b.offset;
  Factors from_a(a);
  Factors from_b(b);
  while (!from_a.done() && !from_b.done()) {
    const int64_t factor = std::min(from_a.left(), from_b.left());
    if (from_a.left() % factor != 0 || from_b.left() % factor != 0) return std::nullopt;
    from_a.Take(factor, x);
    from_b.Take(factor, y);
  }
  Reverse(x);
  Reverse(y);
  return std::pair(std::move(x), std::move(y));
}

bool SameStrides(const View& a, const View& b) {
  for (size_t i = 0; i < a.rank(); ++i) {
    if (a.sizes[i] > 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

std::optional<DimOrder> DenseOrder(const View& view, int64_t element_bytes) {
  const Result<DimOrder> order = StridesToDimOrder(view.strides);
  if (!order.ok() || view.offset != 0) return std::nullopt;
  const Layout dense = Layout::InOrder(view.sizes, *order);
  if (LaidOutAlike(ToLayout(view), dense, element_bytes)) return *order;
  return std::nullopt;
}

Layout ToLayout(const View& view) { return Layout::Strided(view.sizes, view.strides, view.offset); }

}  // namespace dimorder
