#include "report/clock_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/figures.hpp"

namespace percycle {
namespace {

constexpr double kAgree = 0.02;
constexpr double kLongestLagNs = 1e9;  // of NVML's mean power; its clock refreshes every 0.1 s

std::optional<double> clock_by(const Measurement& measurement, Provenance provenance) {
  const auto& clocks = measurement.clocks_mhz;
  const auto found =
      std::find_if(clocks.begin(), clocks.end(), [&](const auto& clock) { return clock.provenance == provenance; });
  return found == clocks.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

std::optional<double> telemetry_error(const Measurement& measurement) {
  const auto counted = clock_by(measurement, Provenance::measured_in_kernel);
  const auto reported = clock_by(measurement, Provenance::telemetry);
  if (!counted || !reported) return std::nullopt;
  const double error = *reported / *counted - 1;
  return std::abs(error) > kAgree ? std::optional(error) : std::nullopt;
}

std::string clock_note(const Measurement& measurement) {
  const auto error = telemetry_error(measurement);
  if (!error) return {};
  const bool may_lag = measurement.telemetry.empty() || measurement.telemetry.back().ns <= kLongestLagNs;
  return fmt::format("the clock is {} by the kernel's counter and {} by telemetry ({:+.1f} %){}",
                     in_unit(*clock_by(measurement, Provenance::measured_in_kernel), 0, unit_text::kMhz),
                     in_unit(*clock_by(measurement, Provenance::telemetry), 0, unit_text::kMhz), 100 * *error,
                     may_lag ? ", which may lag" : "");
}

}  // namespace percycle
