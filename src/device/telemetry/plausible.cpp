#include "device/telemetry/plausible.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/clock_range.hpp"

namespace percycle::telemetry {
namespace {

constexpr double kMostWatts = 5000;  // the largest cards of 2026 have 1400
constexpr double kColdestC = -60;
constexpr double kHottestC = 150;

}  // namespace

TelemetryReading PlausibleReadings::accept(TelemetryReading reading) {
  if (reading.clock_mhz && !is_possible_clock(*reading.clock_mhz)) refused_mhz_ = *std::exchange(reading.clock_mhz, std::nullopt);
  has_clock_ = has_clock_ || reading.clock_mhz;
  if (reading.power_w && !(*reading.power_w > 0 && *reading.power_w < kMostWatts)) reading.power_w.reset();
  if (reading.temperature_c && !(*reading.temperature_c > kColdestC && *reading.temperature_c < kHottestC))
    reading.temperature_c.reset();
  return reading;
}

std::string PlausibleReadings::take_warning() {
  const double refused = std::exchange(refused_mhz_, 0);
  if (std::exchange(has_clock_, false) || refused <= 0) return {};
  return impossible_clock("telemetry", refused);
}

}  // namespace percycle::telemetry
