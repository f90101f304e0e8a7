// SPDX-License-Identifier: Apache-2.0
// Columns that are staged in groups, which take turns along the rows.
//
// ColumnStaging fills half of L2 with the runs of many columns, and then streams them: reads and writes take turns, and
// both go by way of L2. Here a group is what one or two lines of each row make, so that its stage is in L1, and a next
// one is asked for, row by row, while the rows of this one are gathered. Reads go on while lines are streamed, and each
// line of the source comes to L1 once: 3000x5000 floats 2.0 -> 1.4 times a copy, 601x601 doubles 2.1 -> 1.35. (Asking
// while lines are streamed, or for four lines of each row, was slower, up to 1.5 times; a stage of its own for each
// column of a pass took back more than half of the gain.)
//
// Between the runs of a column lie those of all other groups, so what a run has of its last line waits in a place of
// its own. It comes back to the stage before the group is gathered: a line that is stored and loaded at once waits
// until all streamed before it has left the core (1.05 times as long).
#if defined(DIMORDER_KERNELS_GROUP_STAGING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_GROUP_STAGING_INL_H_
#undef DIMORDER_KERNELS_GROUP_STAGING_INL_H_
#else
#define DIMORDER_KERNELS_GROUP_STAGING_INL_H_
#endif

#include "kernels/staged-run-inl.h"
#include "kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

template <class T>
class GroupStaging {
 public:
  HWY_INLINE GroupStaging(const uint8_t* src, uint8_t* dst, const KernelArgs& args)
      : src_(src),
        dst_(dst),
        args_(args),
        rows_(args.inner[0]),
        cols_(args.inner[1]),
        step_(args.run / kLineBytes * (kLineBytes / kSize)),
        pitch_(StagePitch(args.run)),
        stage_(args.scratch + kLineBytes),
        carried_(stage_ + args.group * pitch_),
        cuts_((reinterpret_cast<intptr_t>(dst) | args.inner[1].os) % kLineBytes != 0) {}

  HWY_INLINE void Run() const {
    for (int64_t r = 0; r < rows_.n; r += step_) {
      for (int64_t c = 0; c < cols_.n; c += args_.group) {
        const Group group = {r, HWY_MIN(step_, rows_.n - r), c, HWY_MIN(args_.group, cols_.n - c)};
        if (cuts_ && r != 0) TakeCarried(group);
        Gather(group);
        StreamOut(group);
      }
    }
  }

 private:
  static constexpr int64_t kSize = sizeof(T);

  // `rows` rows from `row` on of `cols` columns from `col` on.
  struct Group {
    int64_t row;
    int64_t rows;
    int64_t col;
    int64_t cols;
  };

  HWY_INLINE const uint8_t* SourceOf(int64_t row, int64_t col) const { return src_ + row * rows_.is + col * kSize; }
  HWY_INLINE uint8_t* CarriedOf(int64_t col) const { return carried_ + col * kLineBytes; }

  // Where the next group begins, of this call or of the next one; null after the last.
  HWY_INLINE const uint8_t* NextOf(const Group& group) const {
    if (group.col + group.cols < cols_.n) return SourceOf(group.row, group.col + group.cols);
    return group.row + group.rows < rows_.n ? SourceOf(group.row + group.rows, 0) : args_.next;
  }

  // The rows of that.
  HWY_INLINE int64_t NextRowsOf(const Group& group) const {
    const int64_t left = rows_.n - group.row - group.rows;
    const bool goes_down = group.col + group.cols >= cols_.n && left > 0;
    return goes_down ? HWY_MIN(step_, left) : group.rows;
  }

  HWY_INLINE void TakeCarried(const Group& group) const {
    for (int64_t i = 0; i < group.cols; ++i) {
      memcpy(stage_ + i * pitch_ - kLineBytes, CarriedOf(group.col + i), kLineBytes);
    }
  }

  // By the last byte of each line: the line that a row begins in was here for the group before, if there was one.
  HWY_INLINE void AskForRows(const uint8_t* src, int64_t rows) const {
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t at = kLineBytes - 1; at < args_.group * kSize; at += kLineBytes) AskFor<Level::kL2>(src + at);
      src += rows_.is;
    }
  }

  HWY_NOINLINE void Gather(const Group& group) const {
    const uint8_t* src = SourceOf(group.row, group.col);
    const uint8_t* next = NextOf(group);
    const int64_t next_rows = NextRowsOf(group);
    for (int64_t r = 0; r < group.rows; r += args_.panel) {
      const int64_t rows = HWY_MIN(args_.panel, group.rows - r);
      if (next != nullptr) AskForRows(next + r * rows_.is, HWY_MIN(rows, next_rows - r));
      GatherElements<T>(src + r * rows_.is, Axis{rows, rows_.is, kSize}, stage_ + r * kSize,
                        Axis{group.cols, kSize, pitch_}, args_);
    }
  }

  HWY_NOINLINE void StreamOut(const Group& group) const {
    const bool last = group.row + group.rows == rows_.n;
    StagedRun run = {stage_, dst_ + group.row * kSize + group.col * cols_.os, static_cast<size_t>(group.rows * kSize),
                     group.row == 0, last};
    for (int64_t i = 0; i < group.cols; ++i) {
      const size_t end = StreamWhole(run, [] {});
      if (last) {
        StoreRest(run, end);
      } else if (cuts_) {
        memcpy(CarriedOf(group.col + i), run.stage + run.bytes - kLineBytes, kLineBytes);
      }
      run.stage += pitch_;
      run.dst += cols_.os;
    }
  }

  const uint8_t* const src_;
  uint8_t* const dst_;
  const KernelArgs& args_;
  const Axis rows_;
  const Axis cols_;
  const int64_t step_;   // rows that make a run
  const int64_t pitch_;  // from one staged column to the next
  uint8_t* const stage_;
  uint8_t* const carried_;
  const bool cuts_;  // some run ends within a line
};

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_GROUP_STAGING_INL_H_
