// SPDX-License-Identifier: Apache-2.0
// The loop nest that people write first: destination order, one element at a time, strides added up.
#include <cstring>

#include "bench/peers/peers.h"

namespace dimorder::bench {
namespace {

struct Loop {
  int64_t n;
  int64_t stride;  // source bytes
};

template <int64_t kBytes>
uint8_t* RunLoops(const Loop* loop, const Loop* end, const uint8_t* src, uint8_t* dst) {
  if (loop + 1 == end) {
    for (int64_t i = 0; i < loop->n; ++i) {
      std::memcpy(dst, src + i * loop->stride, kBytes);
      dst += kBytes;
    }
    return dst;
  }
  for (int64_t i = 0; i < loop->n; ++i) dst = RunLoops<kBytes>(loop + 1, end, src + i * loop->stride, dst);
  return dst;
}

template <int64_t kBytes>
std::unique_ptr<Contender> Make(const std::vector<Loop>& loops) {
  return MakeContender("naive", [loops](const uint8_t* src, uint8_t* dst) {
    RunLoops<kBytes>(loops.data(), loops.data() + loops.size(), src, dst);
  });
}

}  // namespace

std::unique_ptr<Contender> MakeNaive(const Permutation& p, size_t threads) {
  if (threads != 1) return nullptr;
  const std::vector<int64_t> strides = DenseStrides(p.sizes, p.element_bytes);
  std::vector<Loop> loops;
  for (const int axis : p.perm)
    loops.push_back({p.sizes[static_cast<size_t>(axis)], strides[static_cast<size_t>(axis)]});
  if (loops.empty()) loops.push_back({1, 0});
  switch (p.element_bytes) {
    case 1:
      return Make<1>(loops);
    case 2:
      return Make<2>(loops);
    case 4:
      return Make<4>(loops);
    case 8:
      return Make<8>(loops);
    case 16:
      return Make<16>(loops);
    default:
      return nullptr;
  }
}

}  // namespace dimorder::bench
