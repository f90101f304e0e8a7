// SPDX-License-Identifier: Apache-2.0
// Family kLines: a transpose whose microtiles are as high as a cache line, which go past the caches as they are made.
// Interleaves and deinterleaves: pixel-lines-inl.h.
//
// Nothing needs to be gathered in scratch first, as kStage does it: 0.55 to 0.9 of its time (vectors of 64 bytes:
// 256x56x56 floats to NHWC 2.1 -> 1.2 times a copy, to NCHW 1.6 -> 1.1, 4096x4096 1.5 -> 1.15; of 32 bytes: 2.0 -> 1.2,
// 1.7 -> 1.2, 1.7 -> 1.2; of 16 bytes: 2.1 -> 1.2, 1.9 -> 1.2, 1.8 -> 1.3). All columns must begin at one place within
// a line; the rows before the first whole line and those after the last one are moved by ordinary stores, but where
// columns adjoin and the line that two of them share can be made as the others are. Where columns begin elsewhere, it
// is kTile.
#if defined(DIMORDER_KERNELS_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_LINES_INL_H_
#undef DIMORDER_KERNELS_LINES_INL_H_
#else
#define DIMORDER_KERNELS_LINES_INL_H_
#endif

#include "kernels/pixel-lines-inl.h"
#include "kernels/source-ahead-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Rows one after the other.
template <class T>
struct EvenRows {
  const uint8_t* src;
  int64_t is;

  HWY_INLINE const uint8_t* At(int64_t r) const { return src + r * is; }
  HWY_INLINE SourceRows<T> From(int64_t r, int64_t offset) const { return {At(r) + offset, is}; }
};

// The last `left` rows and then the first ones of a column later: a line that ends one of adjoining columns and begins
// the next. `left` is a multiple of L.
template <class T>
struct SeamRows {
  const uint8_t* src;  // the first of the last rows
  int64_t is;
  int64_t left;
  int64_t jump;  // bytes from where the next row would be to the first one, a column later

  HWY_INLINE const uint8_t* At(int64_t r) const { return src + r * is + (r < left ? 0 : jump); }
  HWY_INLINE SeamRows From(int64_t r, int64_t offset) const { return {src + r * is + offset, is, left - r, jump}; }

  template <class D>
  HWY_INLINE hn::VFromD<D> Load(D d, int64_t i) const {
    return LoadBlocksAt(d, [=, this](int64_t k) { return At(i + k * kBlockLanes<T>); });
  }
};

// Whole lines of a box: columns are at least L. Panels of rows; in each, kAbreast microtiles side by side go down
// together: one, and what comes next is asked for, or, where the rows of a microtile collide in L1, as many as use up
// their lines.
template <class D, class Rows>
class StreamLines {
 public:
  HWY_INLINE StreamLines(D d, const Rows& src, uint8_t* dst, const Box& box)
      : d_(d),
        src_(src),
        dst_(dst),
        is_(box.inner[0].is),
        os_(box.inner[1].os),
        rows_(box.inner[0].n),
        cols_(box.inner[1].n),
        panel_(HWY_MIN(HWY_MAX(box.panel / kRows, 1) * kRows, rows_)),
        ahead_(HWY_MAX(HWY_MIN(box.ahead, cols_ * kSize) / kLineBytes, 1) * kLineBytes) {}

  HWY_INLINE void Run() const { Collide() ? Panels<4>() : Panels<1>(); }

 private:
  using T = hn::TFromD<D>;
  static constexpr int64_t kSize = sizeof(T);
  static constexpr int64_t kRows = kLineBytes / kSize;
  static constexpr int64_t kCols = kBlockLanes<T>;

  // Shorter rows than this gain more by being asked for: of 256 bytes 0.8 to 0.95 of the time.
  static constexpr int64_t kMostShortRow = 512;

  // Whether L1 holds too few lines of rows for a microtile; of 4 and 8 bytes it has half as many.
  HWY_INLINE bool Collide() const {
    if (!IsPageEach(is_) || cols_ * kSize <= kMostShortRow) return false;
    return is_ % kPageBytes == 0 || (kSize <= 2 && is_ % (kPageBytes / 2) == 0);
  }

  template <int64_t kAbreast>
  HWY_NOINLINE void Panels() const {
    for (int64_t begin = 0; begin < rows_; begin += panel_) {
      const int64_t end = HWY_MIN(begin + panel_, rows_);
      int64_t c = 0;
      for (; c + kAbreast * kCols <= cols_; c += kAbreast * kCols) {
        for (int64_t r = begin; r < end; r += kRows) {
          if constexpr (kAbreast == 1) Ask(r, c);
          for (int64_t b = 0; b < kAbreast; ++b) Tile(r, c + b * kCols, 0);
        }
      }
      for (; c < cols_; c += kCols) {
        const int64_t col = HWY_MIN(c, cols_ - kCols);
        for (int64_t r = begin; r < end; r += kRows) Tile(r, col, c - col);
      }
    }
  }

