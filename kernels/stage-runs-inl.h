// SPDX-License-Identifier: Apache-2.0
// Family kStageRuns: runs that are no whole lines, but adjoin in the destination, as whole cache lines past the caches.
//
// They are a transpose of long elements, and staged like one, but by way of L1: a box that it holds is gathered while
// the next one is asked for, so that source rows are read in long pieces, and each of their lines once. (Gathered row
// after row of one column they waited for memory between the lines: 3000x500 runs of 20 bytes 2.8 -> 1.6 times a copy,
// 1080x1920 pixels of 3 floats 3.2 -> 1.6. In L2 they took 1.1 to 1.6 times as long as in L1; without asking 1.2
// times.)
#if defined(DIMORDER_KERNELS_STAGE_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_STAGE_RUNS_INL_H_
#undef DIMORDER_KERNELS_STAGE_RUNS_INL_H_
#else
#define DIMORDER_KERNELS_STAGE_RUNS_INL_H_
#endif

#include "kernels/column-staging-inl.h"
#include "kernels/run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Rows of runs of kPart / 2 <= bytes <= kPart to columns, each by one move of kPart bytes: what it has too much, the
// next row overwrites. Where nothing follows, in the last row and column, runs are moved exactly.
template <size_t kPart>
HWY_INLINE void GatherShort(const uint8_t* src, Axis rows, uint8_t* stage, Axis columns, int64_t bytes) {
  for (int64_t r = 0; r < rows.n; ++r) {
    const uint8_t* HWY_RESTRICT from = src + r * rows.is;
    uint8_t* HWY_RESTRICT to = stage + r * bytes;
    const int64_t last = r + 1 < rows.n ? columns.n - 1 : 0;
    for (int64_t c = 0; c < last; ++c) memcpy(to + c * columns.os, from + c * bytes, kPart);
    for (int64_t c = last; c < columns.n; ++c) {
      CopyPair<kPart / 2>(from + c * bytes, to + c * columns.os, static_cast<size_t>(bytes));
    }
  }
}

// The same of longer runs.
template <class CopyOne>
HWY_INLINE void GatherLong(const uint8_t* src, Axis rows, uint8_t* stage, Axis columns, int64_t bytes,
                           const CopyOne& copy) {
  for (int64_t r = 0; r < rows.n; ++r) {
    const uint8_t* HWY_RESTRICT from = src + r * rows.is;
    uint8_t* HWY_RESTRICT to = stage + r * bytes;
    for (int64_t c = 0; c < columns.n; ++c) copy(from + c * bytes, to + c * columns.os, static_cast<size_t>(bytes));
  }
}

// Runs of one length, which is rows.os.
void GatherRuns(const uint8_t* src, Axis rows, uint8_t* stage, Axis columns, const KernelArgs& /*args*/) {
  using Bytes = const uint8_t* HWY_RESTRICT;
  using Out = uint8_t* HWY_RESTRICT;
  const int64_t bytes = rows.os;
  if (bytes <= 16) return GatherShort<16>(src, rows, stage, columns, bytes);
  if (bytes <= 32) return GatherShort<32>(src, rows, stage, columns, bytes);
  if (bytes <= 64) return GatherShort<64>(src, rows, stage, columns, bytes);
  const auto copy_pair = [](Bytes s, Out d, size_t n) { CopyPair<64>(s, d, n); };
  if (bytes <= 128) return GatherLong(src, rows, stage, columns, bytes, copy_pair);
  GatherLong(src, rows, stage, columns, bytes, [](Bytes s, Out d, size_t n) { CopyVectors(s, d, n); });
}

void StageRuns(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  KernelArgs staged = args;
  staged.inner[0] = args.inner[1];
  staged.inner[1] = args.inner[2];
  staged.inner[2] = staged.inner[3] = Axis{1, 0, 0};
  ColumnStaging({args.inner[0].n, &GatherRuns}, src, dst, staged).Run<Level::kL1>();
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_STAGE_RUNS_INL_H_
