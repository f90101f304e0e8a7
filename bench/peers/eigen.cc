// SPDX-License-Identifier: Apache-2.0
// Eigen's Tensor module: shuffle() on maps of the buffers. Ranks are template arguments: up to 6.
#include <algorithm>
#include <unsupported/Eigen/CXX11/Tensor>

#include "bench/peers/peers.h"

namespace dimorder::bench {
namespace {

template <class T, int kRank>
std::unique_ptr<Contender> Make(const Permutation& p) {
  using Source = Eigen::Tensor<T, kRank, Eigen::RowMajor, Eigen::Index>;
  Eigen::array<Eigen::Index, kRank> from, to;
  Eigen::array<int, kRank> perm;
  for (int i = 0; i < kRank; ++i) {
    const auto at = static_cast<size_t>(i);
    perm[at] = p.perm[at];
    from[at] = p.sizes[at];
    to[at] = p.sizes[static_cast<size_t>(p.perm[at])];
  }
  return MakeContender("eigen", [=](const uint8_t* src, uint8_t* dst) {
    const Eigen::TensorMap<const Source> source(reinterpret_cast<const T*>(src), from);
    Eigen::TensorMap<Source> destination(reinterpret_cast<T*>(dst), to);
    destination = source.shuffle(perm);
  });
}

template <class T>
std::unique_ptr<Contender> MakeRank(const Permutation& p) {
  switch (p.sizes.size()) {
    case 2:
      return Make<T, 2>(p);
    case 3:
      return Make<T, 3>(p);
    case 4:
      return Make<T, 4>(p);
    case 5:
      return Make<T, 5>(p);
    case 6:
      return Make<T, 6>(p);
    default:
      return nullptr;
  }
}

}  // namespace

std::unique_ptr<Contender> MakeEigen(const Permutation& p, size_t threads) {
  if (threads != 1) return nullptr;
  switch (p.element_bytes) {
    case 1:
      return MakeRank<uint8_t>(p);
    case 2:
      return MakeRank<uint16_t>(p);
    case 4:
      return MakeRank<uint32_t>(p);
    case 8:
      return MakeRank<uint64_t>(p);
    default:
      return nullptr;
  }
}

}  // namespace dimorder::bench
