#pragma once

#include <string>
#include <utility>

#include "sim/emulation.hpp"

namespace percycle {

/// The known meanings, and meanings that tests add. A kernel keeps the meaning that its name has
/// when a device creates it.
inline sim::Meanings& test_meanings() {
  static sim::Meanings meanings = sim::known_meanings();
  return meanings;
}

}  // namespace percycle
