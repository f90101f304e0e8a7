// SPDX-License-Identifier: Apache-2.0
// OpenBLAS: ?omatcopy with alpha = 1, once for each matrix of a batch. It knows no threads.
#include <cblas.h>

#include "bench/peers/peers.h"

namespace dimorder::bench {
namespace {

// Calls copy(src, dst, rows, cols) for each matrix.
template <class Copy>
std::unique_ptr<Contender> ForEachMatrix(const BatchOfTransposes& t, int64_t element_bytes, const Copy& copy) {
  const int64_t bytes = t.rows * t.cols * element_bytes;
  return MakeContender("openblas", [=](const uint8_t* src, uint8_t* dst) {
    const auto rows = static_cast<blasint>(t.rows);
    const auto cols = static_cast<blasint>(t.cols);
    for (int64_t i = 0; i < t.batch; ++i) copy(src + i * bytes, dst + i * bytes, rows, cols);
  });
}

}  // namespace

std::unique_ptr<Contender> MakeOpenBlas(const Permutation& p, size_t threads) {
  const BatchOfTransposes t = AsTransposes(p);
  if (t.batch == 0 || threads != 1) return nullptr;
  if (p.element_bytes == 4) {
    return ForEachMatrix(t, 4, [](const uint8_t* src, uint8_t* dst, blasint rows, blasint cols) {
      cblas_somatcopy(CblasRowMajor, CblasTrans, rows, cols, 1, reinterpret_cast<const float*>(src), cols,
                      reinterpret_cast<float*>(dst), rows);
    });
  }
  if (p.element_bytes == 8) {
    return ForEachMatrix(t, 8, [](const uint8_t* src, uint8_t* dst, blasint rows, blasint cols) {
      cblas_domatcopy(CblasRowMajor, CblasTrans, rows, cols, 1, reinterpret_cast<const double*>(src), cols,
                      reinterpret_cast<double*>(dst), rows);
    });
  }
  return nullptr;
}

}  // namespace dimorder::bench
