#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/figures.hpp"

namespace percycle {

// Cores of GPUs run at 50 MHz (idle laptop parts) to 3500, those of CPUs to 6000.
inline constexpr double kLeastClockMhz = 50;
inline constexpr double kMostClockMhz = 6000;

/// Whether a core can have this clock; false for NaN.
inline bool is_possible_clock(double mhz) { return mhz >= kLeastClockMhz && mhz <= kMostClockMhz; }

/// The warning about a clock that no core has.
inline std::string impossible_clock(std::string_view source, double mhz) {
  return fmt::format("a clock of {:.6g} {} ({}) is outside {} to {}, so percycle did not use it", mhz, unit_text::kMhz, source,
                     kLeastClockMhz, kMostClockMhz);
}

}  // namespace percycle
