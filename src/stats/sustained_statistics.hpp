#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "stats/sample_statistics.hpp"
#include "stats/settling.hpp"

namespace percycle {

/// The series of a sustained load, in seconds since it began.
struct LoadCurves {
  std::vector<TimedValue> rate;  ///< 1e9 bytes or operations per second
  std::vector<TimedValue> clock_mhz;
  std::vector<TimedValue> power_w;
  std::vector<TimedValue> temperature_c;
};

/// Whether the samples come from a sustained load.
bool is_sustained(const Measurement& measurement);

/// The series of a sustained load, empty for other measurements. The clock comes from the kernel's
/// counter, else from telemetry. Telemetry counts once per refresh, without its first reading.
LoadCurves load_curves(const Measurement& measurement);

/// The energy of a whole load by a counter that contradicts the power.
struct EnergyContradiction {
  double counted_j = 0;
  double integrated_j = 0;
};

/// Set if the card's counter gives more than three times the energy of its power, or less than a
/// third. The statistics then go by the power.
std::optional<EnergyContradiction> energy_contradiction(const Measurement& measurement);

/// The values that a sustained load settles at, and its energy; the source lists them. Empty for
/// other measurements. Pure.
Statistics sustained_statistics(const Measurement& measurement, SettlingFits fits = {});

}  // namespace percycle
