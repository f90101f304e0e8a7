// SPDX-License-Identifier: Apache-2.0
// Six rows interleaved into pixels, for which blocks are no place to meet: each vector of pixels is made from a window
// of 16 bytes of every row, which holds all that the vector has of it, in each of its blocks. One table lookup of a
// window puts its elements in their places, with zeros elsewhere, and those of all rows are joined.
//
// That is one shuffle for each row and vector. Interleaved as eight rows it takes more, to close up pixels and to store
// blocks apart.
#if defined(DIMORDER_KERNELS_WINDOW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DIMORDER_KERNELS_WINDOW_INL_H_
#undef DIMORDER_KERNELS_WINDOW_INL_H_
#else
#define DIMORDER_KERNELS_WINDOW_INL_H_
#endif

#include "kernels/microtile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dimorder {
inline namespace v1 {
namespace HWY_NAMESPACE {
namespace {

#if DIMORDER_HAVE_VECTORS

// Where in its window the bytes of a row are that go to a vector of kBytes bytes. Table i is for vectors that begin i
// elements after an element of the row; the window begins with the next one, or for table 0 with it.
template <int kC, int kSize, int kBytes>
struct WindowTables {
  constexpr WindowTables() {
    for (int i = 0; i < kC; ++i) {
      for (int j = 0; j < kBytes; ++j) {
        const int at = i * kSize + j;
        const int column = at / (kC * kSize) - (i > 0 ? 1 : 0);
        const int byte = at % (kC * kSize);
        from[i][j] = static_cast<uint8_t>(byte < kSize ? column * kSize + byte : 0x80);
      }
    }
  }

  alignas(kBytes) uint8_t from[kC][kBytes] = {};
};
template <int kC, int kSize, int kBytes>
constexpr WindowTables<kC, kSize, kBytes> kWindowTables = WindowTables<kC, kSize, kBytes>();

// As many pixels of kC elements of kSize bytes as vectors have elements.
template <int kC, int kSize, class D>
class Windows {
  static_assert(kC % 2 == 0);  // rows are joined by twos

 public:
  HWY_INLINE Windows(D d, const uint8_t* src, int64_t is) : d_(d), src_(src), is_(is) {}

  // Vectors from kVector on.
  template <int kVector = 0>
  HWY_INLINE void Store(uint8_t* HWY_RESTRICT dst) const {
    hn::StoreU(Join<kVector, 0>(), d_, dst + kVector * kBytes);
    if constexpr (kVector + 1 < kC) Store<kVector + 1>(dst);
  }

  // Elements of a row that are loaded but not wanted.
  static constexpr int64_t Overrun() { return Column<kC - 1, 0>() + 16 / kSize - kLanes; }

 private:
  static constexpr int kBytes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr int kLanes = kBytes / kSize;

  // Elements from the last one before vector kVector that belongs to row kRow to the vector, and the column after it.
  template <int kVector, int kRow>
  static constexpr int After() {
    return (kVector * kLanes - kRow + kC) % kC;
  }
  template <int kVector, int kRow>
  static constexpr int64_t Column() {
    return (kVector * kLanes - kRow + kC - 1) / kC;
  }

  // What vector kVector has of row kRow.
  template <int kVector, int kRow>
  HWY_INLINE hn::VFromD<D> Row() const {
    const auto window = hn::LoadDup128(d_, src_ + kRow * is_ + Column<kVector, kRow>() * kSize);
    const auto from = hn::Load(d_, kWindowTables<kC, kSize, kBytes>.from[After<kVector, kRow>()]);
    return hn::TableLookupBytesOr0(window, from);
  }

  // Rows from kRow on.
  template <int kVector, int kRow>
  HWY_INLINE hn::VFromD<D> Join() const {
    const auto v = Row<kVector, kRow>();
    if constexpr (kRow + 2 == kC) {
      return hn::Or(v, Row<kVector, kRow + 1>());
    } else {
      return hn::Or3(v, Row<kVector, kRow + 1>(), Join<kVector, kRow + 2>());
    }
  }

  const D d_;
  const uint8_t* HWY_RESTRICT src_;
  const int64_t is_;
};

#endif  // DIMORDER_HAVE_VECTORS

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace v1
}  // namespace dimorder
HWY_AFTER_NAMESPACE();

#endif  // DIMORDER_KERNELS_WINDOW_INL_H_
