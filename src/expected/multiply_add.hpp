#pragma once

#include <cstdint>

namespace percycle {

/// x -> x * multiply + add modulo 2^32, applied `times` times, by repeated squaring of the affine
/// map.
constexpr std::uint32_t multiply_add_chain(std::uint32_t x, std::uint32_t multiply, std::uint32_t add, std::uint64_t times) {
  for (; times != 0; times >>= 1) {
    if (times & 1) x = x * multiply + add;
    add = add * multiply + add;
    multiply *= multiply;
  }
  return x;
}

}  // namespace percycle
