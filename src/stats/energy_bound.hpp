#pragma once

#include <optional>
#include <string>

#include "core/measurement.hpp"

namespace percycle {

/// The most energy that the power readings of a sustained load can miss, because drivers average
/// power: as if the power had been steady from the start. The steady power is the median of the
/// last third. Until the readings reach 95 % of it, the difference may be missing. The power itself
/// may also rise, so this is a bound. On an H100 it was 9.9 to 18.7 % for loads of 3 s, and 8.2 to
/// 13.2 % were missing by the card's counter; for 30 s 1.0 to 1.8 %, and 0.9 to 1.3 %.
struct EnergyBound {
  double load_s = 0;  ///< to the last reading
  double rise_s = 0;  ///< until the readings reach their steady value
  /// Share of the whole energy; empty if the readings still rose at the end.
  std::optional<double> missing_share{};
};

/// Empty without power readings, and for other measurements. Pure.
std::optional<EnergyBound> energy_bound(const Measurement& measurement);

/// A sentence if a load without a counter of energy may have 2 % more energy; else empty.
std::string energy_warning(const Measurement& measurement);

}  // namespace percycle
