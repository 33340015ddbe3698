#pragma once

#include <chrono>
#include <string>

namespace percycle {

/// How long a driver may take before its process is ended and percycle goes on without it. PERCYCLE_PATIENCE=SECONDS in the environment
/// replaces both; tests of hanging drivers set it.
struct Patience {
  std::chrono::milliseconds enumeration = std::chrono::seconds(30);  ///< a cold NVIDIA driver has needed several seconds
  std::chrono::milliseconds answer = std::chrono::seconds(180);      ///< far above any point or program, which take seconds
};

/// Throws UsageError where PERCYCLE_PATIENCE is no number from 0.1 to 86400.
Patience driver_patience();

/// "30 s", "0.5 s".
std::string seconds_text(std::chrono::milliseconds time);

}  // namespace percycle
