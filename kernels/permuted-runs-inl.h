// SPDX-License-Identifier: Apache-2.0
// Runs of a few bytes by permutations of the bytes of two vectors (AVX3_DL): those of two to four rows put together, as
// space to depth does with the rows of a picture, and every second to fourth one taken out of a row, as depth to space
// does. Rows of 1000 and of 20000 runs of 3 bytes took 0.21 to 0.48 of the time, of 5 to 7 bytes 0.35 to 0.90, of 9 to
// 15 bytes 0.53 to 0.99, of 112 runs 0.45 to 1.02; a picture of 224x224x3 bytes to blocks of 2x2 0.66, and back 0.84.
//
// Whole vectors are stored: what one has too much the next one overwrites, and the last one ends where its row does. (A
// masked store took 24 times as long where what it left out was on a page that nobody had touched.)
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

constexpr int64_t kHalfLineBytes = kLineBytes / 2;

// Longer runs gain nothing, and few that are taken out of a row lose.
constexpr int64_t MostJoined(int64_t rows) { return rows < 4 ? 30 / rows : 5; }
constexpr int64_t MostSplit(int64_t rows) { return 24 / rows; }
constexpr int64_t kFewestSplitBytes = 256;

// Where the bytes of a vector come from, by the bytes of a run: of row k, which follows what is joined of those before
// it, and of two vectors that adjoin. The last ones of a row end with the vectors that they come from; of runs that are
// taken out, they are half a vector.
template <int64_t kRows>
struct RunTables {
  using Places = uint8_t[kLineBytes];
  using OfJoined = Places[kRows - 1][MostJoined(kRows) + 1];  // [k - 1][bytes]
  using OfSplit = Places[MostSplit(kRows) + 1];

  constexpr RunTables() {
    for (int64_t bytes = 2; bytes <= MostJoined(kRows); ++bytes) SetJoined(bytes);
    for (int64_t bytes = 2; bytes <= MostSplit(kRows); ++bytes) SetSplit(bytes);
  }

  constexpr void SetJoined(int64_t bytes) {
    const int64_t box = kRows * bytes;
    const int64_t before = (box - kLineBytes % box) % box;  // of the box that a last vector begins in
    const int64_t last_row = kLineBytes - (kLineBytes + before) / box * bytes;  // where its boxes begin in a row
    for (int64_t at = 0; at < kLineBytes; ++at) {
      SetRows(joined, bytes, at, at, 0);
      SetRows(joined_last, bytes, at, at + before, last_row);
    }
    joined_bytes[bytes] = kLineBytes / box * bytes;
  }
  static constexpr void SetRows(OfJoined& tables, int64_t bytes, int64_t at, int64_t in_boxes, int64_t in_row) {
    const int64_t from = in_row + in_boxes / (kRows * bytes) * bytes + in_boxes % bytes;
    for (int64_t k = 1; k < kRows; ++k) {
      const int64_t kept = k == 1 ? from : at;
      tables[k - 1][bytes][at] = static_cast<uint8_t>(in_boxes / bytes % kRows == k ? kLineBytes + from : kept);
    }
  }

  constexpr void SetSplit(int64_t bytes) {
    const int64_t before = (bytes - kHalfLineBytes % bytes) % bytes;
    const int64_t first = 2 * kLineBytes - bytes - ((kHalfLineBytes + before) / bytes - 1) * kRows * bytes;
    const int64_t in_two = (2 * kLineBytes - bytes) / (kRows * bytes) + 1;
    split_runs[bytes] = HWY_MIN(in_two, kLineBytes / bytes);
    split_half_runs[bytes] = HWY_MIN(in_two, kHalfLineBytes / bytes);
    for (int64_t at = 0; at < split_runs[bytes] * bytes; ++at) {
      split[bytes][at] = static_cast<uint8_t>(at / bytes * kRows * bytes + at % bytes);
    }
    for (int64_t at = 0; at < kHalfLineBytes; ++at) {
      split_last[bytes][at] =
          static_cast<uint8_t>(first + (at + before) / bytes * kRows * bytes + (at + before) % bytes);
    }
  }

  alignas(kLineBytes) OfJoined joined = {};
  alignas(kLineBytes) OfJoined joined_last = {};
  alignas(kLineBytes) OfSplit split = {};
  alignas(kLineBytes) OfSplit split_last = {};
  // What is moved at once: so many bytes of each row, and runs that a vector or half of one has.
  int64_t joined_bytes[MostJoined(kRows) + 1] = {};
  int64_t split_runs[MostSplit(kRows) + 1] = {};
  int64_t split_half_runs[MostSplit(kRows) + 1] = {};
};
template <int64_t kRows>
constexpr RunTables<kRows> kRunTables = {};

using RunTag = hn::ScalableTag<uint8_t>;
using RunVector = hn::VFromD<RunTag>;

// The first `n` bytes of a vector, less than all; others are 0.
HWY_INLINE RunVector LoadBytes(const uint8_t* p, int64_t n) {
  return RunVector{_mm512_maskz_loadu_epi8((uint64_t{1} << n) - 1, p)};
}

