// SPDX-License-Identifier: Apache-2.0
// Families kCopy, kRun, kRunAhead and kStream: one contiguous run, and many of one length.
//
// The length decides the code once per call, not once per run: a run of n bytes in [P, 2P] is two moves of P bytes that
// overlap, or one of 2 * P where the next run covers what is too much, for P = 1 .. 32; longer runs are a loop of
// vectors; from a page on the C library's memcpy is as good as any loop.
#if defined(DIMORDER_KERNELS_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_RUN_INL_H_
#undef DIMORDER_KERNELS_RUN_INL_H_
#else
#define DIMORDER_KERNELS_RUN_INL_H_
#endif

#include "kernels/adjoining-runs-inl.h"
#include "kernels/close-up-inl.h"
#include "kernels/permuted-runs-inl.h"
#include "kernels/staged-run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// Calls copy(src, dst, bytes) for `n` runs along `axis`. With kAsk, asks for the lines of the destination two runs
// before.
template <bool kAsk, class Copy>
HWY_INLINE void ForSomeRuns(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t bytes, const Axis& axis,
                            int64_t n, const Copy& copy) {
#if HWY_COMPILER_CLANG  // runs of 33 to 48 bytes take up to 1.25 times as long else
#pragma unroll 1
#endif
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (kAsk) {
      for (size_t at = 0; at < bytes; at += kLineBytes) hwy::Prefetch(dst + 2 * axis.os + at);
    }
    copy(src, dst, bytes);
    src += axis.is;
    dst += axis.os;
  }
}

// The same for each run of the box; inner[1] changes fastest.
template <bool kAsk = false, class Copy>
HWY_INLINE void ForEachRun(const uint8_t* src, uint8_t* dst, const KernelArgs& args, const Copy& copy) {
  const size_t bytes = static_cast<size_t>(args.inner[0].n);
  const Axis x = args.inner[1];
  const Axis y = args.inner[2];
  for (int64_t j = 0; j < y.n; ++j) ForSomeRuns<kAsk>(src + j * y.is, dst + j * y.os, bytes, x, x.n, copy);
}

// The same for few rows of runs that take so little time that a loop of a few steps would cost as much: the longer axis
// inside, for a part of each row that L1 keeps until the others have filled its lines. (Two rows of 32 bytes 1.25 ->
// 1.1 times a copy against parts that were a call each.) Runs of a line fill theirs at once, and longer parts are read
// ahead: 2 to 7 rows of 64 bytes on Zen 3 0.74 to 0.87 of the time of 1 KB, of 80 to 192 bytes 0.97 to 1.04. (Where
// lines are asked for, 1 KB in 0.88 to 1.05 of the time, six shapes of ten in 0.88 to 0.98.)
template <bool kAsk, class Copy>
HWY_INLINE void ForEachOfFewRuns(const uint8_t* src, uint8_t* dst, const KernelArgs& args, const Copy& copy) {
  const int64_t bytes = args.inner[0].n;
  const Axis x = args.inner[2];
  const Axis y = args.inner[1];
  const int64_t part_bytes = bytes < kLineBytes || kAsk ? kFewRunsBytes : kFewLongRunsBytes;
  const int64_t part = x.n * bytes <= part_bytes ? x.n : HWY_MAX(part_bytes / bytes, 1);
  for (int64_t i = 0; i < x.n; i += part) {
    const int64_t n = HWY_MIN(part, x.n - i);
    for (int64_t j = 0; j < y.n; ++j) {
      ForSomeRuns<kAsk>(src + i * x.is + j * y.is, dst + i * x.os + j * y.os, static_cast<size_t>(bytes), x, n, copy);
    }
  }
}

// Either of them: longer runs, and many rows, go as ForEachRun() has them.
template <bool kAsk = false, class Copy>
HWY_INLINE void ForEachShortRun(const uint8_t* src, uint8_t* dst, const KernelArgs& args, const Copy& copy) {
  const bool few = args.inner[1].n < HWY_MIN(args.inner[2].n, kFewRuns) && args.inner[0].n < kShortRunBytes;
  few ? ForEachOfFewRuns<kAsk>(src, dst, args, copy) : ForEachRun<kAsk>(src, dst, args, copy);
}

