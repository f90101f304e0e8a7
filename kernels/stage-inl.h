// SPDX-License-Identifier: Apache-2.0
// Family kStage: a transpose that reaches memory as whole cache lines, past the caches.
//
// A transpose beyond the caches that stores directly reads each destination line before it writes it, and writes it in
// pieces. Here a run of kStageRunBytes of every destination column is gathered in scratch first (which stays in L2),
// then streamed out line by line. Direct non-temporal stores from the microtile were slower: 32 bytes a line at a time
// leave write-combining buffers half full.
//
// Phase and carry. Staged column c lies at the same offset within a line as destination column c, so lines in scratch
// are lines of the destination. The line that a run ends in is not complete: it is carried to the front of the staged
// column, where the next run continues it. Only the first and the last line of a destination column are ever written
// by ordinary stores.
#if defined(DIMORDER_KERNELS_STAGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_STAGE_INL_H_
#undef DIMORDER_KERNELS_STAGE_INL_H_
#else
#define DIMORDER_KERNELS_STAGE_INL_H_
#endif

#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Part of a destination column: `bytes` bytes for `dst`, staged at `stage`, which has the same phase.
struct StagedRun {
  uint8_t* stage;
  uint8_t* dst;
  size_t bytes;
  bool first;  // nothing is carried: bytes before dst in its line are not ours
  bool last;   // nothing follows: the unfinished line is ours to write
};

HWY_INLINE void StreamStaged(const StagedRun& run) {
  const size_t phase = reinterpret_cast<uintptr_t>(run.dst) % kLineBytes;
  const size_t end = phase + run.bytes;  // relative to the line that dst is in
  uint8_t* stage = run.stage - phase;
  uint8_t* dst = run.dst - phase;
  size_t i = 0;
  if (run.first && phase != 0 && end >= kLineBytes) {
    CopyBelow64(stage + phase, dst + phase, kLineBytes - phase);
    i = kLineBytes;
  }
  for (; i + kLineBytes <= end; i += kLineBytes) StreamLine(stage + i, dst + i);
  if (run.last) {
    const size_t from = run.first && i == 0 ? phase : i;
    CopyBelow64(stage + from, dst + from, end - from);
  } else if (i != 0) {
    memcpy(stage, stage + i, kLineBytes);
  }
}

// Rows gathered at a time: whole lines of the destination, near equal shares, at most kStageRunBytes.
template <class T>
HWY_INLINE int64_t StageRows(int64_t rows) {
  constexpr int64_t kMaxRows = kStageRunBytes / static_cast<int64_t>(sizeof(T));
  constexpr int64_t kLineRows = kLineBytes / static_cast<int64_t>(sizeof(T));
  const int64_t shares = (rows + kMaxRows - 1) / kMaxRows;
  const int64_t share = (rows + shares - 1) / shares;
  return (share + kLineRows - 1) / kLineRows * kLineRows;
}

// Asks for the source of the next run while this one is streamed out, a few lines at a time: without it reads and
// writes take turns, and each leaves the memory bus half idle.
class SourceAhead {
 public:
  // `rows` rows, `is` bytes apart, of `bytes` bytes, to be asked for in `calls` calls.
  HWY_INLINE SourceAhead(const uint8_t* src, int64_t is, int64_t rows, int64_t bytes, int64_t calls)
      : row_(src), is_(is), rows_(rows), bytes_(bytes), lines_((rows * (bytes / kLineBytes + 1) + calls - 1) / calls) {}

  HWY_INLINE void Ask() {
    for (int64_t i = 0; i < lines_ && rows_ > 0; ++i) {
      hwy::Prefetch(row_ + offset_);
      offset_ += kLineBytes;
      if (offset_ < bytes_) continue;
      offset_ = 0;
      row_ += is_;
      --rows_;
    }
  }

 private:
  const uint8_t* row_;
  int64_t is_;
  int64_t rows_;
  int64_t bytes_;
  int64_t lines_;
  int64_t offset_ = 0;
};

template <class T>
HWY_INLINE void StageBox(const Box& box, uint8_t* scratch) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t pitch = kStagePitch + box.os % kLineBytes;
  uint8_t* stage = scratch + reinterpret_cast<uintptr_t>(box.dst) % kLineBytes;
  const int64_t step = StageRows<T>(box.rows);
  for (int64_t r = 0; r < box.rows; r += step) {
    const int64_t rows = HWY_MIN(step, box.rows - r);
    TransposeBox<T>(Box{box.src + r * box.is, stage, rows, box.cols, box.is, pitch, box.panel});
    StagedRun run = {stage, box.dst + r * kSize, static_cast<size_t>(rows * kSize), r == 0, r + rows == box.rows};
    const bool last = r + rows == box.rows;
    SourceAhead ahead(last ? box.src + box.cols * kSize : box.src + (r + rows) * box.is, box.is,
                      HWY_MIN(step, last ? box.rows : box.rows - r - rows), box.cols * kSize, box.cols);
    for (int64_t c = 0; c < box.cols; ++c) {
      ahead.Ask();
      StreamStaged(run);
      run.stage += pitch;
      run.dst += box.os;
    }
  }
}

template <class T>
void Stage(const KernelArgs& args) {
  ForEachBox(args, [&](const Box& box) { StageBox<T>(box, args.scratch); });
  hwy::FlushStream();
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_STAGE_INL_H_
