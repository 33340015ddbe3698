#include "store/impossible_clocks.hpp"

#include <fmt/format.h>

namespace percycle {
namespace {

constexpr double kLeastMhz = 50;
constexpr double kMostMhz = 6000;
constexpr double kHalfApart = 1.5;
// The kept records of the H200 have readings of 705 MHz beside points at 1980 MHz.
constexpr double kFarApart = 4;

std::optional<std::string> outside(const std::string& member, double mhz) {
  if (mhz >= kLeastMhz && mhz <= kMostMhz) return {};
  return fmt::format("{}: {} MHz is outside {} to {} MHz", member, mhz, kLeastMhz, kMostMhz);
}

/// How many times `higher` the clocks of these sources may differ. A driver may report a base
/// clock. A chain gives the clock of an operation whose latency is assumed.
double most_apart(Provenance higher, Provenance lower) {
  const auto is_rough = [](Provenance source) {
    return source == Provenance::reported || source == Provenance::calibrated_chain;
  };
  return is_rough(higher) || is_rough(lower) || lower == Provenance::telemetry ? kFarApart : kHalfApart;
}

/// The report of a CPU is its base clock, which says little of the clock that it runs at.
bool is_comparable(const Header& header, Provenance source) {
  return header.device.type != DeviceType::cpu || source != Provenance::reported;
}

}  // namespace

std::optional<std::string> impossible_clock(const Header&, const PointResult& result) {
  const Measurement& measurement = *result.measurement;
  for (std::size_t i = 0; i < measurement.clocks_mhz.size(); ++i) {
    if (auto found = outside(fmt::format("measurement.clocks_mhz[{}]", i), measurement.clocks_mhz[i].value)) return found;
  }
  for (std::size_t i = 0; i < measurement.telemetry.size(); ++i) {
    const auto mhz = measurement.telemetry[i].reading.clock_mhz;
    if (!mhz) continue;
    if (auto found = outside(fmt::format("measurement.telemetry[{}].clock_mhz", i), *mhz)) return found;
  }
  return {};
}

std::optional<std::string> contradicting_clocks(const Header& header, const PointResult& result) {
  const auto& clocks = result.measurement->clocks_mhz;
  for (const auto& high : clocks) {
    for (const auto& low : clocks) {
      if (!is_comparable(header, high.provenance) || !is_comparable(header, low.provenance)) continue;
      if (high.value > low.value * most_apart(high.provenance, low.provenance))
        return fmt::format("measurement.clocks_mhz: {} MHz ({}) and {} MHz ({}) are too far apart", high.value,
                           to_string(high.provenance), low.value, to_string(low.provenance));
    }
  }
  return {};
}

}  // namespace percycle
