// SPDX-License-Identifier: Apache-2.0
#include "runtime/lowering/weights.h"

#include <utility>

#include "dimorder/dimorder.h"
#include "runtime/error.h"

namespace dimorder {
namespace {

Weights MoveWeights(const Value& constant, const std::vector<int64_t>& shape, const DimOrder& from, const DimOrder& to,
                    std::vector<size_t> sizes) {
  Weights weights{std::move(sizes), nullptr};
  weights.data = std::make_unique<std::byte[]>(constant.data->size() + kWeightsTail);
  Check(ToDimOrder(constant.data->data(), weights.data.get(), shape, from, to, DataTypeBytes(constant.type.dtype)));
  return weights;
}

}  // namespace

Weights LayOutWeights(const Value& constant, const DimOrder& order, std::vector<size_t> sizes) {
  return MoveWeights(constant, constant.type.sizes, constant.type.dim_order, order, std::move(sizes));
}

Weights LayOutGroupedTransposed(const Value& constant, int64_t groups) {
  const auto& sizes = constant.type.sizes;
  const std::vector<int64_t> split = {groups, sizes[0] / groups, sizes[1], sizes[2], sizes[3]};
  return MoveWeights(constant, split, IdentityOrder(split.size()), {0, 2, 3, 4, 1},
                     {static_cast<size_t>(groups * sizes[1]), static_cast<size_t>(sizes[2]),
                      static_cast<size_t>(sizes[3]), static_cast<size_t>(sizes[0] / groups)});
}

}  // namespace dimorder
