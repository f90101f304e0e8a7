// SPDX-License-Identifier: Apache-2.0
// Source that is asked for while lines are streamed.
#if defined(DIMORDER_KERNELS_SOURCE_AHEAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_SOURCE_AHEAD_INL_H_
#undef DIMORDER_KERNELS_SOURCE_AHEAD_INL_H_
#else
#define DIMORDER_KERNELS_SOURCE_AHEAD_INL_H_
#endif

#include "kernels/staged-run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Rows of source that are asked for before they are needed, and how far that has come.
class RowsToAsk {
 protected:
  // `more` times `rows` rows of `bytes` bytes, to be asked for in `calls` calls; nothing where `src` is null.
  HWY_INLINE RowsToAsk(const uint8_t* src, Axis rows, Axis more, int64_t bytes, int64_t calls)
      : group_(src), row_(src), rows_(rows), more_(more), bytes_(bytes) {
    if (rows.is == bytes) {
      bytes_ *= rows.n;
      rows_.n = 1;
    }
    rows_left_ = rows_.n;
    if (src == nullptr) more_.n = 0;
    lines_ = (rows_.n * more.n * (bytes_ / kLineBytes + 1) + calls - 1) / calls;
  }

  HWY_INLINE void NextRows(int64_t n) {
    offset_ = 0;
    row_ += n * rows_.is;
    rows_left_ -= n;
    if (rows_left_ > 0) return;
    rows_left_ = rows_.n;
    group_ += more_.is;
    row_ = group_;
    --more_.n;
  }

  const uint8_t* group_;
  const uint8_t* row_;
  Axis rows_;
  Axis more_;
  int64_t bytes_;
  int64_t rows_left_;
  int64_t lines_;  // of each call
  int64_t offset_ = 0;
};

// Asks for the source of the next run while this one is streamed out, a few lines at a time: without it reads and
// writes take turns, and each leaves the memory bus half idle. (Asking while gathering, too, was slower.)
template <Level kLevel>
class SourceAhead : RowsToAsk {
 public:
  // Where it is while lines are streamed: in memory. In registers, 8x112x112x64 bytes to planes took 1.05 to 1.15 times
  // as long while their source was in the last level of the cache. Why is not known; asking as slowly did not mend it.
  using Held = SourceAhead&;
  static constexpr bool kPageEach = false;

  HWY_INLINE SourceAhead(const uint8_t* src, Axis rows, Axis more, int64_t bytes, int64_t calls)
      : RowsToAsk(src, rows, more, bytes, calls) {}

  HWY_INLINE void Ask() {
    for (int64_t i = 0; i < lines_ && more_.n > 0; ++i) AskLine();
  }

  HWY_INLINE void AskLine() {
    if (more_.n <= 0) return;
    AskFor<kLevel>(row_ + offset_);
    offset_ += kLineBytes;
    if (offset_ >= bytes_) NextRows(1);
  }
};

// The same with a few rows side by side: where each is on a page of its own, their page walks and the first lines,
// before the memory's own read-ahead sets in, would be waited for one by one. (2 rows gained half as much, 8 were
// sometimes slower than 4. A class of its own, since moves of adjoining rows took 1.05 to 1.25 times as long with this
// one.)
template <Level kLevel>
class RowsAhead : RowsToAsk {
 public:
  // In registers: loaded anew after each line stored it cost up to 8 percent.
  using Held = RowsAhead;
  static constexpr bool kPageEach = true;

  HWY_INLINE RowsAhead(const uint8_t* src, Axis rows, Axis more, int64_t bytes, int64_t calls)
      : RowsToAsk(src, rows, more, bytes, calls), line_(src) {}

  HWY_INLINE void Ask() {
    for (int64_t i = 0; i < lines_ && more_.n > 0; ++i) {
      AskFor<kLevel>(line_);
      if (++abreast_ < HWY_MIN(kRowsAbreast, rows_left_)) {
        line_ += rows_.is;
      } else {
        NextLine();
      }
    }
  }

 private:
  static constexpr int64_t kRowsAbreast = 4;

  HWY_INLINE void NextLine() {
    abreast_ = 0;
    offset_ += kLineBytes;
    if (offset_ >= bytes_) NextRows(kRowsAbreast);
    line_ = row_ + offset_;
  }

  const uint8_t* line_;  // what is asked for next
  int64_t abreast_ = 0;
};

// Streams a part of a long run, and asks for a few lines of the source after every few.
constexpr int64_t kAskEvery = 8;
template <class Ahead>
HWY_NOINLINE void StreamAskingSome(const StagedRun& run, Ahead* ahead) {
  int64_t until = 1;
  StreamStaged(run, [&] {
    if (--until > 0) return;
    until = kAskEvery;
    ahead->Ask();
  });
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_SOURCE_AHEAD_INL_H_
