// SPDX-License-Identifier: Apache-2.0
#include "runtime/reference/ops.h"

namespace dimorder {
namespace {

double Dot(const float* a, int64_t a_stride, const float* b, int64_t b_stride, int64_t n) {
  double sum = 0;
  for (int64_t k = 0; k < n; ++k) sum += static_cast<double>(a[k * a_stride]) * static_cast<double>(b[k * b_stride]);
  return sum;
}

}  // namespace

void ReferenceMatmul(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& a = inputs[0];
  const Tensor& b = inputs[1];
  // Strides of the output's index in each input: batch axes broadcast, the matrix axes are set below.
  const bool row = a.rank() == 1;
  const bool column = b.rank() == 1;
  const size_t rank = output.rank();
  const size_t batch = rank - (row ? 0 : 1) - (column ? 0 : 1);
  std::vector<int64_t> a_strides(rank, 0);
  std::vector<int64_t> b_strides(rank, 0);
  const auto set_batch = [&](const Tensor& t, std::vector<int64_t>& strides) {
    const size_t own = t.rank() < 2 ? 0 : t.rank() - 2;
    for (size_t i = 0; i < own; ++i) strides[batch - own + i] = t.size(i) == 1 ? 0 : t.strides[i];
  };
  set_batch(a, a_strides);
  set_batch(b, b_strides);
  if (!row) a_strides[batch] = a.strides[a.rank() - 2];
  if (!column) b_strides[rank - 1] = b.strides[b.rank() - 1];
  const int64_t depth = a.size(a.rank() - 1);
  const int64_t a_step = a.strides[a.rank() - 1];
  const int64_t b_step = column ? b.strides[0] : b.strides[b.rank() - 2];
  const std::array strides = {output.strides, a_strides, b_strides};
  ForEachIndex(output.sizes(), strides, [&](const auto& at) {
    output.as<float>()[at[0]] =
        static_cast<float>(Dot(a.as<float>() + at[1], a_step, b.as<float>() + at[2], b_step, depth));
  });
}

void ReferenceGemm(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const Tensor& a = inputs[0];
  const Tensor& b = inputs[1];
  const auto ta = static_cast<size_t>(attributes.Int("trans_a") != 0);
  const auto tb = static_cast<size_t>(attributes.Int("trans_b") != 0);
  const double alpha = attributes.Float("alpha", 1);
  const double beta = attributes.Float("beta", 1);
  const bool has_c = inputs.size() > 2 && inputs[2];
  const std::vector<int64_t> c_strides = has_c ? inputs[2].BroadcastStrides(2) : std::vector<int64_t>{0, 0};
  const std::array strides = {output.strides, std::vector<int64_t>{a.strides[ta], 0},
                              std::vector<int64_t>{0, b.strides[1 - tb]}, c_strides};
  ForEachIndex(output.sizes(), strides, [&](const auto& at) {
    const double sum =
        Dot(a.as<float>() + at[1], a.strides[1 - ta], b.as<float>() + at[2], b.strides[tb], a.size(1 - ta));
    const double c = has_c ? beta * static_cast<double>(inputs[2].as<float>()[at[3]]) : 0;
    output.as<float>()[at[0]] = static_cast<float>(alpha * sum + c);
  });
}

}  // namespace dimorder
