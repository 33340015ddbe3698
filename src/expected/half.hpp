#pragma once

#include <cstdint>

namespace percycle {

/// A 16-bit floating-point number (IEEE 754 binary16).
struct Half {
  std::uint16_t bits = 0;
};

/// Two of them in a word, the first in its low half.
struct Half2 {
  Half low;
  Half high;
};

/// The number, exactly.
double to_double(Half half);

/// The nearest number, ties to even; from 65520 on infinity.
Half nearest_half(double value);

/// The next number towards zero.
Half truncated_half(double value);

}  // namespace percycle
