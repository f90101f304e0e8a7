// SPDX-License-Identifier: Apache-2.0
// The columns of kStage that adjoin in the destination, which are staged together: all of a box is one run. Three ways,
// by what of the rows is gathered at a time: a few columns of short boxes, one line, or parts as long as the plan says.
#if defined(DIMORDER_KERNELS_ADJOINING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_ADJOINING_INL_H_
#undef DIMORDER_KERNELS_ADJOINING_INL_H_
#else
#define DIMORDER_KERNELS_ADJOINING_INL_H_
#endif

#include <type_traits>

#include "kernels/source-ahead-inl.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Adjoining columns ask after each line that is streamed where rows are few, and long (images of up to 16 channels in
// 0.9 to 0.97 of the time of eight), or one line of each is staged at a time; else after eight at once (line by line
// 1.05 to 1.17 times as long).
constexpr int64_t kFewRows = 16;

// Streams a part of one long run, and asks for a line of the source after each.
HWY_NOINLINE void StreamAskingEach(const StagedRun& run, SourceAhead<Level::kL2>* ahead) {
  StreamStaged(run, [ahead] { ahead->AskLine(); });
}

// Adjoining columns that are gathered at a time: so many bytes, and whole microtiles.
constexpr int64_t kGroupBytes = 512;

// How many they are, where a box is short and its rows are one panel; else 0. There is scratch for so many and a
// microtile more.
template <class T>
HWY_INLINE int64_t GroupColumns(const KernelArgs& args) {
  constexpr int64_t kCols = kBlockLanes<T>;
  const int64_t rows = args.inner[0].n;
  const int64_t tile_bytes = kCols * args.inner[1].os;
  const int64_t room = AdjoiningColumns(args.run, args.inner[1].os) - kCols;
  const bool tall = args.panel >= rows && args.pack == nullptr;
  if (!tall || !IsShortBox(args.inner, sizeof(T)) || args.inner[1].n < kCols || room < kCols) return 0;
  return HWY_MIN((kGroupBytes / tile_bytes + 1) * kCols, room);
}

// Adjoining columns, a few at a time, whose lines go out at once: so gathering and memory overlap (600 boxes of 26x27
// floats 2.3 -> 1.75 times a copy). In a prototype 1 KB was up to 1.1 times as slow, 256 bytes up to 1.15.
template <class T>
HWY_NOINLINE void StageFew(const uint8_t* src, uint8_t* dst, const KernelArgs& args, int64_t group) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  const Axis rows = args.inner[0];
  const Axis cols = args.inner[1];
  SourceAhead<Level::kL1> ahead(args.next, rows, Axis{1, 0, 0}, cols.n * kSize, cols.n / group + 1);
  StagedRun run = {args.scratch + kLineBytes, dst, 0, true, false};
  int64_t n = group;
  for (int64_t c = 0; c < cols.n; c += n) {
    if (cols.n - c < n + kCols) n = cols.n - c;  // no rest of less than a microtile
    WithFilled(WideTag<T>(), rows.n, [&](auto d) {
      for (int64_t i = 0; i < n; i += kCols) {
        const int64_t col = HWY_MIN(i, n - kCols);
        TilesDown<1, 0>(d, src + (c + col) * kSize, run.stage + col * cols.os, rows.n, rows.is, cols.os);
      }
    });
    ahead.Ask();
    StreamNext(&run, static_cast<size_t>(n * cols.os), c + n == cols.n);
  }
}

// A line of each row that will be read later, unless `src` is null: what is the next but one or farther away is asked
// for into L2.
struct LaterLine {
  const uint8_t* src;
  bool is_far;

  // Of the rows [from, to).
  HWY_INLINE void Ask(int64_t is, int64_t from, int64_t to) const {
    if (src == nullptr) return;
    for (int64_t i = from; i < to; ++i) is_far ? AskFor<Level::kL2>(src + i * is) : AskFor<Level::kL1>(src + i * is);
  }
};

// The columns of one line of each source row, at least L of them, to `stage`; `later` is asked for.
template <class T>
HWY_INLINE void GatherLine(const uint8_t* src, const LaterLine& later, const Axis& rows, uint8_t* stage, int64_t os,
                           int64_t cols) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  WithFilled(WideTag<T>(), rows.n, [&](auto d) {
    const int64_t kRows = static_cast<int64_t>(hn::Lanes(d));
    for (int64_t r = 0; r < rows.n; r += kRows) {
      const int64_t row = HWY_MIN(r, rows.n - kRows);
      later.Ask(rows.is, r, HWY_MIN(r + kRows, rows.n));
      for (int64_t c = 0; c < cols; c += kCols) {
        const int64_t col = HWY_MIN(c, cols - kCols);
        MicroTile(d, SourceRows<T>{src + row * rows.is + col * kSize, rows.is},
                  StoreColumns{stage + col * os + row * kSize, os});
      }
    }
  });
}

