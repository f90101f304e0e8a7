// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_LAYOUT_H_
#define DIMORDER_LAYOUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dimorder/export.h"
#include "dimorder/status.h"

namespace dimorder {
inline namespace v1 {

inline constexpr int kMaxRank = 32;

// A view of int64 numbers, one per axis: sizes, or strides in bytes. Made from a braced list, array, vector or span;
// it keeps a pointer, so a braced list lives only until the end of the call.
class Dims {
 public:
  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<int64_t> list) {
    data_ = list.begin();  // not in the initialiser: gcc would warn of what the comment above allows
    size_ = list.size();
  }
  constexpr Dims(std::span<const int64_t> span)  // NOLINT(google-explicit-constructor)
      : data_(span.data()), size_(span.size()) {}
  Dims(const std::vector<int64_t>& v) : data_(v.data()), size_(v.size()) {}  // NOLINT(google-explicit-constructor)
  template <size_t N>
  constexpr Dims(const int64_t (&array)[N]) : data_(array), size_(N) {}  // NOLINT(google-explicit-constructor)
  template <size_t N>
  constexpr Dims(const std::array<int64_t, N>& array)  // NOLINT(google-explicit-constructor)
      : data_(array.data()), size_(N) {}

  constexpr size_t size() const { return size_; }
  constexpr int64_t operator[](size_t i) const { return data_[i]; }
  constexpr const int64_t* begin() const { return data_; }
  constexpr const int64_t* end() const { return data_ + size_; }

 private:
  const int64_t* data_ = nullptr;
  size_t size_ = 0;
};

// A list of axes: a perm or a dim_order. Keeps what it was given, right or wrong; who uses it validates it.
// At most kMaxRank entries are stored, but size() is the number given, so that a longer list can be refused.
class AxisList {
  // First, since clang wants it defined before the constants below are made.
  template <class Int>
  constexpr void Assign(const Int* axes, size_t n) {
    size_ = n;
    for (size_t i = 0; i < n && i < kMaxRank; ++i) {
      // An entry beyond int32 is out of range whatever the rank.
      using Limits = std::numeric_limits<int32_t>;
      axes_[i] = std::in_range<int32_t>(axes[i]) ? static_cast<int32_t>(axes[i])
                 : std::cmp_less(axes[i], 0)     ? Limits::min()
                                                 : Limits::max();
    }
  }

 public:
  constexpr AxisList() = default;
  constexpr AxisList(std::initializer_list<int> list) { Assign(list.begin(), list.size()); }
  template <class Int>
  constexpr explicit AxisList(std::span<Int> axes) {
    Assign(axes.data(), axes.size());
  }
  template <class Int>
  constexpr AxisList(const Int* axes, size_t n) {
    Assign(axes, n);
  }

  constexpr size_t size() const { return size_; }
  constexpr int operator[](size_t i) const { return axes_[i]; }
  constexpr const int32_t* begin() const { return axes_; }
  constexpr const int32_t* end() const { return axes_ + (size_ < kMaxRank ? size_ : kMaxRank); }
  friend constexpr bool operator==(const AxisList& a, const AxisList& b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_ && i < kMaxRank; ++i) {
      if (a.axes_[i] != b.axes_[i]) return false;
    }
    return true;
  }

 private:
  size_t size_ = 0;
  int32_t axes_[kMaxRank] = {};
};

// The two conventions. Both describe the same move of a dense tensor and hold the same numbers:
//   perm       numpy.transpose: destination axis i is source axis perm[i];
//   dim_order  ExecuTorch: the logical axes from outermost to innermost in memory; sizes never change their order.
using Perm = AxisList;
using DimOrder = AxisList;

// Dim orders of tensors whose logical axes are NCHW (activations), OIHW (weights), CMHW (depthwise weights: PyTorch's
// (C*M,1,H,W) with the first axis split), and their 3-D and 5-D kin.
inline constexpr DimOrder kNCHW = {0, 1, 2, 3};
inline constexpr DimOrder kNHWC = {0, 2, 3, 1};
inline constexpr DimOrder kCHWN = {1, 2, 3, 0};
inline constexpr DimOrder kHWCN = {2, 3, 1, 0};
inline constexpr DimOrder kNCW = {0, 1, 2};
inline constexpr DimOrder kNWC = {0, 2, 1};
inline constexpr DimOrder kCHW = {0, 1, 2};
inline constexpr DimOrder kHWC = {1, 2, 0};
inline constexpr DimOrder kNCDHW = {0, 1, 2, 3, 4};
inline constexpr DimOrder kNDHWC = {0, 2, 3, 4, 1};
inline constexpr DimOrder kOIHW = {0, 1, 2, 3};
inline constexpr DimOrder kOHWI = {0, 2, 3, 1};
inline constexpr DimOrder kHWIO = {2, 3, 1, 0};
inline constexpr DimOrder kOIDHW = {0, 1, 2, 3, 4};
inline constexpr DimOrder kODHWI = {0, 2, 3, 4, 1};
inline constexpr DimOrder kDHWIO = {2, 3, 4, 1, 0};
inline constexpr DimOrder kCMHW = {0, 1, 2, 3};
inline constexpr DimOrder kHWCM = {2, 3, 0, 1};

