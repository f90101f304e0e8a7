// SPDX-License-Identifier: Apache-2.0
// Short runs that adjoin in the destination, along a row or as two to four rows that are interleaved: pixels of blocks
// of a picture, say, that are taken apart (depth to space) or brought together. Stores bound it, so of 4 to 7 bytes two
// go together, of 2 and 3 bytes four: rows of 6 bytes that are taken apart 7.1 -> 4.2 times a copy, of 3 bytes 15.5 ->
// 7.0; four rows of 3 bytes that are brought together 16 -> 6.7. Where they do not, runs gain by one store each instead
// of two: two rows of 6 bytes 7.5 -> 4.7, three of 10 bytes 4.5 -> 3.2.
#if defined(DIMORDER_KERNELS_ADJOINING_RUNS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_ADJOINING_RUNS_INL_H_
#undef DIMORDER_KERNELS_ADJOINING_RUNS_INL_H_
#else
#define DIMORDER_KERNELS_ADJOINING_RUNS_INL_H_
#endif

#include "kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS && !HWY_HAVE_SCALABLE
// A vector of kPart bytes of each run, `is` bytes apart.
template <size_t kPart, class D>
HWY_INLINE hn::VFromD<D> LoadRuns(D d, const uint8_t* HWY_RESTRICT src, int64_t is) {
  if constexpr (hn::MaxLanes(D()) <= kPart) {
    return hn::LoadU(d, src);
  } else {
    const hn::Half<D> half;
    constexpr int64_t kRuns = hn::MaxLanes(half) / kPart;
    return hn::Combine(d, LoadRuns<kPart>(half, src + kRuns * is, is), LoadRuns<kPart>(half, src, is));
  }
}
#endif

// Where runs of so many bytes, each at the start of kPart, go to adjoin.
template <size_t kPart>
struct PlaceTables {
  constexpr PlaceTables() {
    for (size_t bytes = 1; bytes <= kPart; ++bytes) {
      for (size_t i = 0; i < 16; ++i) from[bytes][i] = static_cast<uint8_t>((i / bytes * kPart + i % bytes) % 16);
    }
  }

  alignas(16) uint8_t from[kPart + 1][16] = {};
};
template <size_t kPart>
constexpr PlaceTables<kPart> kPlaceTables = PlaceTables<kPart>();

// How many runs of so many bytes go together: as many as fill a block of 16 bytes. Parts of scalable vectors are not
// joined.
constexpr int64_t Together(size_t part) {
  return DIMORDER_HAVE_VECTORS && !HWY_HAVE_SCALABLE && part < 16 ? static_cast<int64_t>(16 / part) : 1;
}

// Moves kRuns runs of `bytes` bytes, at most kPart, to where they adjoin, and more bytes after them: Together(kPart) at
// once if they are a multiple of that.
template <size_t kPart, int64_t kRuns>
HWY_INLINE void AdjoinRuns(const uint8_t* HWY_RESTRICT src, int64_t is, uint8_t* HWY_RESTRICT dst, int64_t bytes) {
#if DIMORDER_HAVE_VECTORS && !HWY_HAVE_SCALABLE
  if constexpr (Together(kPart) > 1 && kRuns % Together(kPart) == 0) {
    const hn::CappedTag<uint8_t, 16> d;
    const auto from = hn::Load(d, kPlaceTables<kPart>.from[bytes]);
    for (int64_t i = 0; i < kRuns; i += Together(kPart)) {
      hn::StoreU(hn::TableLookupBytes(LoadRuns<kPart>(d, src + i * is, is), from), d, dst + i * bytes);
    }
    return;
  }
#endif
  for (int64_t i = 0; i < kRuns; ++i) CopyPart<kPart>(src + i * is, dst + i * bytes);
}

// Rows of such runs along inner[1], where they adjoin, at each step of inner[2]: the last ones of each row exactly.
// Each is followed by a next one in the source: inner[1].is + bytes >= kPart.
template <size_t kPart>
HWY_NOINLINE void AdjoinRows(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  const Axis runs = args.inner[1];
  const Axis rows = args.inner[2];
  constexpr int64_t kTogether = Together(kPart);
  const int64_t stored = (16 + bytes - 1) / bytes;  // runs that a store has, all or in part
  for (int64_t j = 0; j < rows.n; ++j) {
    const uint8_t* from = src + j * rows.is;
    uint8_t* to = dst + j * rows.os;
    int64_t left = runs.n;
    for (; left >= stored; left -= kTogether) {
      AdjoinRuns<kPart, kTogether>(from, runs.is, to, bytes);
      from += kTogether * runs.is;
      to += kTogether * bytes;
    }
    for (; left > 0; --left) {
      CopyPair<kPart / 2>(from, to, static_cast<size_t>(bytes));
      from += runs.is;
      to += bytes;
    }
  }
}

// Boxes of kRuns runs of kPart / 2 <= bytes <= kPart, at each step of inner[2], all of which adjoin in the destination:
// what a box has too much, the next one overwrites, and the last one is moved exactly. Each run is followed by that of
// the next box in the source: inner[2].is + bytes >= kPart.
template <size_t kPart, int64_t kRuns>
HWY_NOINLINE void AdjoinBoxes(const uint8_t* HWY_RESTRICT src, uint8_t* HWY_RESTRICT dst, const KernelArgs& args) {
  const int64_t bytes = args.inner[0].n;
  const int64_t is = args.inner[1].is;
  const Axis boxes = args.inner[2];
  for (int64_t j = 0; j < boxes.n - 1; ++j) {
    AdjoinRuns<kPart, kRuns>(src, is, dst, bytes);
    src += boxes.is;
    dst += boxes.os;
  }
  for (int64_t i = 0; i < kRuns; ++i) {
    CopyPair<kPart / 2>(src + i * is, dst + i * bytes, static_cast<size_t>(bytes));
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ADJOINING_RUNS_INL_H_
