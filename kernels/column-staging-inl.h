// SPDX-License-Identifier: Apache-2.0
// Columns that are gathered in scratch and streamed one by one.
//
// Composite boxes. Where rows or columns are few, a second axis joins them: rows that continue the destination's run,
// columns that continue the source's. A short run or a short row would cost memory as much as a long one.
//
// Phase and carry. Staged columns begin with a line, wherever the destination's do, so that no store to scratch cuts
// one: what streams out loads across lines instead (1000x1000 floats with vectors of 32 bytes 0.8 of the time of stages
// with the destination's phase, 1024x1024 at 16 bytes past a line 0.67). The line that a run ends in is not complete:
// it is carried to before the staged column, where the next run continues it. Only the first and the last line of a
// destination column are ever written by ordinary stores.
//
// What streams out is a function of its own. Inlined, it competes with the gather for registers: up to 1.4 times as
// slow, and what is slow changes with each edit.
#if defined(DIMORDER_KERNELS_COLUMN_STAGING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_COLUMN_STAGING_INL_H_
#undef DIMORDER_KERNELS_COLUMN_STAGING_INL_H_
#else
#define DIMORDER_KERNELS_COLUMN_STAGING_INL_H_
#endif

#include "kernels/source-ahead-inl.h"
#include "kernels/staged-run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Columns of Cells, which are Bytes() bytes each: elements or runs. It goes along the rows in steps, each of which
// fills a run of every column. Gather(src, rows, stage, columns, args) puts rows[i] of columns[c] to stage + i *
// Bytes() + c * columns.os. kAhead is where the source of the next step is asked for.
template <class Cells>
class ColumnStaging {
 public:
  HWY_INLINE ColumnStaging(Cells cells, const uint8_t* src, uint8_t* dst, const KernelArgs& args)
      : cells_(cells),
        src_(src),
        dst_(dst),
        args_(args),
        composite_(args.inner[2].n > 1),
        along_(args.inner[composite_ ? 2 : 0]),
        unit_(composite_ ? args.inner[0].n * cells.Bytes() : cells.Bytes()),
        pitch_(StagePitch(args.run)),
        part_bytes_(args.inner[1].n * pitch_),
        step_(StepsOfRun()),
        carries_(step_ * unit_ % kLineBytes == 0) {}

  HWY_INLINE void Run() {
    const int64_t is = args_.inner[0].is;
    const bool page_each = is >= kPageBytes || is <= -kPageBytes;
    if (!page_each) return Steps<SourceAhead<Cells::kAhead>>();
    is % kLineBytes != 0 && cells_.Bytes() >= kCutCell ? Steps<RowsAhead<Level::kL1>>()
                                                       : Steps<RowsAhead<Cells::kAhead>>();
  }

 private:
  static constexpr int64_t kWarmColumns = 8;
  // Of such cells, rows that are far apart and cut lines are better asked for into L1 (4093x4099 floats 0.95, doubles
  // 0.85 of the time).
  static constexpr int64_t kCutCell = 4;

  template <class Ahead>
  HWY_INLINE void Steps() {
    const int64_t parts = args_.inner[3].n;
    for (int64_t i = 0; i < along_.n; i += step_) {
      const int64_t n = HWY_MIN(step_, along_.n - i);
      Ahead ahead = AheadOf<Ahead>(i, n);
      for (int64_t part = 0; part < parts; ++part) Gather(i, n, part);
      for (int64_t part = 0; part < parts; ++part) StreamOut(i, n, part, &ahead);
    }
  }

  // Steps of along_ that make a run: near equal shares, and whole lines where single rows are to be had and
  // a run has room for them.
  HWY_INLINE int64_t StepsOfRun() const {
    const int64_t line_rows = LineColumns(cells_.Bytes());
    int64_t most = HWY_MAX(args_.run / unit_, 1);
    if (along_.n <= most) return along_.n;
    const bool whole = !composite_ && most >= line_rows;
    if (whole) most -= most % line_rows;
    const int64_t shares = (along_.n + most - 1) / most;
    const int64_t share = (along_.n + shares - 1) / shares;
    return whole ? (share + line_rows - 1) / line_rows * line_rows : share;
  }

