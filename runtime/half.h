// SPDX-License-Identifier: Apache-2.0
#ifndef DIMORDER_RUNTIME_HALF_H_
#define DIMORDER_RUNTIME_HALF_H_

#include <bit>
#include <cmath>
#include <cstdint>

namespace dimorder {

// IEEE binary16 and bfloat16 as bits, with conversions that round to nearest even.
struct Half {
  Half() = default;
  explicit Half(float value) : bits(FromFloat(value)) {}
  explicit operator float() const {
    const float magnitude = (bits & 0x7C00) == 0x7C00 ? ((bits & 0x3FF) ? NAN : INFINITY)
                            : (bits & 0x7C00)
                                ? std::ldexp(static_cast<float>(0x400 | (bits & 0x3FF)), ((bits >> 10) & 0x1F) - 25)
                                : std::ldexp(static_cast<float>(bits & 0x3FF), -24);
    return (bits & 0x8000) ? -magnitude : magnitude;
  }

  uint16_t bits = 0;

 private:
  static uint16_t FromFloat(float value) {
    const uint32_t raw = std::bit_cast<uint32_t>(value);
    const auto sign = static_cast<uint16_t>((raw >> 16) & 0x8000);
    const float magnitude = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7E00;
    if (magnitude >= 65520.0f) return sign | 0x7C00;
    if (magnitude < 0x1p-14f) {  // a whole number of 2^-24; nearbyint rounds to even
      return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 24)));
    }
    const uint32_t rounded = (raw & 0x7FFFFFFF) + 0xFFF + ((raw >> 13) & 1);
    return sign | static_cast<uint16_t>((rounded >> 13) - (112 << 10));
  }
};

struct BFloat16 {
  BFloat16() = default;
  explicit BFloat16(float value) {
    const uint32_t raw = std::bit_cast<uint32_t>(value);
    bits = static_cast<uint16_t>(std::isnan(value) ? (raw >> 16) | 0x40 : (raw + 0x7FFF + ((raw >> 16) & 1)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

  uint16_t bits = 0;
};

}  // namespace dimorder

#endif  // DIMORDER_RUNTIME_HALF_H_
