// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "dimorder/dimorder.h"

// The two conventions, each against a definition of its own: loops over named axes, not the oracle, which reads the
// same Move that the library does.
namespace dimorder::test {
namespace {

constexpr int kN = 2, kC = 3, kH = 4, kW = 5;

std::vector<int32_t> Numbered() {
  std::vector<int32_t> values(kN * kC * kH * kW);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int32_t>(i);
  return values;
}

size_t Nchw(int n, int c, int h, int w) { return static_cast<size_t>(((n * kC + c) * kH + h) * kW + w); }
size_t Nhwc(int n, int c, int h, int w) { return static_cast<size_t>(((n * kH + h) * kW + w) * kC + c); }

TEST(Conventions, PermIsNumpys) {
  const std::vector<int32_t> src = Numbered();
  std::vector<int32_t> dst(src.size(), -1);
  // dst[i][j][k][l] with axes (W, N, H, C): destination axis i is source axis perm[i].
  ASSERT_TRUE(Permute(src.data(), dst.data(), {kN, kC, kH, kW}, {3, 0, 2, 1}, 4).ok());
  size_t at = 0;
  for (int w = 0; w < kW; ++w) {
    for (int n = 0; n < kN; ++n) {
      for (int h = 0; h < kH; ++h) {
        for (int c = 0; c < kC; ++c) EXPECT_EQ(dst[at++], src[Nchw(n, c, h, w)]);
      }
    }
  }
}

TEST(Conventions, DimOrderIsExecuTorchs) {
  const std::vector<int32_t> src = Numbered();
  std::vector<int32_t> dst(src.size(), -1);
  std::vector<int32_t> back(src.size(), -1);
  ASSERT_TRUE(ToDimOrder(src.data(), dst.data(), {kN, kC, kH, kW}, kNCHW, kNHWC, 4).ok());
  for (int n = 0; n < kN; ++n) {
    for (int c = 0; c < kC; ++c) {
      for (int h = 0; h < kH; ++h) {
        for (int w = 0; w < kW; ++w) EXPECT_EQ(dst[Nhwc(n, c, h, w)], src[Nchw(n, c, h, w)]);
      }
    }
  }
  ASSERT_TRUE(ToDimOrder(dst.data(), back.data(), {kN, kC, kH, kW}, kNHWC, kNCHW, 4).ok());
  EXPECT_EQ(back, src);
}

TEST(Conventions, BetweenTakesViews) {
  const std::vector<int32_t> src = Numbered();
  // The picture n = 1, mirrored, one channel repeated twice, into every other column.
  std::vector<int32_t> dst(2 * kH * kW * 2, -1);
  const int64_t sizes[] = {2, kH, kW};
  const Layout view = Layout::Strided(sizes, {0, kW * 4, -4}, static_cast<int64_t>(Nchw(1, 2, 0, kW - 1)) * 4);
  const Layout columns = Layout::Strided(sizes, {kH * kW * 8, kW * 8, 8});
  ASSERT_TRUE(Execute(Move::Between(view, columns, 4), src.data(), dst.data()).ok());
  for (int i = 0; i < 2; ++i) {
    for (int h = 0; h < kH; ++h) {
      for (int w = 0; w < kW; ++w) {
        const size_t at = static_cast<size_t>(((i * kH + h) * kW + w) * 2);
        EXPECT_EQ(dst[at], src[Nchw(1, 2, h, kW - 1 - w)]);
        EXPECT_EQ(dst[at + 1], -1);
      }
    }
  }
}

TEST(Conventions, DepthwiseWeightsBecomeHwcm) {
  // (C*M, 1, H, W) with the first axis split is (C, M, H, W).
  std::vector<float> src(3 * 2 * 4 * 5);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<float>(i);
  std::vector<float> dst(src.size());
  ASSERT_TRUE(ToDimOrder(src.data(), dst.data(), {3, 2, 4, 5}, kCMHW, kHWCM, 4).ok());
  for (size_t c = 0; c < 3; ++c) {
    for (size_t m = 0; m < 2; ++m) {
      for (size_t hw = 0; hw < 20; ++hw) EXPECT_EQ(dst[(hw * 3 + c) * 2 + m], src[(c * 2 + m) * 20 + hw]);
    }
  }
}

TEST(Conventions, BitsSurvive) {
  // Signalling and quiet NaNs with payloads, negative zero, denormals.
  const std::vector<uint64_t> src = {0x7ff0000000000001u, 0x7ff8dead0000beefu, 0xfff4000000000000u,
                                     0x8000000000000000u, 0x0000000000000001u, 0xffffffffffffffffu};
  std::vector<uint64_t> dst(src.size());
  ASSERT_TRUE(Permute(src.data(), dst.data(), {2, 3}, {1, 0}, 8).ok());
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 3; ++j) EXPECT_EQ(dst[j * 2 + i], src[i * 3 + j]);
  }
}

}  // namespace
}  // namespace dimorder::test
