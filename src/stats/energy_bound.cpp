#include "stats/energy_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/figures.hpp"
#include "stats/summary.hpp"
#include "stats/sustained_statistics.hpp"

namespace percycle {
namespace {

constexpr double kLastThird = 2.0 / 3;  // as in the statistics of a load
constexpr double kReached = 0.95;       // readings scatter by a few percent
constexpr double kWorthSaying = 0.02;

}  // namespace

std::optional<EnergyBound> energy_bound(const Measurement& measurement) {
  const std::vector<TimedValue> power = load_curves(measurement).power_w;
  if (power.size() < 2) return std::nullopt;
  const double end_s = power.back().s;
  std::vector<double> last_third;
  for (const TimedValue& reading : power) {
    if (reading.s >= kLastThird * end_s) last_third.push_back(reading.value);
  }
  const double steady = median(last_third);
  const auto reached =
      std::find_if(power.begin(), power.end(), [&](const TimedValue& reading) { return reading.value >= kReached * steady; });
  EnergyBound bound{.load_s = end_s, .rise_s = reached->s};
  if (reached->s >= kLastThird * end_s) return bound;
  double joules = 0;
  double missing = 0;
  for (auto reading = power.begin() + 1; reading != power.end(); ++reading) {
    const double s = reading->s - (reading - 1)->s;
    joules += reading->value * s;
    if (reading <= reached) missing += std::max(steady - reading->value, 0.0) * s;
  }
  bound.missing_share = missing / (joules + missing);
  return bound;
}

std::string energy_warning(const Measurement& measurement) {
  if (const auto found = energy_contradiction(measurement)) {
    return fmt::format("the counter of energy gives {:.3g} times the energy of the power readings, so percycle uses the power",
                       found->counted_j / found->integrated_j);
  }
  if (!measurement.statistics.contains(figures::kIntegratedJ) || measurement.statistics.contains(figures::kEnergyJ)) return "";
  const auto bound = energy_bound(measurement);
  if (!bound) return "";
  if (!bound->missing_share) {
    return fmt::format(
        "the energy comes from power readings, which still rose at the end of the load of {:.1f} s; it is too low by an unknown "
        "share",
        bound->load_s);
  }
  if (*bound->missing_share < kWorthSaying) return "";
  return fmt::format(
      "the energy comes from power readings, which may be averages and rose for {:.2f} s of {:.1f} s; "
      "it may be up to {:.1f} % too low",
      bound->rise_s, bound->load_s, 100 * *bound->missing_share);
}

}  // namespace percycle