  // The first column of a part, that is, of the columns of one step of inner[3], from step i of along_ on.
  HWY_INLINE uint8_t* DstOf(int64_t i, int64_t part) const { return dst_ + i * unit_ + part * args_.inner[3].os; }
  // Where it is staged.
  HWY_INLINE uint8_t* StageOf(int64_t part) const { return args_.scratch + kLineBytes + part * part_bytes_; }

  HWY_NOINLINE void Gather(int64_t i, int64_t n, int64_t part) const {
    const Axis rows = args_.inner[0];
    const uint8_t* src = src_ + i * along_.is + part * args_.inner[3].is;
    uint8_t* stage = StageOf(part);
    const Axis some = {composite_ ? rows.n : n, rows.is, cells_.Bytes()};
    const Axis columns = {args_.inner[1].n, cells_.Bytes(), pitch_};
    for (int64_t k = 0; k < (composite_ ? n : 1); ++k) {
      cells_.Gather(src, some, stage, columns, args_);
      src += along_.is;
      stage += unit_;
    }
  }

  // The source of the next step, or, after the last one, of the next call's first.
  template <class Ahead>
  HWY_INLINE Ahead AheadOf(int64_t i, int64_t n) const {
    const bool last = i + n == along_.n;
    const int64_t parts = args_.inner[3].n;
    const int64_t row_bytes = args_.inner[1].n * parts * cells_.Bytes();
    const Axis next = {HWY_MIN(step_, last ? along_.n : along_.n - i - n), along_.is, 0};
    return Ahead(last ? args_.next : src_ + (i + n) * along_.is, composite_ ? args_.inner[0] : next,
                 composite_ ? next : Axis{1, 0, 0}, row_bytes, parts * args_.inner[1].n);
  }

  // Asks for the page of a run that is streamed out soon, where it is a new one. Streaming stores wait for page walks
  // in order, one by one; prefetches overlap theirs (with the rows that are asked for side by side, 4096x4096 of 4
  // bytes 0.75 of the time).
  HWY_INLINE void WarmPage(const uint8_t* dst, size_t bytes, bool first) const {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(dst);
    const bool enters = (begin - 1) / kPageBytes != (begin + bytes - 1) / kPageBytes;
    if (enters || (first && args_.inner[1].os >= kPageBytes)) hwy::Prefetch(dst + bytes - 1);
  }

  template <class Ahead>
  HWY_NOINLINE void StreamOut(int64_t i, int64_t n, int64_t part, Ahead* next) const {
    typename Ahead::Held ahead = *next;
    StagedRun run = {StageOf(part), DstOf(i, part), static_cast<size_t>(n * unit_), i == 0 || !carries_,
                     i + n == along_.n || !carries_};
    for (int64_t c = 0; c < args_.inner[1].n; ++c) {
      ahead.Ask();
      if (Ahead::kPageEach && c + kWarmColumns < args_.inner[1].n)
        WarmPage(run.dst + kWarmColumns * args_.inner[1].os, run.bytes, i == 0);
      StreamStaged(run, [] {});
      run.stage += pitch_;
      run.dst += args_.inner[1].os;
    }
    *next = ahead;
  }

  const Cells cells_;
  const uint8_t* const src_;
  uint8_t* const dst_;
  const KernelArgs& args_;
  const bool composite_;      // inner[2] continues the rows
  const Axis along_;          // what steps go along: inner[2] of a composite box, else inner[0]
  const int64_t unit_;        // destination bytes of one step of along_
  const int64_t pitch_;       // from one staged column to the next
  const int64_t part_bytes_;  // from one staged part to the next
  const int64_t step_;        // steps of along_ that make a run
  const bool carries_;        // runs are whole lines, so that the unfinished line of one can wait for the next
};

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_COLUMN_STAGING_INL_H_
