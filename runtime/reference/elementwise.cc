// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "runtime/reference/ops.h"
#include "runtime/with_type.h"

namespace dimorder {
namespace {

template <class Fn>
void Binary(std::span<const Tensor> inputs, const Tensor& output, Fn fn) {
  const size_t rank = output.rank();
  const std::array strides = {output.strides, inputs[0].BroadcastStrides(rank), inputs[1].BroadcastStrides(rank)};
  WithArithmeticType(output.type->dtype, [&](auto t) {
    using T = decltype(t);
    const T* a = inputs[0].as<T>();
    const T* b = inputs[1].as<T>();
    T* y = output.as<T>();
    ForEachIndex(output.sizes(), strides, [&](const auto& at) { y[at[0]] = fn(a[at[1]], b[at[2]]); });
  });
}

template <class Fn>
void Unary(std::span<const Tensor> inputs, const Tensor& output, Fn fn) {
  const std::array strides = {output.strides, inputs[0].strides};
  WithArithmeticType(output.type->dtype, [&](auto t) {
    using T = decltype(t);
    const T* x = inputs[0].as<T>();
    T* y = output.as<T>();
    ForEachIndex(output.sizes(), strides, [&](const auto& at) { y[at[0]] = fn(x[at[1]]); });
  });
}

// Integers wrap: unsigned arithmetic of the widest type, cut to T.
template <class T, class Fn>
T Wrapping(T a, T b, Fn fn) {
  if constexpr (std::is_floating_point_v<T>) {
    return fn(a, b);
  } else {
    return static_cast<T>(fn(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  }
}

// Towards zero, as C does; by zero it is zero, and the least divided by -1 wraps.
template <class T>
T Divide(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else {
    if (b == 0) return 0;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(0 - static_cast<uint64_t>(a));
    return static_cast<T>(a / b);
  }
}

template <class T>
T ClampTo(double bound) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(bound);
  } else {
    if (bound >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    if (bound <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    return static_cast<T>(bound);
  }
}

template <class Fn>
void UnaryFloat(std::span<const Tensor> inputs, const Tensor& output, Fn fn) {
  Unary(inputs, output, [&](auto x) { return static_cast<decltype(x)>(fn(static_cast<float>(x))); });
}

}  // namespace

void ReferenceAdd(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  Binary(inputs, output, [](auto a, auto b) { return Wrapping(a, b, [](auto x, auto y) { return x + y; }); });
}

void ReferenceSub(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  Binary(inputs, output, [](auto a, auto b) { return Wrapping(a, b, [](auto x, auto y) { return x - y; }); });
}

void ReferenceMul(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  Binary(inputs, output, [](auto a, auto b) { return Wrapping(a, b, [](auto x, auto y) { return x * y; }); });
}

void ReferenceDiv(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  Binary(inputs, output, [](auto a, auto b) { return Divide(a, b); });
}

void ReferenceRelu(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  Unary(inputs, output, [](auto x) { return x < 0 ? decltype(x)(0) : x; });
}

void ReferenceClip(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const double least = attributes.Float("min", -std::numeric_limits<double>::infinity());
  const double most = attributes.Float("max", std::numeric_limits<double>::infinity());
  Unary(inputs, output, [&](auto x) {
    using T = decltype(x);
    return std::min(std::max(x, ClampTo<T>(least)), ClampTo<T>(most));
  });
}

void ReferenceLeakyRelu(const Attributes& attributes, std::span<const Tensor> inputs, const Tensor& output) {
  const auto alpha = static_cast<float>(attributes.Float("alpha", 0.01));
  UnaryFloat(inputs, output, [&](float x) { return x < 0 ? alpha * x : x; });
}

void ReferenceSigmoid(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  UnaryFloat(inputs, output, [](float x) { return 1 / (1 + std::exp(-x)); });
}

void ReferenceHardswish(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  UnaryFloat(inputs, output, [](float x) { return x * std::clamp(x / 6 + 0.5f, 0.0f, 1.0f); });
}

void ReferenceTanh(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  UnaryFloat(inputs, output, [](float x) { return std::tanh(x); });
}

void ReferenceExp(const Attributes& /*attributes*/, std::span<const Tensor> inputs, const Tensor& output) {
  UnaryFloat(inputs, output, [](float x) { return std::exp(x); });
}

}  // namespace dimorder
