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
// Adjoining runs. Where a step takes whole columns, and those of a part adjoin in the destination, they do in scratch,
// too, and go out as one run. Where each column's parts do, the line that a part ends in is carried to the next one.
// Else all would cut lines, which memory reads before it writes them (14x3x24x12x3x28x10 floats, whose columns of 144
// bytes adjoin, 7.3 -> 2.2 times a copy; 8x9x2x20x9x16x14, whose parts of 288 bytes do, 2.9 -> 1.7).
//
// What gathers and what streams out are functions of their own. In one they competed for registers: up to 1.4 times as
// slow, and what was slow changed with each edit.
#if defined(DIMORDER_KERNELS_COLUMN_STAGING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_COLUMN_STAGING_INL_H_
#undef DIMORDER_KERNELS_COLUMN_STAGING_INL_H_
#else
#define DIMORDER_KERNELS_COLUMN_STAGING_INL_H_
#endif

#include "kernels/source-ahead-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// What columns are made of, elements or runs: gather(src, rows, stage, columns, args) puts rows[i] of columns[c] to
// stage + i * bytes + c * columns.os.
struct Cells {
  int64_t bytes;  // of one; rows.os, too
  void (*gather)(const uint8_t* src, Axis rows, uint8_t* stage, Axis columns, const KernelArgs& args);
};

// Columns of cells. It goes along the rows in steps, each of which fills a run of every column.
class ColumnStaging {
 public:
  HWY_INLINE ColumnStaging(const Cells& cells, const uint8_t* src, uint8_t* dst, const KernelArgs& args)
      : cells_(cells),
        src_(src),
        dst_(dst),
        args_(args),
        composite_(args.inner[2].n > 1),
        along_(args.inner[composite_ ? 2 : 0]),
        unit_(composite_ ? args.inner[0].n * cells.bytes : cells.bytes),
        step_(StepsOfRun()),
        carries_(step_ * unit_ % kLineBytes == 0),
        adjoin_(WhatAdjoins()),
        pitch_(adjoin_ == Adjoin::kColumns ? along_.n * unit_ : StagePitch(args.run)) {}

  // kAhead is where the source of the next step is asked for.
  template <Level kAhead>
  HWY_INLINE void Run() {
    const int64_t is = args_.inner[0].is;
    if (!IsPageEach(is)) return Steps<SourceAhead<kAhead>>();
    is % kLineBytes != 0 && cells_.bytes >= kCutCell ? Steps<RowsAhead<Level::kL1>>() : Steps<RowsAhead<kAhead>>();
  }

 private:
  static constexpr int64_t kWarmColumns = 8;
  // Of such cells, rows that are far apart and cut lines are better asked for into L1 (4093x4099 floats 0.95, doubles
  // 0.85 of the time).
  static constexpr int64_t kCutCell = 4;

  // Columns of each source row that are gathered before the rows of the next step of a composite box, where these are
  // on other pages: the TLB's first level holds too few for all of them (16^6 floats reversed 3.5 -> 2.6 times a copy),
  // and L1 too few lines of all columns.
  static constexpr int64_t kFewColumns = 128;
  static constexpr int64_t kFewBytes = 256;

  enum class Adjoin : uint8_t { kNothing, kColumns, kParts };

  template <class Ahead>
  HWY_INLINE void Steps() {
    for (int64_t i = 0; i < along_.n; i += step_) {
      const int64_t n = HWY_MIN(step_, along_.n - i);
      Ahead ahead = AheadOf<Ahead>(i, n);
      Gather(i, n);
      if (adjoin_ == Adjoin::kColumns) return StreamColumns(&ahead);
      if (adjoin_ == Adjoin::kParts) return StreamParts(ahead);
      for (int64_t part = 0; part < args_.inner[3].n; ++part) StreamOut(i, n, part, &ahead);
    }
  }

  // Steps of along_ that make a run: near equal shares, and whole lines where single rows are to be had and
  // a run has room for them.
  HWY_INLINE int64_t StepsOfRun() const {
    const int64_t line_rows = LineColumns(cells_.bytes);
    int64_t most = HWY_MAX(args_.run / unit_, 1);
    if (along_.n <= most) return along_.n;
    const bool whole = !composite_ && most >= line_rows;
    if (whole) most -= most % line_rows;
    const int64_t shares = (along_.n + most - 1) / most;
    const int64_t share = (along_.n + shares - 1) / shares;
    return whole ? (share + line_rows - 1) / line_rows * line_rows : share;
  }

  HWY_INLINE Adjoin WhatAdjoins() const {
    const int64_t column = along_.n * unit_;
    if (step_ != along_.n) return Adjoin::kNothing;
    if (args_.inner[1].os == column) return Adjoin::kColumns;
    // There must be room for a line that is carried, and the line must be one part's.
    const bool carries = column >= kLineBytes && column + kLineBytes <= StagePitch(args_.run);
    return carries && args_.inner[3].os == column ? Adjoin::kParts : Adjoin::kNothing;
  }

  // Where a column is staged. They are counted through all parts, steps of inner[3].
  HWY_INLINE uint8_t* StageOf(int64_t column) const { return args_.scratch + kLineBytes + column * pitch_; }

