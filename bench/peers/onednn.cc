// SPDX-License-Identifier: Apache-2.0
// oneDNN: a reorder between two plain layouts of the same sizes. It has no plain copies of 2 and 8 bytes that are worth
// timing, so these are reorders of 1 and 4 bytes with one more axis of 2 inside.
#include <omp.h>

#include <dnnl.hpp>

#include "bench/peers/peers.h"

namespace dimorder::bench {
namespace {

constexpr size_t kMaxDims = DNNL_MAX_NDIMS;

struct Reorder {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::memory src;
  dnnl::memory dst;
  dnnl::reorder reorder;
};

// Elements between neighbours when the axes lie in `order`, outermost first.
dnnl::memory::dims StridesOf(const dnnl::memory::dims& sizes, const std::vector<int>& order) {
  dnnl::memory::dims strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[static_cast<size_t>(order[i])] = stride;
    stride *= sizes[static_cast<size_t>(order[i])];
  }
  return strides;
}

}  // namespace

std::unique_ptr<Contender> MakeOneDnn(const Permutation& p, size_t threads) {
  const bool pairs = p.element_bytes == 2 || p.element_bytes == 8;
  const int64_t unit = pairs ? p.element_bytes / 2 : p.element_bytes;
  if ((unit != 1 && unit != 4) || p.sizes.empty() || p.sizes.size() + 1 > kMaxDims) return nullptr;
  omp_set_num_threads(static_cast<int>(threads));
  dnnl::memory::dims sizes(p.sizes.begin(), p.sizes.end());
  std::vector<int> order = p.perm;
  if (pairs) {
    order.push_back(static_cast<int>(sizes.size()));
    sizes.push_back(2);
  }
  std::vector<int> identity(order.size());
  for (size_t i = 0; i < identity.size(); ++i) identity[i] = static_cast<int>(i);
  const auto type = unit == 1 ? dnnl::memory::data_type::u8 : dnnl::memory::data_type::f32;
  const dnnl::memory::desc from(sizes, type, StridesOf(sizes, identity));
  const dnnl::memory::desc to(sizes, type, StridesOf(sizes, order));
  auto made = std::make_shared<Reorder>();
  made->src = dnnl::memory(from, made->engine, nullptr);
  made->dst = dnnl::memory(to, made->engine, nullptr);
  made->reorder = dnnl::reorder(made->src, made->dst);
  return MakeContender("onednn", [made](const uint8_t* src, uint8_t* dst) {
    made->src.set_data_handle(const_cast<uint8_t*>(src));
    made->dst.set_data_handle(dst);
    made->reorder.execute(made->stream, made->src, made->dst);
    made->stream.wait();
  });
}

}  // namespace dimorder::bench
