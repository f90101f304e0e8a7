// SPDX-License-Identifier: Apache-2.0
// What was gathered in scratch goes past the caches as whole lines, part by part.
#if defined(DIMORDER_KERNELS_STAGED_RUN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_STAGED_RUN_INL_H_
#undef DIMORDER_KERNELS_STAGED_RUN_INL_H_
#else
#define DIMORDER_KERNELS_STAGED_RUN_INL_H_
#endif

#include "kernels/bytes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

// Part of a contiguous run: `bytes` bytes for `dst`, staged at `stage`, before which there is room for a line.
struct StagedRun {
  uint8_t* stage;
  uint8_t* dst;
  size_t bytes;
  bool first;  // nothing is carried: bytes before dst in its line are not ours
  bool last;   // nothing follows: the unfinished line is ours to write
};

// Stores what the part has of its first line, where nothing is carried, and streams whole lines, `after_line` after
// each. Returns where the rest begins, relative to the line that dst is in.
template <class AfterLine>
HWY_INLINE size_t StreamWhole(const StagedRun& run, const AfterLine& after_line) {
  const size_t phase = reinterpret_cast<uintptr_t>(run.dst) % kLineBytes;
  const size_t end = phase + run.bytes;  // relative to the line that dst is in
  uint8_t* stage = run.stage - phase;
  uint8_t* dst = run.dst - phase;
  size_t i = 0;
  if (run.first && phase != 0 && end >= kLineBytes) {
    CopyUpTo64(stage + phase, dst + phase, kLineBytes - phase);
    i = kLineBytes;
  }
  for (; i + kLineBytes <= end; i += kLineBytes) {
    StreamLine(stage + i, dst + i);
    after_line();
  }
  return i;
}

// Stores the rest, from `i` on.
HWY_INLINE void StoreRest(const StagedRun& run, size_t i) {
  const size_t phase = reinterpret_cast<uintptr_t>(run.dst) % kLineBytes;
  const size_t from = run.first && i == 0 ? phase : i;
  CopyUpTo64(run.stage - phase + from, run.dst - phase + from, phase + run.bytes - from);
}

// Both. What the part, of a line or more, has of the line that it ends in, if that is not the last, is carried to
// before its stage, where the next part continues it.
template <class AfterLine>
HWY_INLINE void StreamStaged(const StagedRun& run, const AfterLine& after_line) {
  const size_t i = StreamWhole(run, after_line);
  if (run.last) {
    StoreRest(run, i);
  } else if (i != 0) {
    memcpy(run.stage - kLineBytes, run.stage + run.bytes - kLineBytes, kLineBytes);
  }
}

// The same of the `bytes` that come next of a run whose parts share a stage; `run` goes on after them.
template <class AfterLine>
HWY_INLINE void StreamNext(StagedRun* run, size_t bytes, bool last, const AfterLine& after_line) {
  run->bytes = bytes;
  run->last = last;
  StreamStaged(*run, after_line);
  run->dst += bytes;
  run->first = false;
}
HWY_INLINE void StreamNext(StagedRun* run, size_t bytes, bool last) {
  StreamNext(run, bytes, last, [] {});
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_STAGED_RUN_INL_H_