// Runs of kPart / 2 <= bytes < kPart. Those that adjoin in the destination, which is along inner[1] if at all from here
// on, are permuted, or each is one move of kPart bytes: what it has too much, the next runs overwrite. Those at the end
// are moved exactly. No move reads past the next run. (Apart, since within Run() its loops fell where they took 1.1 to
// 1.2 times as long.)
template <size_t kPart>
HWY_NOINLINE void CopyAdjoining(const uint8_t* src, uint8_t* dst, KernelArgs args) {
  const int64_t bytes = args.inner[0].n;
  if (args.inner[2].os == bytes) {
    const Axis x = args.inner[1];
    args.inner[1] = args.inner[2];
    args.inner[2] = x;
  }
  if constexpr (kPart <= 16) {
    if (PermutesRuns(src, dst, args)) return;
  }
  const Axis x = args.inner[1];
  const auto copy_exactly = [](const uint8_t* s, uint8_t* d, size_t n) { CopyPair<kPart / 2>(s, d, n); };
  const Axis y = args.inner[2];
  if (x.os == bytes && y.os == x.n * bytes && y.is + bytes >= static_cast<int64_t>(kPart)) {
    if (x.n == 2) return AdjoinBoxes<kPart, 2>(src, dst, args);
    if (x.n == 3) return AdjoinBoxes<kPart, 3>(src, dst, args);
    if (x.n == 4) return AdjoinBoxes<kPart, 4>(src, dst, args);
  }
  const int64_t exact = (static_cast<int64_t>(kPart) - 1) / bytes;
  if (x.os != bytes || x.is + bytes < static_cast<int64_t>(kPart) || x.n <= exact) {
    return ForEachShortRun(src, dst, args, copy_exactly);
  }
  if constexpr (kPart == 16) {
    if (ClosesUp(src, dst, args)) return;
  }
  if constexpr (Together(kPart) > 1) {
    if (x.n >= kFewRuns) return AdjoinRows<kPart>(src, dst, args);
  }
  args.inner[1].n -= exact;
  ForEachShortRun(src, dst, args, [](const uint8_t* s, uint8_t* d, size_t) { CopyPart<kPart>(s, d); });
  src += args.inner[1].n * x.is;
  dst += args.inner[1].n * x.os;
  args.inner[1].n = exact;
  ForEachShortRun(src, dst, args, copy_exactly);
}

// Runs from here on are left to the library's memcpy.
constexpr int64_t kLibraryBytes = 4096;

// Runs of at least half a line, and less than kLibraryBytes.
template <bool kAsk>
HWY_INLINE void CopyLines(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  using Bytes = const uint8_t* HWY_RESTRICT;
  using Out = uint8_t* HWY_RESTRICT;
  const int64_t bytes = args.inner[0].n;
  if (bytes == 64) return ForEachShortRun<kAsk>(src, dst, args, [](Bytes s, Out d, size_t) { CopyPart<64>(s, d); });
  if (bytes == 32) return ForEachShortRun<kAsk>(src, dst, args, [](Bytes s, Out d, size_t) { CopyPart<32>(s, d); });
  if (bytes >= kLineBytes) {
    return ForEachShortRun<kAsk>(src, dst, args, [](Bytes s, Out d, size_t n) { CopyVectors(s, d, n); });
  }
  ForEachShortRun<kAsk>(src, dst, args, [](Bytes s, Out d, size_t n) { CopyPair<32>(s, d, n); });
}

void Copy(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const size_t bytes = static_cast<size_t>(args.inner[0].n);
  bytes < kLibraryBytes ? CopyRun(src, dst, bytes) : static_cast<void>(memcpy(dst, src, bytes));
}

// The runs of inner[1] and inner[2].
HWY_INLINE void RunPlane(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  using Bytes = const uint8_t* HWY_RESTRICT;
  using Out = uint8_t* HWY_RESTRICT;
  const int64_t bytes = args.inner[0].n;
  if (bytes >= kLibraryBytes) return ForEachRun(src, dst, args, [](Bytes s, Out d, size_t n) { memcpy(d, s, n); });
  if (bytes >= kLineBytes / 2) return CopyLines<false>(src, dst, args);
  if (bytes >= 16) return CopyAdjoining<32>(src, dst, args);
  if (bytes >= 8) return CopyAdjoining<16>(src, dst, args);
  if (bytes >= 4) return CopyAdjoining<8>(src, dst, args);
  if (bytes >= 2) return CopyAdjoining<4>(src, dst, args);
  ForEachRun(src, dst, args, [](Bytes s, Out d, size_t) { *d = *s; });
}

