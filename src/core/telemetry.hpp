#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace percycle {

/// The device's state at one moment. Values that its source does not report are empty.
struct TelemetryReading {
  std::optional<double> clock_mhz{};  ///< core clock
  std::optional<double> power_w{};
  std::optional<double> temperature_c{};
  std::optional<double> energy_j{};  ///< by a counter of the card, from any origin

  bool operator==(const TelemetryReading&) const = default;
  bool is_empty() const { return !clock_mhz && !power_w && !temperature_c; }
  /// Whether a driver that refreshes its values now and then shows the other reading again. The
  /// counter of energy refreshes at other times.
  bool repeats(const TelemetryReading& other) const {
    return power_w && clock_mhz == other.clock_mhz && power_w == other.power_w && temperature_c == other.temperature_c;
  }
};

/// A reading taken while a point was sampled.
struct TelemetrySample {
  double ns = 0;  ///< since the first sample
  TelemetryReading reading;
};

/// Other properties of a device's state that affect a measurement.
struct Conditions {
  std::map<std::string, std::string> observed;  ///< by name, e.g. "ecc": "on"
  std::vector<std::string> warnings;            ///< states that spoil a measurement
};

/// The readings that describe the time since the first one. A driver refreshes its values about
/// every 100 ms: a reading that repeats the first one, power included, is older than the samples.
/// Returns all if there is no power reading: these sources read the clock on request.
inline std::span<const TelemetrySample> fresh(std::span<const TelemetrySample> samples) {
  if (samples.empty() || !samples.front().reading.power_w) return samples;
  const TelemetryReading first = samples.front().reading;
  while (!samples.empty() && samples.front().reading.repeats(first)) samples = samples.subspan(1);
  return samples;
}

/// Adds a reading, unless it repeats the last one. One reading per refresh is left, dated when it
/// was first seen.
inline void add_if_new(std::vector<TelemetrySample>& samples, const TelemetrySample& sample) {
  if (samples.empty() || !sample.reading.repeats(samples.back().reading)) samples.push_back(sample);
}

/// Shifts `ns` from any origin to the first sample.
inline void count_from_first(std::vector<TelemetrySample>& samples) {
  for (auto sample = samples.rbegin(); sample != samples.rend(); ++sample) sample->ns -= samples.front().ns;
}

}  // namespace percycle
