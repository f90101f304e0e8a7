// SPDX-License-Identifier: Apache-2.0
// Runs of 8 to 15 bytes that adjoin in the destination, as many at once as a vector has blocks: each is loaded as a
// block, one shuffle closes them up, and one store takes all of them. What it has too much the next ones overwrite; the
// last ones of a row are stored as two halves that overlap. (30 transposes of 9 to 15 bytes, 33 to 200 a side, took
// 0.83 of the time in the mean with vectors of a line. Two runs of up to 31 bytes at once took 1.02 times as long.)
#if defined(DIMORDER_KERNELS_CLOSE_UP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_CLOSE_UP_INL_H_
#undef DIMORDER_KERNELS_CLOSE_UP_INL_H_
#else
#define DIMORDER_KERNELS_CLOSE_UP_INL_H_
#endif

#include "kernels/blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

// What is shuffled across a vector: bytes where a processor can.
using CloseUpLane = std::conditional_t<(HWY_TARGET <= HWY_AVX3_DL), uint8_t, uint32_t>;
using CloseUpTag = hn::CappedTag<CloseUpLane, kLineBytes / sizeof(CloseUpLane)>;
constexpr int64_t kCloseUpRuns = kBlocks<CloseUpTag>;
constexpr int64_t kCloseUpBytes = 16 * kCloseUpRuns;

// From which lanes those of closed up runs come, by the bytes of one. Of the last runs of a row the very last is at the
// end of its block, and the upper half of the vector is what they end in.
struct CloseUpTables {
  static constexpr int64_t kSize = sizeof(CloseUpLane);

  constexpr CloseUpTables() {
    for (int64_t bytes = 8; bytes < 16; bytes += kSize) {
      for (int64_t at = 0; at < kCloseUpBytes; at += kSize) {
        all[bytes][at / kSize] = static_cast<CloseUpLane>(Source(at, bytes) / kSize);
        const int64_t end = at < kCloseUpBytes / 2 ? at : at + kCloseUpRuns * bytes - kCloseUpBytes;
        const int64_t later = end / bytes == kCloseUpRuns - 1 ? 16 - bytes : 0;
        last[bytes][at / kSize] = static_cast<CloseUpLane>((Source(end, bytes) + later) / kSize);
      }
    }
  }

  // Which byte of the blocks belongs at `at`; behind the last run, any.
  static constexpr int64_t Source(int64_t at, int64_t bytes) {
    return at < kCloseUpRuns * bytes ? at / bytes * 16 + at % bytes : 0;
  }

  alignas(kLineBytes) CloseUpLane all[16][kCloseUpBytes / kSize] = {};
  alignas(kLineBytes) CloseUpLane last[16][kCloseUpBytes / kSize] = {};
};
constexpr CloseUpTables kCloseUpTables;

template <class D>
HWY_INLINE hn::VFromD<D> CloseUp(D d, hn::VFromD<D> v, const CloseUpLane* from) {
#if HWY_TARGET <= HWY_AVX3_DL
  return hn::VFromD<D>{_mm512_permutexvar_epi8(_mm512_load_si512(from), v.raw)};
#else
  return hn::TableLookupLanes(v, hn::SetTableIndices(d, from));
#endif
}

// Rows of runs along inner[1], where they adjoin, at each step of inner[2].
HWY_NOINLINE void CloseUpRows(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, const KernelArgs& args) {
  const CloseUpTag d;
  const hn::Half<CloseUpTag> half;
  const int64_t bytes = args.inner[0].n;
  const Axis runs = args.inner[1];
  const Axis rows = args.inner[2];
  const CloseUpLane* const all = kCloseUpTables.all[bytes];
  const CloseUpLane* const last = kCloseUpTables.last[bytes];
  const int64_t stored = (kCloseUpBytes + bytes - 1) / bytes;  // runs that a store has, all or in part
  const int64_t upper_half = kCloseUpRuns * bytes - kCloseUpBytes / 2;
  for (int64_t j = 0; j < rows.n; ++j) {
    int64_t i = 0;
    for (; i + stored <= runs.n; i += kCloseUpRuns) {
      const uint8_t* const from = src + i * runs.is;
      const auto v = LoadBlocksAt(d, [=](int64_t k) { return from + k * runs.is; });
      hn::StoreU(CloseUp(d, v, all), d, reinterpret_cast<CloseUpLane*>(dst + i * bytes));
    }
    for (; i < runs.n; i += kCloseUpRuns) {
      const int64_t run = HWY_MIN(i, runs.n - kCloseUpRuns);
      const uint8_t* const from = src + run * runs.is;
      const auto v = CloseUp(
          d, LoadBlocksAt(d, [=](int64_t k) { return from + k * runs.is - (k == kCloseUpRuns - 1 ? 16 - bytes : 0); }),
          last);
      uint8_t* const to = dst + run * bytes;
      hn::StoreU(hn::LowerHalf(half, v), half, reinterpret_cast<CloseUpLane*>(to));
      hn::StoreU(hn::UpperHalf(half, v), half, reinterpret_cast<CloseUpLane*>(to + upper_half));
    }
    src += rows.is;
    dst += rows.os;
  }
}

#endif

// The same for runs of 8 to 15 bytes, each followed by a next one in the source: inner[1].is + inner[0].n >= 16. False,
// and nothing is done, where runs are too few or cannot be closed up.
HWY_INLINE bool ClosesUp([[maybe_unused]] const uint8_t* src, [[maybe_unused]] uint8_t* dst,
                         [[maybe_unused]] const KernelArgs& args) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if (args.inner[0].n % CloseUpTables::kSize != 0 || args.inner[1].n < kCloseUpRuns) return false;
  CloseUpRows(src, dst, args);
  return true;
#else
  return false;
#endif
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_CLOSE_UP_INL_H_
