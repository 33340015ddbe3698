#pragma once

#include <chrono>
#include <string>

namespace percycle {

/// Time limits for drivers; percycle ends a slower process and continues without it.
/// PERCYCLE_PATIENCE=SECONDS in the environment replaces them (telemetry's only if it is less);
/// tests of hanging drivers set it.
struct Patience {
  /// A cold NVIDIA driver has needed several seconds.
  std::chrono::milliseconds enumeration = std::chrono::seconds(30);
  /// Far above any point or program, which take seconds.
  std::chrono::milliseconds answer = std::chrono::seconds(180);
  /// For the checks of a device by `doctor`.
  std::chrono::milliseconds doctor = std::chrono::seconds(20);
  /// To load a library of telemetry, which percycle can do without.
  std::chrono::milliseconds telemetry = std::chrono::seconds(10);
};

/// Throws UsageError if PERCYCLE_PATIENCE is not a number from 0.1 to 86400.
Patience driver_patience();

/// "30 s", "0.5 s".
std::string seconds_text(std::chrono::milliseconds time);

}  // namespace percycle
