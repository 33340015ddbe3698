#pragma once

#include <cstdint>

namespace percycle {

/// The time of an operation between two units.
struct UnitPairTime {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double ns = 0;
};

}  // namespace percycle
