#pragma once

#include <string>

#include "core/telemetry.hpp"

namespace percycle::telemetry {

/// Leaves out values that no graphics card has: sources return all ones, 0 or another unit where
/// they know nothing. Remembers the clocks, because a clock normalizes figures.
class PlausibleReadings {
 public:
  /// The reading without its impossible values.
  TelemetryReading accept(TelemetryReading reading);

  /// If since the last call every clock was impossible: a warning with the last one; else empty.
  std::string take_warning();

 private:
  bool has_clock_ = false;
  double refused_mhz_ = 0;  // 0: none
};

}  // namespace percycle::telemetry
