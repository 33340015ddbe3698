#pragma once

#include <string>
#include <utility>

#include "sim/emulation.hpp"

namespace percycle {

/// The known emulations, and those that tests add. A kernel keeps the emulation that its name has
/// when a device creates it.
inline sim::Emulations& test_emulations() {
  static sim::Emulations emulations = sim::known_emulations();
  return emulations;
}

}  // namespace percycle
