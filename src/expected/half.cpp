#include "expected/half.hpp"

#include <algorithm>
#include <cmath>

namespace percycle {
namespace {

constexpr int kFractionBits = 10;
constexpr int kBias = 15;
constexpr int kLeastExponent = 1 - kBias;  // also that of denormals
constexpr std::uint16_t kInfinity = 0x7c00;

template <typename Rounding>
Half rounded_half(double value, Rounding rounding) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (value == 0) return {sign};
  const int exponent = std::max(std::ilogb(value), kLeastExponent);
  // A fraction that rounds up to the next power of two carries into the exponent's bits.
  const auto fraction = static_cast<int>(rounding(std::ldexp(std::abs(value), kFractionBits - exponent)));
  const int bits = ((exponent + kBias - 1) << kFractionBits) + fraction;
  return {static_cast<std::uint16_t>(sign | (bits < kInfinity ? bits : kInfinity))};
}

}  // namespace

double to_double(Half half) {
  const int field = (half.bits >> kFractionBits) & 0x1f;
  const int fraction = half.bits & 0x3ff;
  const double size = field == 0 ? std::ldexp(fraction, kLeastExponent - kFractionBits)
                                 : std::ldexp(fraction + 0x400, field - kBias - kFractionBits);
  return (half.bits & 0x8000) != 0 ? -size : size;
}

Half nearest_half(double value) {
  return rounded_half(value, [](double number) { return std::nearbyint(number); });
}

Half truncated_half(double value) {
  return rounded_half(value, [](double number) { return std::trunc(number); });
}

}  // namespace percycle
