#pragma once

#include <cstdint>

namespace percycle {

/// A bfloat16 number: the upper half of a 32-bit floating-point number.
struct Bfloat {
  std::uint16_t bits = 0;
};

/// The number, exactly.
double to_double(Bfloat number);

/// The nearest number, ties to even. For normal numbers.
Bfloat nearest_bfloat(double value);

}  // namespace percycle
