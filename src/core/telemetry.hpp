#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace percycle {

/// What a device tells of its state at one moment. What its source does not tell is absent.
struct TelemetryReading {
  std::optional<double> clock_mhz{};  ///< of the core
  std::optional<double> power_w{};
  std::optional<double> temperature_c{};

  bool operator==(const TelemetryReading&) const = default;
  bool is_empty() const { return !clock_mhz && !power_w && !temperature_c; }
};

/// A reading taken while a point was sampled.
struct TelemetrySample {
  double ns = 0;  ///< since the first of them
  TelemetryReading reading;
};

/// What else of a device's state bears on a measurement.
struct Conditions {
  std::map<std::string, std::string> observed;  ///< by name, e.g. "ecc": "on"
  std::vector<std::string> warnings;            ///< of what spoils a measurement
};

/// The readings that tell of the time since the first of them. A driver refreshes what it tells every 100 ms or so: a reading that repeats the first one,
/// its power included, is older than the samples. All of them where the power is not told: such sources read the clock when asked.
inline std::span<const TelemetrySample> fresh(std::span<const TelemetrySample> samples) {
  if (samples.empty() || !samples.front().reading.power_w) return samples;
  const TelemetryReading first = samples.front().reading;
  while (!samples.empty() && samples.front().reading == first) samples = samples.subspan(1);
  return samples;
}

/// Makes `ns`, of whatever origin, count from the first sample.
inline void count_from_first(std::vector<TelemetrySample>& samples) {
  for (auto sample = samples.rbegin(); sample != samples.rend(); ++sample) sample->ns -= samples.front().ns;
}

}  // namespace percycle