// What is joined of the vectors that load(k) has of each row.
template <int64_t kRows, class Load>
HWY_INLINE RunVector JoinRows(const Load& load, const typename RunTables<kRows>::OfJoined& tables, int64_t bytes) {
  RunVector joined = load(0);
  for (int64_t k = 1; k < kRows; ++k) joined = FromTwo(joined, load(k), tables[k - 1][bytes]);
  return joined;
}

// The runs of rows that are dense, `n` bytes each, at least a vector, one of each row after the other.
template <int64_t kRows>
HWY_NOINLINE void JoinRuns(const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst, int64_t bytes,
                           int64_t n) {
  const RunTag d;
  const auto& tables = kRunTables<kRows>;
  const int64_t step = tables.joined_bytes[bytes];
  const auto load_at = [=](int64_t at) { return [=](int64_t k) { return hn::LoadU(d, src + k * is + at); }; };
  int64_t at = 0;
  for (; at + kLineBytes <= n; at += step) {
    hn::StoreU(JoinRows<kRows>(load_at(at), tables.joined, bytes), d, dst + kRows * at);
  }
  for (; kRows * at + kLineBytes <= kRows * n; at += step) {
    const auto load_rest = [=](int64_t k) { return LoadBytes(src + k * is + at, n - at); };
    hn::StoreU(JoinRows<kRows>(load_rest, tables.joined, bytes), d, dst + kRows * at);
  }
  if (at >= n) return;
  const RunVector last = JoinRows<kRows>(load_at(n - kLineBytes), tables.joined_last, bytes);
  hn::StoreU(last, d, dst + kRows * n - kLineBytes);
}

// Runs that are kRows * bytes apart, at least two vectors of the source and half of one of runs, to where they adjoin.
template <int64_t kRows>
HWY_NOINLINE void SplitRuns(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, int64_t bytes, int64_t runs) {
  const RunTag d;
  const hn::Half<RunTag> half;
  const auto& tables = kRunTables<kRows>;
  const int64_t is = kRows * bytes;
  const int64_t span = (runs - 1) * is + bytes;
  const uint8_t* const split = tables.split[bytes];
  const int64_t step = tables.split_runs[bytes];
  const int64_t half_step = tables.split_half_runs[bytes];
  int64_t i = 0;
  for (; i * is + 2 * kLineBytes <= span && i * bytes + kLineBytes <= runs * bytes; i += step) {
    const uint8_t* const from = src + i * is;
    hn::StoreU(FromTwo(hn::LoadU(d, from), hn::LoadU(d, from + kLineBytes), split), d, dst + i * bytes);
  }
  for (; i * bytes + kHalfLineBytes <= runs * bytes; i += half_step) {
    const uint8_t* const from = src + i * is;
    const int64_t left = span - i * is;
    const RunVector a = left < kLineBytes ? LoadBytes(from, left) : hn::LoadU(d, from);
    const int64_t more = HWY_MIN(left - kLineBytes, kLineBytes - 1);  // the last byte is of no whole run
    const RunVector b = more > 0 ? LoadBytes(from + kLineBytes, more) : a;
    hn::StoreU(hn::LowerHalf(half, FromTwo(a, b, split)), half, dst + i * bytes);
  }
  if (i >= runs) return;
  const uint8_t* const end = src + span;
  const auto last =
      FromTwo(hn::LoadU(d, end - 2 * kLineBytes), hn::LoadU(d, end - kLineBytes), tables.split_last[bytes]);
  hn::StoreU(hn::LowerHalf(half, last), half, dst + runs * bytes - kHalfLineBytes);
}

// The two for runs that adjoin in the destination along inner[1]: false, and nothing is done, where they are of others.
template <int64_t kRows>
HWY_INLINE bool JoinsRuns(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  const Axis rows = args.inner[1];
  const Axis runs = args.inner[2];
  const bool dense = runs.is == bytes && runs.os == rows.n * bytes;
  if (!dense || rows.n != kRows || bytes > MostJoined(kRows) || runs.n * bytes < kLineBytes) return false;
  JoinRuns<kRows>(src, rows.is, dst, bytes, runs.n * bytes);
  return true;
}
template <int64_t kRows>
HWY_INLINE bool SplitsRuns(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  const Axis runs = args.inner[1];
  const Axis y = args.inner[2];
  if (runs.is != kRows * bytes || bytes > MostSplit(kRows) || runs.n * bytes < kFewestSplitBytes) return false;
  for (int64_t j = 0; j < y.n; ++j) SplitRuns<kRows>(src + j * y.is, dst + j * y.os, bytes, runs.n);
  return true;
}

#endif

// Moves runs that adjoin in the destination along inner[1] by permutations. False, and nothing is done, where there are
// none for them.
HWY_INLINE bool PermutesRuns([[maybe_unused]] const uint8_t* src, [[maybe_unused]] uint8_t* dst,
                             [[maybe_unused]] const KernelArgs& args) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  if (args.inner[1].os != args.inner[0].n) return false;
  return JoinsRuns<2>(src, dst, args) || JoinsRuns<3>(src, dst, args) || JoinsRuns<4>(src, dst, args) ||
         SplitsRuns<2>(src, dst, args) || SplitsRuns<3>(src, dst, args) || SplitsRuns<4>(src, dst, args);
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
