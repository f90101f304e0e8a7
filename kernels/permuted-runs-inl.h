// SPDX-License-Identifier: Apache-2.0
// Runs of a few bytes by permutations of the bytes of two vectors (AVX3_DL): those of two to four rows put together, as
// space to depth does with the rows of a picture, and every second to fourth one taken out of a row, as depth to space
// does. Whole vectors are stored: what one has too much the next one overwrites, and the last one ends where its row
// does. (Rows of 1000 and of 20000 runs of 3 bytes 0.2 to 0.5 of the time, of 5 to 7 bytes 0.34 to 0.98, of 112 runs
// 0.5 to 0.9; a picture of 224x224x3 bytes to blocks of 2x2 0.68, and back 0.87.)
#if defined(DIMORDER_KERNELS_PERMUTED_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_PERMUTED_RUNS_INL_H_
#undef DIMORDER_KERNELS_PERMUTED_RUNS_INL_H_
#else
#define DIMORDER_KERNELS_PERMUTED_RUNS_INL_H_
#endif

#include "kernels/blends-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

constexpr int64_t kMostPermutedRows = 4;
constexpr int64_t kMostPermutedBytes = 15;
constexpr int64_t kHalfLine = kLineBytes / 2;

// Where the bytes of a vector come from, by rows and the bytes of a run: of row k, which follows what is joined of
// those before it, and of two vectors that adjoin. The last ones of a row end with the vectors that they come from; of
// runs that are taken out, they are half a vector.
struct RunTables {
  using OfBytes = uint8_t[kMostPermutedBytes + 1][kLineBytes];
  using OfRows = OfBytes[kMostPermutedRows];

  constexpr RunTables() {
    for (int64_t rows = 2; rows <= kMostPermutedRows; ++rows) {
      for (int64_t bytes = 1; bytes <= kMostPermutedBytes; ++bytes) {
        SetJoin(rows, bytes);
        SetSplit(rows, bytes);
        const int64_t in_two = 2 * kLineBytes / (rows * bytes);
        joined_bytes[rows][bytes] = kLineBytes / (rows * bytes) * bytes;
        split_runs[rows][bytes] = HWY_MIN(in_two, kLineBytes / bytes);
        split_half_runs[rows][bytes] = HWY_MIN(in_two, kHalfLine / bytes);
      }
    }
  }

  constexpr void SetJoin(int64_t rows, int64_t bytes) {
    const int64_t box = rows * bytes;
    const int64_t before = (box - kLineBytes % box) % box;  // of the box that a last vector begins in
    const int64_t last_row = kLineBytes - (kLineBytes + before) / box * bytes;  // where its boxes begin in a row
    for (int64_t at = 0; at < kLineBytes; ++at) {
      SetRows(join[rows], rows, bytes, at, at, 0);
      SetRows(join_last[rows], rows, bytes, at, at + before, last_row);
    }
  }
  constexpr void SetRows(OfRows& tables, int64_t rows, int64_t bytes, int64_t at, int64_t in_boxes, int64_t in_row) {
    const int64_t from = in_row + in_boxes / (rows * bytes) * bytes + in_boxes % bytes;
    for (int64_t k = 1; k < rows; ++k) {
      const int64_t joined = k == 1 ? from : at;
      const int64_t place = in_boxes / bytes % rows == k ? kLineBytes + from : joined;
      tables[k][bytes][at] = static_cast<uint8_t>(place % (2 * kLineBytes));
    }
  }

  constexpr void SetSplit(int64_t rows, int64_t bytes) {
    const int64_t before = (bytes - kHalfLine % bytes) % bytes;
    const int64_t first = 2 * kLineBytes - bytes - ((kHalfLine + before) / bytes - 1) * rows * bytes;
    for (int64_t at = 0; at < kLineBytes; ++at) {
      const int64_t last_at = at + before;
      const int64_t from = at / bytes * rows * bytes + at % bytes;
      const int64_t last_from = first + last_at / bytes * rows * bytes + last_at % bytes;
      split[rows][bytes][at] = static_cast<uint8_t>(from % (2 * kLineBytes));
      split_last[rows][bytes][at] = static_cast<uint8_t>((last_from + 2 * kLineBytes) % (2 * kLineBytes));
    }
  }

  alignas(kLineBytes) OfRows join[kMostPermutedRows + 1] = {};
  alignas(kLineBytes) OfRows join_last[kMostPermutedRows + 1] = {};
  alignas(kLineBytes) OfBytes split[kMostPermutedRows + 1] = {};
  alignas(kLineBytes) OfBytes split_last[kMostPermutedRows + 1] = {};
  // What is moved at once: so many bytes of each row, and runs that a vector or half of one has.
  int64_t joined_bytes[kMostPermutedRows + 1][kMostPermutedBytes + 1] = {};
  int64_t split_runs[kMostPermutedRows + 1][kMostPermutedBytes + 1] = {};
  int64_t split_half_runs[kMostPermutedRows + 1][kMostPermutedBytes + 1] = {};
};
constexpr RunTables kRunTables;

using RunTag = hn::ScalableTag<uint8_t>;
using RunVector = hn::VFromD<RunTag>;

// The first `n` bytes of a vector, of less than one; others are 0.
HWY_INLINE RunVector LoadBytes(const uint8_t* p, int64_t n) {
  return RunVector{_mm512_maskz_loadu_epi8((uint64_t{1} << HWY_MAX(n, 0)) - 1, p)};
}