void Run(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const Axis& w = args.inner[3];
  for (int64_t l = 0; l < w.n; ++l) RunPlane(src + l * w.is, dst + l * w.os, args);
}

// Stores that cut lines wait for both where L1 has neither, as those of kAhead do: 50 bytes 1.8 -> 1.2 times a copy, 65
// bytes 2.8 -> 1.7, 108 bytes 1.8 -> 1.3, 500 bytes 1.4 -> 1.0. (Four and eight runs ahead were slower. In L1 it takes
// up to 1.6 times as long.)
void RunAhead(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  if (bytes < kLineBytes / 2 || bytes >= kLibraryBytes) return Run(src, dst, args);
  CopyLines<true>(src, dst, args);
}

// Runs that adjoin along inner[1], by way of a page: they leave it as whole lines, though they are none themselves. The
// line that a column ends in is held back for the next where that adjoins (25 runs of 108 bytes in 0.95 of the time).
HWY_NOINLINE void StreamAdjoining(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  alignas(kPageBytes) uint8_t page[kPageBytes];
  uint8_t* const stage = page + kLineBytes;
  const int64_t bytes = args.inner[0].n;
  const Axis x = args.inner[1];
  const Axis y = args.inner[2];
  const int64_t most = (kPageBytes - kLineBytes) / bytes;
  const int64_t rest = (x.n - 1) % most + 1;
  const bool adjoin = y.os == x.n * bytes && rest * bytes >= kLineBytes;
  KernelArgs part = args;
  part.inner[2] = Axis{1, 0, 0};
  for (int64_t j = 0; j < y.n; ++j) {
    const bool begins = j == 0 || !adjoin;
    const bool ends = j + 1 == y.n || !adjoin;
    for (int64_t i = 0; i < x.n; i += most) {
      part.inner[1].n = HWY_MIN(most, x.n - i);
      Run(src + j * y.is + i * x.is, stage, part);
      StreamStaged({stage, dst + j * y.os + i * bytes, static_cast<size_t>(part.inner[1].n * bytes), begins && i == 0,
                    ends && i + most >= x.n},
                   [] {});
    }
  }
}

// Streams runs of a line or more. The line that one ends in is held back: the next run finishes it where they adjoin
// (784 bytes 1.2 -> 1.05 times a copy, 196 bytes, which had gone by way of a stage, 1.2 -> 1.0; 110 bytes 1.2 -> 1.35).
class LongRuns {
 public:
  HWY_INLINE void Append(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, size_t bytes) {
    const size_t head = BytesToLine(dst);
    if (dst != end_) {
      Finish();
      CopyUpTo64(src, dst, head);
    } else if (head != 0) {
      memcpy(line_ + kLineBytes - head, src, kLineBytes);
      StreamLine(line_, dst + head - kLineBytes);
    }
    held_ = StreamWholeLines(src + head, dst + head, bytes - head);
    end_ = dst + bytes;
    if (held_ != 0) memcpy(line_ + held_ - kLineBytes, src + bytes - kLineBytes, kLineBytes);
  }

  HWY_INLINE void Finish() {
    CopyUpTo64(line_, end_ - held_, held_);
    held_ = 0;
  }

 private:
  HWY_ALIGN uint8_t memory_[3 * kLineBytes];
  uint8_t* const line_ = memory_ + kLineBytes;
  uint8_t* end_ = nullptr;
  size_t held_ = 0;
};

void Stream(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  const bool adjoin = args.inner[1].os == bytes;
  const bool whole = reinterpret_cast<uintptr_t>(dst) % kLineBytes == 0 && bytes % (kLineBytes / 2) == 0;
  if (bytes >= (adjoin ? kLongAdjoiningRun : kLongStreamedRun) || (whole && bytes >= kLineBytes)) {
    LongRuns runs;
    ForEachRun(src, dst, args, [&runs](const uint8_t* s, uint8_t* d, size_t n) { runs.Append(s, d, n); });
    return runs.Finish();
  }
  // One by one, short runs that begin or end within lines are mostly unfinished ones: up to 1.5 times as slow as
  // ordinary stores.
  adjoin ? StreamAdjoining(src, dst, args) : Run(src, dst, args);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_RUN_INL_H_
