#include "expected/bfloat.hpp"

#include <bit>
#include <cmath>

namespace percycle {

double to_double(Bfloat number) { return std::bit_cast<float>(std::uint32_t{number.bits} << 16); }

Bfloat nearest_bfloat(double value) {
  if (value == 0) return {static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0)};
  constexpr int kFractionBits = 7;
  const int exponent = std::ilogb(value);
  // Exact in 32 bits, because it has 8 bits.
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, kFractionBits - exponent)), exponent - kFractionBits);
  return {static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(rounded)) >> 16)};
}

}  // namespace percycle