  // The microtile at row r and column c, without its first `done` columns.
  HWY_INLINE void Tile(int64_t r, int64_t c, int64_t done) const {
    // Left to itself gcc does not inline this for bytes: 1.03 times.
    MakeLines<kCols>(
        d_, dst_ + c * os_ + r * kSize, os_, done, [&](int64_t row, const auto& out) __attribute__((always_inline)) {
          MicroTile(d_, src_.From(r + row, c * kSize), out);
        });
  }

  // Asks for a line's worth of each row that comes later, or of the next panel's: for the line that its last byte is
  // in, since few rows begin with a line (for its first byte's 1.05 to 1.4 times as slow). The microtiles of a line
  // share its rows among them. What is far ahead would not stay in L1.
  HWY_INLINE void Ask(int64_t r, int64_t c) const {
    constexpr int64_t kShares = kLineBytes / 16;
    int64_t at = c * kSize / kLineBytes * kLineBytes + ahead_;
    if (at >= cols_ * kSize) {
      if (r + panel_ >= rows_) return;
      at += panel_ * is_ - cols_ * kSize;
    }
    const int64_t first = r + c / kCols % kShares * (kRows / kShares);
    at += kLineBytes - 1;
    for (int64_t i = 0; i < kRows / kShares; ++i) {
      ahead_ == kLineBytes ? AskFor<Level::kL1>(src_.At(first + i) + at) : AskFor<Level::kL2>(src_.At(first + i) + at);
    }
  }

  const D d_;
  const Rows src_;
  uint8_t* const dst_;
  const int64_t is_;
  const int64_t os_;
  const int64_t rows_;
  const int64_t cols_;
  const int64_t panel_;
  const int64_t ahead_;
};

// Rows [from, from + n) of a box, by ordinary stores.
template <class T>
HWY_NOINLINE void StoreRows(const uint8_t* src, uint8_t* dst, const Box& box, int64_t from, int64_t n) {
  if (n != 0) TransposeRows<T>(src, dst, box, from, n);
}

// Whether columns adjoin and are cut by lines between blocks of rows, so that a line which holds the end of one and the
// begin of the next can be made as the others are.
template <class T>
HWY_INLINE bool HasSeams(const Box& box, int64_t to_line) {
  const bool adjoin = box.inner[1].os == box.inner[0].n * static_cast<int64_t>(sizeof(T));
  return adjoin && to_line % 16 == 0 && to_line != 0 && box.inner[1].n > kBlockLanes<T>;
}

// Those lines; the first `head` rows of the first column and the last `tail` rows of the last one by ordinary stores.
template <class T>
HWY_NOINLINE void StreamSeams(const uint8_t* src, uint8_t* dst, Box box, int64_t head, int64_t tail) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t first = box.inner[0].n - tail;
  const int64_t last = box.inner[1].n - 1;
  const int64_t is = box.inner[0].is;
  const int64_t os = box.inner[1].os;
  for (int64_t r = 0; r < head; ++r) memcpy(dst + r * kSize, src + r * is, kSize);
  for (int64_t r = first; r < box.inner[0].n; ++r) {
    memcpy(dst + last * os + r * kSize, src + r * is + last * kSize, kSize);
  }
  const SeamRows<T> rows = {src + first * is, is, tail, kSize - box.inner[0].n * is};
  box.inner[0].n = kLineBytes / kSize;
  box.inner[1].n = last;
  StreamLines(WideTag<T>(), rows, dst + first * kSize, box).Run();
}

template <class T>
HWY_INLINE void LinesBox(const uint8_t* src, uint8_t* dst, const Box& box) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kRows = kLineBytes / kSize;
  const int64_t rows = box.inner[0].n;
  const auto to_line = static_cast<int64_t>(BytesToLine(dst));
  const int64_t head = to_line / kSize;
  const int64_t tail = (rows - head) % kRows;
  const bool whole = box.inner[1].os % kLineBytes == 0 && to_line % kSize == 0 && rows >= head + kRows;
  if (!whole || box.inner[1].n < kBlockLanes<T>) return StoreRows<T>(src, dst, box, 0, rows);
  Box lines = box;
  lines.inner[0].n = rows - head - tail;
  const EvenRows<T> from = {src + head * box.inner[0].is, box.inner[0].is};
  StreamLines(WideTag<T>(), from, dst + to_line, lines).Run();
  if (HasSeams<T>(box, to_line)) return StreamSeams<T>(src, dst, box, head, tail);
  StoreRows<T>(src, dst, box, 0, head);
  StoreRows<T>(src, dst, box, rows - tail, tail);
}

template <class T>
void Lines(const uint8_t* src, uint8_t* dst, const KernelArgs& args) {
  if (IsUnzip<T>(args)) return ForEachBox(src, dst, args, &UnzipLines<T>);
  if (IsZip<T>(args)) return ForEachBox(src, dst, args, &ZipLines<T>);
  ForEachBox(src, dst, args, &LinesBox<T>);
}

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_LINES_INL_H_
