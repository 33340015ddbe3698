#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace percycle {

/// The value of a normal 16-bit floating-point number, or of 0 (IEEE 754, binary16).
inline double half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const double magnitude = exponent == 0 ? 0 : std::ldexp(1024 + (bits & 0x3ff), exponent - 25);
  return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

/// The nearest 16-bit number, of two the even one. The result must be normal or 0.
inline std::uint16_t half_bits(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000u : 0u;
  if (value == 0) return sign;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);  // from 0.5 to 1
  // nearbyint() rounds to even; 2048 carries into the exponent.
  const auto mantissa = static_cast<std::uint32_t>(std::nearbyint(fraction * 2048));
  const std::uint32_t magnitude = (static_cast<std::uint32_t>(exponent + 14) << 10) + (mantissa - 1024);
  return static_cast<std::uint16_t>(sign | magnitude);
}

}  // namespace percycle
