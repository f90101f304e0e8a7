// SPDX-License-Identifier: Apache-2.0
// Uses the installed component openmp: a transpose large enough to be split.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "dimorder/dimorder.h"
#include "dimorder/openmp.h"

int main() {
  constexpr int64_t kRows = 1000, kCols = 777;
  std::vector<int32_t> src(kRows * kCols), dst(src.size());
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<int32_t>(i);

  const dimorder_executor executor = dimorder::OpenMPExecutor(2);
  dimorder::Options options;
  options.executor = &executor;
  const dimorder::Status status =
      dimorder::Permute(src.data(), dst.data(), {kRows, kCols}, {1, 0}, sizeof(int32_t), options);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 1;
  }
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t c = 0; c < kCols; ++c) {
      if (dst[static_cast<size_t>(c * kRows + r)] != r * kCols + c) return 1;
    }
  }
  std::puts("a transpose on two threads");
  return 0;
}
