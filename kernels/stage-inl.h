// SPDX-License-Identifier: Apache-2.0
// Family kStage: a transpose that reaches memory as whole cache lines, past the caches.
//
// A transpose beyond the caches that stores directly reads each destination line before it writes it, and writes it in
// pieces. Here a run of every destination column is gathered in scratch first (which stays in L2), then streamed out
// line by line. Direct non-temporal stores from the microtile were slower: 32 bytes a line at a time leave
// write-combining buffers half full. So was streaming a few columns at a time while the next were gathered: memory
// likes long phases of reads and of writes. (But where columns adjoin: see adjoining-inl.h.)
//
// Composite boxes. Where rows or columns are few, a second axis joins them: rows that continue the destination's run,
// columns that continue the source's. A short run or a short row would cost memory as much as a long one.
//
// Phase and carry. Staged columns begin with a line, wherever the destination's do, so that no store to scratch cuts
// one: what streams out loads across lines instead (1000x1000 floats with vectors of 32 bytes 0.8 of the time of stages
// with the destination's phase, 1024x1024 at 16 bytes past a line 0.67). The line that a run ends in is not complete:
// it is carried to before the staged column, where the next run continues it. Only the first and the last line of a
// destination column are ever written by ordinary stores. Columns that adjoin in the destination and fit into a run are
// staged and streamed as one.
//
// Where vectors are lines and columns turn out to begin with lines, or to share them in a way that microtiles can make,
// there is nothing to gather: see NeedsNoStage.
//
// What streams out is a function of its own. Inlined, it competes with the gather for registers: up to 1.4 times as
// slow, and what is slow changes with each edit.
#if defined(DIMORDER_KERNELS_STAGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_STAGE_INL_H_
#undef DIMORDER_KERNELS_STAGE_INL_H_
#else
#define DIMORDER_KERNELS_STAGE_INL_H_
#endif

#include <type_traits>

#include "kernels/adjoining-inl.h"
#include "kernels/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Columns one by one. It goes along the rows in steps, each of which fills a run of every column.
template <class T>
class ColumnStaging {
 public:
  HWY_INLINE ColumnStaging(const uint8_t* src, uint8_t* dst, const KernelArgs& args)
      : src_(src),
        dst_(dst),
        args_(args),
        composite_(args.inner[2].n > 1),
        along_(args.inner[composite_ ? 2 : 0]),
        unit_(composite_ ? args.inner[0].n * kSize : kSize),
        pitch_(StagePitch(args.run)),
        part_bytes_(args.inner[1].n * pitch_),
        step_(StepsOfRun()),
        carries_(step_ * unit_ % kLineBytes == 0) {}

  HWY_INLINE void Run() {
    const int64_t is = args_.inner[0].is;
    const bool page_each = is >= kPageBytes || is <= -kPageBytes;
    page_each ? Steps<RowsAhead>() : Steps<SourceAhead>();
  }

 private:
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kWarmColumns = 8;

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
    constexpr int64_t kLineRows = kLineBytes / (kSize & -kSize);
    int64_t most = HWY_MAX(args_.run / unit_, 1);
    const bool whole = !composite_ && most >= kLineRows;
    if (whole) most -= most % kLineRows;
    const int64_t shares = (along_.n + most - 1) / most;
    const int64_t share = (along_.n + shares - 1) / shares;
    return whole ? (share + kLineRows - 1) / kLineRows * kLineRows : share;
  }

  // The first column of a part, that is, of the columns of one step of inner[3], from step i of along_ on.
  HWY_INLINE uint8_t* DstOf(int64_t i, int64_t part) const { return dst_ + i * unit_ + part * args_.inner[3].os; }
  // Where it is staged.
  HWY_INLINE uint8_t* StageOf(int64_t part) const { return args_.scratch + kLineBytes + part * part_bytes_; }

  HWY_NOINLINE void Gather(int64_t i, int64_t n, int64_t part) const {
    const Axis rows = args_.inner[0];
    const uint8_t* src = src_ + i * along_.is + part * args_.inner[3].is;
    uint8_t* stage = StageOf(part);
    Box box = MakeBox(rows.is, composite_ ? rows.n : n, pitch_, args_.inner[1].n, args_.panel);
    box.pack = args_.pack;
    box.packing = Pack::kRows;
    for (int64_t k = 0; k < (composite_ ? n : 1); ++k) {
      TransposeBox<T>(src, stage, box);
      src += along_.is;
      stage += unit_;
    }
  }

  // The source of the next step, or, after the last one, of the next call's first.
  template <class Ahead>
  HWY_INLINE Ahead AheadOf(int64_t i, int64_t n) const {
    const bool last = i + n == along_.n;
    const int64_t parts = args_.inner[3].n;
    const int64_t row_bytes = args_.inner[1].n * parts * kSize;
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
      if (std::is_same_v<Ahead, RowsAhead> && c + kWarmColumns < args_.inner[1].n)
        WarmPage(run.dst + kWarmColumns * args_.inner[1].os, run.bytes, i == 0);
      StreamStaged(run, [] {});
      run.stage += pitch_;
      run.dst += args_.inner[1].os;
    }
    *next = ahead;
  }

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

// Two lines: shorter columns are staged wherever they begin.
constexpr int64_t kMinLinesColumn = 2 * kLineBytes;

// Whether kLines can make the lines that adjoining columns share, and columns are so many lines that it is worth it: 64
// and 96 floats at 16 bytes past a line 0.8 and 0.7 of the time, 32 floats 1.15.
template <class T>
HWY_INLINE bool MakesSeams(const uint8_t* dst, const KernelArgs& args) {
  const int64_t os = args.inner[1].os;
  return os % kLineBytes == 0 && os > kMinLinesColumn && HasSeams<T>(args, static_cast<int64_t>(BytesToLine(dst)));
}

// Whether rows and columns are lines or more, and columns begin with one or make seams, so that kLines needs no stage:
// 0.6 to 0.9 of the time (12544 columns of 96 floats 1.8 -> 1.2 times a copy), but with bytes up to 1.2 times. Plans
// prefer kLines for longer columns, which may begin anywhere.
template <class T>
HWY_INLINE bool NeedsNoStage(const uint8_t* dst, const KernelArgs& args) {
  constexpr int64_t kSize = sizeof(T);
  const bool lines = args.inner[0].n * kSize >= kMinLinesColumn && args.inner[1].n * kSize >= kLineBytes;
  return kSize > 1 && 16 * kWideBlocks<T> == kLineBytes && lines && (OnLines(dst, args) || MakesSeams<T>(dst, args));
}

template <class T>
HWY_NOINLINE void ByLines(const uint8_t* src, uint8_t* dst, KernelArgs args) {
  args.panel = LinesPanel(args.inner[0].is, sizeof(T));
  Lines<T>(src, dst, args);
}

template <class T>
void Stage(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  if constexpr (std::is_integral_v<T>) {
    if (NeedsNoStage<T>(dst, args)) return ByLines<T>(src, dst, args);
  }
  if (ColumnsAdjoin(args.inner, sizeof(T), args.run)) {
    StageAdjoining<T>(src, dst, args);
  } else {
    ColumnStaging<T>(src, dst, args).Run();
  }
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_STAGE_INL_H_
