// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_REFERENCE_TENSOR_H_
#define DIMORDER_RUNTIME_REFERENCE_TENSOR_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dimorder/graph.h"
#include "runtime/error.h"

namespace dimorder {

// A tensor as the reference implementation sees it: logical sizes and strides in elements, wherever its bytes are.
struct Tensor {
  const TensorType* type = nullptr;
  void* data = nullptr;  // of an input: not written
  std::vector<int64_t> strides;

  Tensor() = default;
  Tensor(const TensorType& t, void* d) : type(&t), data(d), strides(t.rank()) {
    Check(DimOrderToStrides(t.sizes, t.dim_order, 1, strides.data()));
  }

  explicit operator bool() const { return type != nullptr; }
  size_t rank() const { return strides.size(); }
  const std::vector<int64_t>& sizes() const { return type->sizes; }
  int64_t size(size_t axis) const { return type->sizes[axis]; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
  // The strides with which the tensor reads as one of `rank` axes that the missing and the size-1 ones broadcast to.
  std::vector<int64_t> BroadcastStrides(size_t rank) const {
    std::vector<int64_t> s(rank, 0);
    for (size_t i = 0; i < strides.size(); ++i) {
      if (size(i) != 1) s[rank - strides.size() + i] = strides[i];
    }
    return s;
  }
};

// Calls fn(offsets) for each index of `sizes`, last axis fastest; offsets[k] is the index times strides[k].
template <size_t K, class Fn>
void ForEachIndex(std::span<const int64_t> sizes, const std::array<std::vector<int64_t>, K>& strides, Fn&& fn) {
  for (int64_t size : sizes) {
    if (size == 0) return;
  }
  std::array<int64_t, kMaxRank> index{};
  std::array<int64_t, K> offsets{};
  while (true) {
    fn(offsets);
    size_t axis = sizes.size();
    while (axis > 0) {
      --axis;
      for (size_t k = 0; k < K; ++k) offsets[k] += strides[k][axis];
      if (++index[axis] < sizes[axis]) break;
      for (size_t k = 0; k < K; ++k) offsets[k] -= strides[k][axis] * sizes[axis];
      index[axis] = 0;
      if (axis == 0) return;
    }
    if (sizes.empty()) return;
  }
}

using ReferenceFn = void (*)(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output);

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_REFERENCE_TENSOR_H_