  // Parts continue each other's columns, in the stage as in the source, so that they are gathered as one.
  HWY_NOINLINE void Gather(int64_t i, int64_t n) const {
    const int64_t cols = args_.inner[1].n * args_.inner[3].n;
    const bool some = composite_ && IsPageEach(along_.is);
    const int64_t most = some ? HWY_MAX(kFewColumns, kFewBytes / cells_.bytes) : cols;
    const int64_t shares = (cols + most - 1) / most;
    const int64_t few = (cols + shares - 1) / shares;
    const Axis rows = {composite_ ? args_.inner[0].n : n, args_.inner[0].is, cells_.bytes};
    for (int64_t c = 0; c < cols; c += few) {
      const Axis columns = {HWY_MIN(few, cols - c), cells_.bytes, pitch_};
      const uint8_t* src = src_ + i * along_.is + c * cells_.bytes;
      uint8_t* stage = StageOf(c);
      for (int64_t k = 0; k < (composite_ ? n : 1); ++k) {
        cells_.gather(src, rows, stage, columns, args_);
        src += along_.is;
        stage += unit_;
      }
    }
  }

  // The source of the next step, or, after the last one, of the next call's first.
  template <class Ahead>
  HWY_INLINE Ahead AheadOf(int64_t i, int64_t n) const {
    const bool last = i + n == along_.n;
    const int64_t parts = args_.inner[3].n;
    const int64_t row_bytes = args_.inner[1].n * parts * cells_.bytes;
    const Axis next = {HWY_MIN(step_, last ? along_.n : along_.n - i - n), along_.is, 0};
    return Ahead(last ? args_.next : src_ + (i + n) * along_.is, composite_ ? args_.inner[0] : next,
                 composite_ ? next : Axis{1, 0, 0}, row_bytes, Asks(n));
  }

  // How often it is asked for while a step is streamed out.
  HWY_INLINE int64_t Asks(int64_t n) const {
    const int64_t columns = args_.inner[3].n * args_.inner[1].n;
    return adjoin_ == Adjoin::kColumns ? columns * n * unit_ / kLineBytes / kAskEvery + 1 : columns;
  }

  // Asks for the page of a run that is streamed out soon, where it is a new one. Streaming stores wait for page walks
  // in order, one by one; prefetches overlap theirs (with the rows that are asked for side by side, 4096x4096 of 4
  // bytes 0.75 of the time).
  HWY_INLINE void WarmPage(const uint8_t* dst, size_t bytes, bool first) const {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(dst);
    const bool enters = (begin - 1) / kPageBytes != (begin + bytes - 1) / kPageBytes;
    if (enters || (first && args_.inner[1].os >= kPageBytes)) hwy::Prefetch(dst + bytes - 1);
  }

  // Columns of one part.
  template <class Ahead>
  HWY_NOINLINE void StreamOut(int64_t i, int64_t n, int64_t part, Ahead* next) const {
    typename Ahead::Held ahead = *next;
    StagedRun run = {StageOf(part * args_.inner[1].n), dst_ + i * unit_ + part * args_.inner[3].os,
                     static_cast<size_t>(n * unit_), i == 0 || !carries_, i + n == along_.n || !carries_};
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

  // Columns that adjoin: those of each part, or of all if these adjoin, too.
  template <class Ahead>
  HWY_NOINLINE void StreamColumns(Ahead* ahead) const {
    const Axis parts = args_.inner[3];
    const int64_t bytes = args_.inner[1].n * pitch_;
    const bool all = parts.os == bytes;
    StagedRun run = {StageOf(0), dst_, static_cast<size_t>(all ? parts.n * bytes : bytes), true, true};
    for (int64_t part = 0; part < (all ? 1 : parts.n); ++part) {
      StreamAskingSome(run, ahead);
      run.stage += bytes;
      run.dst += parts.os;
    }
  }

  // Columns whose parts adjoin. All lines of a column are carried before any is streamed: loading one right after it
  // was stored would wait (whole moves 1.08 times as long).
  template <class Ahead>
  HWY_NOINLINE void StreamParts(Ahead ahead) const {
    const Axis cols = args_.inner[1];
    const int64_t parts = args_.inner[3].n;
    const int64_t part_bytes = cols.n * pitch_;
    const auto bytes = static_cast<size_t>(along_.n * unit_);
    for (int64_t c = 0; c < cols.n; ++c) {
      StagedRun run = {StageOf(c), dst_ + c * cols.os, bytes, true, false};
      for (int64_t part = 1; part < parts; ++part) {
        uint8_t* next = run.stage + part * part_bytes;
        memcpy(next - kLineBytes, next - part_bytes + bytes - kLineBytes, kLineBytes);
      }
      for (int64_t part = 0; part < parts; ++part) {
        ahead.Ask();
        const size_t end = StreamWhole(run, [] {});
        if (part + 1 == parts) StoreRest(run, end);
        run.first = false;
        run.stage += part_bytes;
        run.dst += bytes;
      }
    }
  }

  const Cells cells_;
  const uint8_t* const src_;
  uint8_t* const dst_;
  const KernelArgs& args_;
  const bool composite_;  // inner[2] continues the rows
  const Axis along_;      // what steps go along: inner[2] of a composite box, else inner[0]
  const int64_t unit_;    // destination bytes of one step of along_
  const int64_t step_;    // steps of along_ that make a run
  const bool carries_;    // runs are whole lines, so that the unfinished line of one can wait for the next
  const Adjoin adjoin_;   // in the destination
  const int64_t pitch_;   // from one staged column to the next
};

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_COLUMN_STAGING_INL_H_