// Where to ask for the line that is args.ahead bytes after the one before `src`, of whose row `left` bytes are left: by
// its last byte, since few rows begin with a line. Or, beyond the row, in the box of the next call; null without one.
HWY_INLINE const uint8_t* LineAhead(const uint8_t* src, int64_t left, const KernelArgs& args) {
  const int64_t at = args.ahead - kLineBytes;
  if (at < left) return src + at + kLineBytes - 1;
  return args.next == nullptr ? nullptr : args.next + (at - left);
}

// Adjoining columns that are no whole lines, but those of one line of each source row are: all that has been read is
// used up, and goes out at once (100 channels of 1, 2 and 4 bytes 2.2 -> 1.5, 1.7 -> 1.3, 1.9 -> 1.3 times a copy; 17
// to 50 channels 1.0 -> 0.87).
template <class T>
HWY_NOINLINE void StageByLines(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kCols = kBlockLanes<T>;
  constexpr int64_t kLineCols = kLineBytes / kSize;
  const Axis rows = args.inner[0];
  const Axis cols = args.inner[1];
  StagedRun run = {args.scratch + kLineBytes, dst, 0, true, false};
  int64_t end = kLineCols - static_cast<int64_t>(reinterpret_cast<uintptr_t>(src) % kLineBytes) / kSize;
  for (int64_t c = 0; c < cols.n; c = end, end += kLineCols) {
    if (end - c < kCols) end += kLineCols;
    if (cols.n - end < kCols) end = cols.n;
    const LaterLine later = {LineAhead(src + end * kSize, (cols.n - end) * kSize, args), args.ahead > kLineBytes};
    GatherLine<T>(src + c * kSize, later, rows, run.stage, cols.os, end - c);
    StreamNext(&run, static_cast<size_t>((end - c) * cols.os), end == cols.n);
  }
}

// Whether they are staged so: where the plan asks for it, microtiles fit, and the columns of one fill a line.
template <class T>
HWY_INLINE bool StagesByLines(const KernelArgs& args) {
  const Axis* inner = args.inner;
  const bool tiles = inner[0].n >= kBlockLanes<T> && inner[1].n >= kBlockLanes<T>;
  const bool asked = args.run == LineByLineRun(inner[1].os, sizeof(T)) && inner[1].os % kLineBytes != 0;
  return asked && tiles && kBlockLanes<T> * inner[1].os >= kLineBytes;
}

// Adjoining columns: all of the box is one run.
template <class T>
HWY_NOINLINE void StageParts(const uint8_t* box_src, uint8_t* dst, const KernelArgs& args) {
  constexpr int64_t kSize = sizeof(T);
  const Axis rows = args.inner[0];
  const Axis cols = args.inner[1];
  const int64_t step = AdjoiningColumns(args.run, cols.os);
  const bool by_lines = step * kSize == kLineBytes && cols.os % kLineBytes == 0;
  const bool ask_each = by_lines || rows.n <= kFewRows;
  const int64_t asked_byte = ask_each ? kLineBytes - 1 : 0;  // the line that the first one is in was here already
  uint8_t* stage = args.scratch + kLineBytes;
  int64_t n = step;
  if (by_lines) n -= reinterpret_cast<uintptr_t>(box_src) % kLineBytes / kSize;  // the others begin with a line
  for (int64_t c = 0; c < cols.n; c += n, n = step) {
    n = HWY_MIN(n, cols.n - c);
    const uint8_t* src = box_src + c * kSize;
    GatherElements<T>(src, rows, stage, Axis{n, kSize, cols.os}, args);
    SourceAhead<Level::kL2> ahead(c + n < cols.n ? src + n * kSize + asked_byte : args.next, rows, Axis{1, 0, 0},
                                  n * kSize, n * cols.os / kLineBytes / kAskEvery + 1);
    const auto bytes = static_cast<size_t>(n * cols.os);
    const StagedRun run = {stage, dst + c * cols.os, bytes, c == 0, c + n == cols.n};
    ask_each ? StreamAskingEach(run, &ahead) : StreamAskingSome(run, &ahead);
  }
}

template <class T>
HWY_INLINE void StageAdjoining(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  if constexpr (std::is_integral_v<T>) {
    if (const int64_t group = GroupColumns<T>(args); group != 0) return StageFew<T>(src, dst, args, group);
    if (StagesByLines<T>(args)) return StageByLines<T>(src, dst, args);
  }
  StageParts<T>(src, dst, args);
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_ADJOINING_INL_H_
