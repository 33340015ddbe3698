#pragma once

#include <optional>
#include <vector>

namespace percycle {

/// What a device tells of its state at one moment. What its source does not tell is absent.
struct TelemetryReading {
  std::optional<double> clock_mhz{};  ///< of the core
  std::optional<double> power_w{};
  std::optional<double> temperature_c{};

  bool is_empty() const { return !clock_mhz && !power_w && !temperature_c; }
};

/// A reading taken while a point was sampled.
struct TelemetrySample {
  double ns = 0;  ///< since the first of them
  TelemetryReading reading;
};

/// Makes `ns`, of whatever origin, count from the first sample.
inline void count_from_first(std::vector<TelemetrySample>& samples) {
  for (auto sample = samples.rbegin(); sample != samples.rend(); ++sample) sample->ns -= samples.front().ns;
}

}  // namespace percycle
