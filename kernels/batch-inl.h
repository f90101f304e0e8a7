// SPDX-License-Identifier: Apache-2.0
// Family kBatch: short boxes that adjoin in the destination, past the caches.
//
// A box of a few hundred bytes begins and ends within a line: staged by itself it leaves two lines in parts, which
// memory reads before it writes them. Here a few boxes at a time are moved to L1 by whatever family suits them, and all
// lines but the first and the last go out whole (76500 boxes of 9x12 elements of 2 bytes 5.7 -> 2.2 times a copy).
#if defined(DIMORDER_KERNELS_BATCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_BATCH_INL_H_
#undef DIMORDER_KERNELS_BATCH_INL_H_
#else
#define DIMORDER_KERNELS_BATCH_INL_H_
#endif

#include "kernels/pixel-lines-inl.h"
#include "kernels/shuffle-inl.h"
#include "kernels/source-ahead-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

static_assert(kBatchBytes >= 2 * kLineBytes, "a part that is not the last has a line or more");

// The source of the next boxes where they adjoin there, too, or nearly: one line after another. (As boxes it took up
// to 1.2 times as long.)
struct NextLines {
  const uint8_t* line;

  HWY_INLINE NextLines(const uint8_t* src, const Axis&, int64_t, int64_t) : line(src + kLineBytes - 1) {}
  HWY_INLINE void Ask() {
    hwy::Prefetch(line);
    line += kLineBytes;
  }
};

// The same where they do not, `bytes` bytes each, in `calls` calls: 24x2772 boxes of 9x5 floats 7.4 -> 3.2 times a
// copy.
struct NextBoxes : SourceAhead<Level::kL1> {
  HWY_INLINE NextBoxes(const uint8_t* src, const Axis& boxes, int64_t bytes, int64_t calls)
      : SourceAhead(boxes.n > 0 ? src : nullptr, boxes, Axis{1, 0, 0}, bytes + kLineBytes - 1, calls) {}
};

// A move(src, dst, args) of some of the boxes, by pointer: inlined where boxes are batched, the many there are were a
// fifth of the code of 2-byte elements.
class MoveRef {
 public:
  template <class Move>
  HWY_INLINE explicit MoveRef(const Move& move)
      : move_(&move), call_([](const void* m, const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
          (*static_cast<const Move*>(m))(src, dst, args);
        }) {}

  HWY_INLINE void operator()(const uint8_t* src, uint8_t* dst, const KernelArgs& args) const {
    call_(move_, src, dst, args);
  }

 private:
  const void* move_;
  void (*call_)(const void*, const uint8_t*, uint8_t*, const KernelArgs&);
};

// Moves as many boxes to L1 as fill a batch, again and again, and streams them. Each is `span` bytes of the source,
// from its first to its last.
template <class Next>
HWY_NOINLINE void BatchBy(MoveRef move, const uint8_t* box_src, uint8_t* box_dst, const KernelArgs& args,
                          int64_t span) {
  const Axis boxes = args.inner[2];
  const int64_t group = HWY_MAX(kBatchBytes / boxes.os, 1);
  // Within one page: across the end of two, 5x5 elements of 2 bytes took twice as long.
  alignas(kPageBytes) uint8_t lines[2 * kLineBytes + kBatchBytes];
  // Made once: a count that is stored right before it is loaded with its strides waits for what is streamed (3x3 floats
  // by vectors of 32 bytes 1.2 times as long).
  KernelArgs whole = args;
  whole.inner[2].n = group;
  whole.inner[3] = Axis{1, 0, 0};
  KernelArgs rest = whole;
  rest.inner[2].n = boxes.n % group;
  for (int64_t k = 0; k < args.inner[3].n; ++k) {
    const uint8_t* src = box_src + k * args.inner[3].is;
    StagedRun run = {lines + kLineBytes, box_dst + k * args.inner[3].os, 0, true, false};
    for (int64_t i = 0; i < boxes.n; i += group) {
      const int64_t left = boxes.n - i - group;
      move(src + i * boxes.is, run.stage, left >= 0 ? whole : rest);
      const int64_t bytes = HWY_MIN(group, boxes.n - i) * boxes.os;
      Next next(src + (i + group) * boxes.is, Axis{HWY_MIN(group, left), boxes.is, 0}, span, bytes / kLineBytes + 1);
      StreamNext(&run, static_cast<size_t>(bytes), left <= 0, [&next] { next.Ask(); });
    }
  }
}

// Calls use(move) with the family that moves boxes like those of `args`.
template <class T, class Use>
HWY_INLINE void WithFamily(const KernelArgs& args, const Use& use) {
  const int64_t row_bytes = args.inner[1].n * static_cast<int64_t>(sizeof(T));
  if (args.inner[0].is == row_bytes && args.inner[0].n * row_bytes <= kLineBytes) return WithShuffle<T>(args, use);
  const bool planes = IsUnzip<T>(args) && args.inner[0].n >= kBlockLanes<T>;
  use(planes ? &Unzip<T, false> : (IsZip<T>(args) ? &Zip<T, false> : &Tile<T>));
}

template <class T>
void Batch(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  const int64_t span = (args.inner[0].n - 1) * args.inner[0].is + args.inner[1].n * static_cast<int64_t>(sizeof(T));
  const int64_t gap = args.inner[2].is - span;
  const auto batch = gap >= 0 && gap < kLineBytes ? &BatchBy<NextLines> : &BatchBy<NextBoxes>;
  WithFamily<T>(args, [&](const auto& move) { batch(MoveRef(move), src, dst, args, span); });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_BATCH_INL_H_