// What is joined of the vectors that load(k) has of kRows rows.
template <int64_t kRows, class Load>
HWY_INLINE RunVector JoinRows(const Load& load, const RunTables::OfRows& tables, int64_t bytes) {
  RunVector joined = load(0);
  for (int64_t k = 1; k < kRows; ++k) joined = FromTwo(joined, load(k), tables[k][bytes]);
  return joined;
}

// The runs of rows that are dense, `n` bytes each, at least a vector, one of each row after the other.
template <int64_t kRows>
HWY_NOINLINE void JoinRuns(const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst, int64_t bytes,
                           int64_t n) {
  const RunTag d;
  const int64_t step = kRunTables.joined_bytes[kRows][bytes];
  const auto& tables = kRunTables.join[kRows];
  const auto load = [=](int64_t at) { return [=](int64_t k) { return hn::LoadU(d, src + k * is + at); }; };
  int64_t at = 0;
  for (; at + kLineBytes <= n; at += step) hn::StoreU(JoinRows<kRows>(load(at), tables, bytes), d, dst + kRows * at);
  for (; kRows * at + kLineBytes <= kRows * n; at += step) {
    const auto load_rest = [=](int64_t k) { return LoadBytes(src + k * is + at, n - at); };
    hn::StoreU(JoinRows<kRows>(load_rest, tables, bytes), d, dst + kRows * at);
  }
  if (at >= n) return;
  const RunVector last = JoinRows<kRows>(load(n - kLineBytes), kRunTables.join_last[kRows], bytes);
  hn::StoreU(last, d, dst + kRows * n - kLineBytes);
}

// Runs that are rows * bytes apart, to where they adjoin: at least two vectors of the source, and one of runs.
HWY_NOINLINE void SplitRuns(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t rows, int64_t bytes,
                            int64_t runs) {
  const RunTag d;
  const hn::Half<RunTag> half;
  const int64_t is = rows * bytes;
  const int64_t span = (runs - 1) * is + bytes;
  const uint8_t* const table = kRunTables.split[rows][bytes];
  const int64_t at_once = kRunTables.split_runs[rows][bytes];
  const int64_t in_half = kRunTables.split_half_runs[rows][bytes];
  int64_t i = 0;
  for (; i * is + 2 * kLineBytes <= span && i * bytes + kLineBytes <= runs * bytes; i += at_once) {
    const uint8_t* const from = src + i * is;
    hn::StoreU(FromTwo(hn::LoadU(d, from), hn::LoadU(d, from + kLineBytes), table), d, dst + i * bytes);
  }
  for (; i * bytes + kHalfLine <= runs * bytes; i += in_half) {
    const uint8_t* const from = src + i * is;
    const int64_t left = span - i * is;
    const RunVector a = left < kLineBytes ? LoadBytes(from, left) : hn::LoadU(d, from);
    const RunVector b = LoadBytes(from + kLineBytes, HWY_MIN(left - kLineBytes, kLineBytes - 1));
    hn::StoreU(hn::LowerHalf(half, FromTwo(a, b, table)), half, dst + i * bytes);
  }
  if (i >= runs) return;
  const uint8_t* const end = src + span;
  const auto last =
      FromTwo(hn::LoadU(d, end - 2 * kLineBytes), hn::LoadU(d, end - kLineBytes), kRunTables.split_last[rows][bytes]);
  hn::StoreU(hn::LowerHalf(half, last), half, dst + runs * bytes - kHalfLine);
}

// Longer runs gain nothing, and short rows lose.
constexpr int64_t MostJoinedBytes(int64_t rows) { return rows < 4 ? 30 : 20; }
constexpr int64_t kMostSplitBytes = 24;
constexpr int64_t kFewestSplitBytes = 256;

HWY_INLINE bool JoinsRuns(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  const Axis rows = args.inner[1];
  const Axis runs = args.inner[2];
  const int64_t n = runs.n * bytes;
  const bool dense = runs.is == bytes && runs.os == rows.n * bytes;
  if (!dense || rows.n * bytes > MostJoinedBytes(rows.n) || n < kLineBytes) return false;
  if (rows.n == 2) JoinRuns<2>(src, rows.is, dst, bytes, n);
  if (rows.n == 3) JoinRuns<3>(src, rows.is, dst, bytes, n);
  if (rows.n == 4) JoinRuns<4>(src, rows.is, dst, bytes, n);
  return rows.n >= 2 && rows.n <= kMostPermutedRows;
}

HWY_INLINE bool SplitsRuns(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  const Axis runs = args.inner[1];
  const Axis y = args.inner[2];
  int64_t rows = 2;
  while (rows < kMostPermutedRows && rows * bytes < runs.is) ++rows;
  if (runs.is != rows * bytes || runs.is > kMostSplitBytes || runs.n * bytes < kFewestSplitBytes) return false;
  for (int64_t j = 0; j < y.n; ++j) SplitRuns(src + j * y.is, dst + j * y.os, rows, bytes, runs.n);
  return true;
}

#endif

// Moves runs of inner[0].n bytes that adjoin in the destination along inner[1] by permutations. False, and nothing is
// done, where they are none for these.
HWY_INLINE bool PermutesRuns([[maybe_unused]] const uint8_t* src, [[maybe_unused]] uint8_t* dst,
                             [[maybe_unused]] const KernelArgs& args) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  if (args.inner[0].n > kMostPermutedBytes || args.inner[1].os != args.inner[0].n) return false;
  return JoinsRuns(src, dst, args) || SplitsRuns(src, dst, args);
#else
  return false;
#endif
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_PERMUTED_RUNS_INL_H_
