// SPDX-License-Identifier: Apache-2.0
// Uses the installed C++ API: one move by each convention, and a bad request.
#include <cstdio>
#include <vector>

#include "dimorder/dimorder.h"

int main() {
  constexpr int64_t kC = 3, kH = 5, kW = 7;
  std::vector<float> chw(kC * kH * kW), by_perm(chw.size()), by_order(chw.size());
  for (size_t i = 0; i < chw.size(); ++i) chw[i] = static_cast<float>(i);

  dimorder::Status status = dimorder::Permute(chw.data(), by_perm.data(), {1, kC, kH, kW}, {0, 2, 3, 1}, sizeof(float));
  if (status.ok()) {
    status = dimorder::ToDimOrder(chw.data(), by_order.data(), {1, kC, kH, kW}, dimorder::kNCHW, dimorder::kNHWC,
                                  sizeof(float));
  }
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    return 1;
  }
  for (int64_t c = 0; c < kC; ++c) {
    for (int64_t hw = 0; hw < kH * kW; ++hw) {
      const auto expected = static_cast<float>(c * kH * kW + hw);
      const size_t at = static_cast<size_t>(hw * kC + c);
      if (by_perm[at] != expected || by_order[at] != expected) {
        std::fprintf(stderr, "element %zu: %g and %g, expected %g\n", at, by_perm[at], by_order[at], expected);
        return 1;
      }
    }
  }

  const auto bad = dimorder::Plan::Create(dimorder::Move::Permute({2, 3}, {0, 0}, 4));
  std::printf("dimorder %s: %s\n", DIMORDER_VERSION_STRING, bad.status().ToString().c_str());
  return bad.ok() ? 1 : 0;
}