// The order (0, 1, ..., rank-1); rank is clamped to kMaxRank.
DIMORDER_EXPORT DimOrder IdentityOrder(size_t rank) noexcept;

// Reads a dim order from text: a name of the table above ("NHWC"), logical letters and memory letters
// ("NCHW->NHWC", any distinct letters), or numbers ("0,2,3,1", "(0, 2, 3, 1)", "()"). Fails with kOrderName.
DIMORDER_EXPORT Result<DimOrder> ParseDimOrder(std::string_view text) noexcept;

// Writes `order` as numbers, "(0,2,3,1)", or, when `letters` names each logical axis ("NCHW"), as letters, "NHWC".
// An order that is no permutation of its rank is written as numbers. Same contract as Status::Format.
DIMORDER_EXPORT size_t FormatDimOrder(const DimOrder& order, std::string_view letters, char* buffer,
                                      size_t capacity) noexcept;

inline std::string DimOrderToString(const DimOrder& order, std::string_view letters = {}) {
  std::string text(FormatDimOrder(order, letters, nullptr, 0), '\0');
  FormatDimOrder(order, letters, text.data(), text.size() + 1);
  return text;
}

// Dense strides of `sizes` in `order`, in units of `unit` (1 for elements, the element's bytes for bytes): the
// innermost axis has stride `unit`, each axis outside it the stride times the size of its inner neighbour, where a
// size of 0 counts as 1. Writes sizes.size() strides. ExecuTorch's rule, for any order.
// Errors: rank, order, negative sizes, a unit below 1 (kElementBytes); overflow, after which `strides` may hold some.
DIMORDER_EXPORT Status DimOrderToStrides(Dims sizes, const DimOrder& order, int64_t unit, int64_t* strides) noexcept;

// The axes sorted by |stride|, largest first; equal strides keep their axis order (stable, as Python's sort).
// The inverse of DimOrderToStrides only where no size is 0 or 1: elsewhere strides do not determine the order, which
// is why a declared order wins over one derived from strides, and why layouts are compared by LaidOutAlike.
// Errors: rank.
DIMORDER_EXPORT Result<DimOrder> StridesToDimOrder(Dims strides) noexcept;

// Where each element of a tensor lies: logical sizes, and either a dim_order (dense) or byte strides with an offset.
// A plain value of inline storage; anything may be put in, Plan::Create says what is wrong with it.
class Layout {
 public:
  // Rank 0: one element at offset 0.
  Layout() noexcept {}  // NOLINT(modernize-use-equals-default): a const Layout needs one that does something
  DIMORDER_EXPORT Layout(const Layout& other) noexcept;
  DIMORDER_EXPORT Layout& operator=(const Layout& other) noexcept;

  // Dense, in the order of the logical axes.
  DIMORDER_EXPORT static Layout Contiguous(Dims sizes) noexcept;
  // Dense, in `order`.
  DIMORDER_EXPORT static Layout InOrder(Dims sizes, const DimOrder& order) noexcept;
  // `strides` in bytes, of either sign, 0 allowed on sources (broadcast); element (0,...,0) lies at
  // pointer + byte_offset.
  DIMORDER_EXPORT static Layout Strided(Dims sizes, Dims strides, int64_t byte_offset = 0) noexcept;

  size_t rank() const { return rank_; }
  int64_t size(size_t axis) const { return sizes_[axis]; }
  bool has_order() const { return has_order_; }
  const DimOrder& order() const { return order_; }     // when has_order()
  size_t num_strides() const { return num_strides_; }  // when !has_order()
  int64_t stride(size_t axis) const { return strides_[axis]; }
  int64_t byte_offset() const { return byte_offset_; }

 private:
  // InOrder(), without an order that is cleared first: that took a twelfth of making a move and its plan.
  Layout(Dims sizes, const DimOrder& order) noexcept;

  size_t rank_ = 0;  // as given; at most kMaxRank sizes are stored
  size_t num_strides_ = 0;
  bool has_order_ = true;
  DimOrder order_;
  int64_t byte_offset_ = 0;
  // What lies beyond the rank is never set: it took an eighth of making a plan.
  int64_t sizes_[kMaxRank];
  int64_t strides_[kMaxRank];
};

// Whether two layouts of the same sizes put every element at the same place relative to the first: their strides agree
// on all axes larger than 1, or there is at most one element. This, never a comparison of dim_order tuples, says
// whether bytes need to move. False when either layout is invalid or the sizes differ.
DIMORDER_EXPORT bool LaidOutAlike(const Layout& a, const Layout& b, int64_t element_bytes) noexcept;

}  // namespace v1
}  // namespace dimorder

#endif  // DIMORDER_LAYOUT_H_
