// SPDX-License-Identifier: Apache-2.0
#include "runtime/copy/value_change.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/error.h"
#include "runtime/with_type.h"

namespace dimorder {
namespace {

template <class T>
constexpr bool kIsSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// The limits of Int are whole numbers that double holds, but for the upper one of 64 bits, hence >=.
template <class Int>
Int Saturate(double value) {
  constexpr auto kLeast = static_cast<double>(std::numeric_limits<Int>::min());
  constexpr auto kMost = static_cast<double>(std::numeric_limits<Int>::max());
  if (std::isnan(value)) return 0;
  if (value <= kLeast) return std::numeric_limits<Int>::min();
  if (value >= kMost) return std::numeric_limits<Int>::max();
  return static_cast<Int>(value);
}

template <class To, class From>
To Cast(From value) {
  if constexpr (std::is_same_v<From, To>) {
    return value;
  } else if constexpr (kIsSmallFloat<From>) {
    return Cast<To>(static_cast<float>(value));
  } else if constexpr (kIsSmallFloat<To>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != 0;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return Saturate<To>(static_cast<double>(value));
  } else {
    return static_cast<To>(value);
  }
}

void ApplyCast(const ValueChange& change, const void* src, void* dst) {
  WithType(change.from, [&](auto from) {
    WithType(change.to, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      // A caller's bools may be of any bytes, so they are not read as bool.
      using Stored = std::conditional_t<std::is_same_v<From, bool>, uint8_t, From>;
      const auto* s = static_cast<const Stored*>(src);
      std::transform(s, s + change.elements, static_cast<To*>(dst),
                     [](Stored stored) { return Cast<To>(Cast<From>(stored)); });
    });
  });
}

// Calls fn(i, scale, zero_point) for each element.
template <class Fn>
void ForEachParameter(const ValueChange& change, Fn&& fn) {
  const auto& [scales, zero_points, axis] = change.quantization;
  const auto count = static_cast<int64_t>(scales.size());
  for (int64_t begin = 0, run = 0; begin < change.elements; begin += change.run, ++run) {
    const auto p = static_cast<size_t>(run % count);
    for (int64_t i = begin; i < begin + change.run; ++i) fn(i, scales[p], int64_t{zero_points[p]});
  }
}

void ApplyQuantize(const ValueChange& change, const void* src, void* dst) {
  const auto* x = static_cast<const float*>(src);
  WithType(change.to, [&](auto to) {
    auto* y = static_cast<decltype(to)*>(dst);
    ForEachParameter(change, [&](int64_t i, float scale, int64_t zero_point) {
      const double value = std::nearbyint(static_cast<double>(x[i] / scale)) + static_cast<double>(zero_point);
      const auto least = static_cast<double>(change.least);
      y[i] = Cast<decltype(to)>(std::isnan(value) ? least : std::clamp(value, least, static_cast<double>(change.most)));
    });
  });
}

void ApplyDequantize(const ValueChange& change, const void* src, void* dst) {
  auto* y = static_cast<float*>(dst);
  WithType(change.from, [&](auto from) {
    const auto* x = static_cast<const decltype(from)*>(src);
    ForEachParameter(change, [&](int64_t i, float scale, int64_t zero_point) {
      y[i] = static_cast<float>(Cast<int64_t>(x[i]) - zero_point) * scale;
    });
  });
}

ValueChange QuantizationChange(ValueChange::Kind kind, const TensorType& quantized) {
  ValueChange change;
  change.kind = kind;
  change.elements = NumElements(quantized);
  change.quantization = quantized.quantization;
  change.run = std::max<int64_t>(change.elements, 1);
  if (change.quantization.scales.size() > 1) {
    // In memory the axis lies between what its order has outside and inside of it.
    const DimOrder& order = quantized.dim_order;
    change.run = 1;
    for (size_t i = order.size(); order[i - 1] != change.quantization.axis; --i) {
      change.run *= quantized.sizes[static_cast<size_t>(order[i - 1])];
    }
  }
  return change;
}

}  // namespace

ValueChange CastChange(DataType from, const TensorType& to) {
  ValueChange change;
  change.from = from;
  change.to = to.dtype;
  change.elements = NumElements(to);
  return change;
}

ValueChange QuantizeChange(const TensorType& to) {
  ValueChange change = QuantizationChange(ValueChange::Kind::kQuantize, to);
  change.to = to.dtype;
  // Of the integer types that there are to quantize to.
  const int64_t values = int64_t{1} << (8 * DataTypeBytes(to.dtype));
  change.least = to.dtype == DataType::kU8 ? 0 : -values / 2;
  change.most = change.least + values - 1;
  return change;
}

ValueChange DequantizeChange(const TensorType& from) {
  ValueChange change = QuantizationChange(ValueChange::Kind::kDequantize, from);
  change.from = from.dtype;
  return change;
}

void CastNumber(double number, DataType to, void* dst) {
  WithType(to, [&](auto type) {
    const auto element = Cast<decltype(type)>(number);
    std::memcpy(dst, &element, sizeof(element));
  });
}

void ApplyValueChange(const ValueChange& change, const void* src, void* dst) {
  if (change.elements == 0) return;
  switch (change.kind) {
    case ValueChange::Kind::kCast:
      return ApplyCast(change, src, dst);
    case ValueChange::Kind::kQuantize:
      return ApplyQuantize(change, src, dst);
    case ValueChange::Kind::kDequantize:
      return ApplyDequantize(change, src, dst);
  }
}

}  // namespace dimorder
