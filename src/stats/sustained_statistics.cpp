#include "stats/sustained_statistics.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/figures.hpp"
#include "core/timed_sample.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr double kNsPerS = 1e9;
constexpr double kSteadyFrom = 2.0 / 3;  // the last third of the load counts as steady
constexpr std::size_t kFewestReadings = 5;

/// Bytes or operations of one loop of the dispatch, and the word for them in statistics.
struct Yield {
  double of_op;
  const char* rate;
  const char* unit;
  const char* per_joule;
};

std::optional<Yield> yield_of(const Measurement& measurement) {
  if (const auto& work = measurement.work)
    return Yield{static_cast<double>(work->bytes_per_op), figures::kSteadyGbPerS, figures::kPjPerByte, figures::kGbPerJoule};
  if (const auto& lanes = measurement.participants)
    return Yield{static_cast<double>(lanes->dispatch), figures::kSteadyGopsPerS, figures::kPjPerOperation,
                 figures::kGopsPerJoule};
  return std::nullopt;
}

std::vector<double> values_after(const std::vector<TimedValue>& series, double s) {
  std::vector<double> values;
  for (const TimedValue& each : series) {
    if (each.s >= s) values.push_back(each.value);
  }
  return values;
}

void put(Statistics& statistics, const char* name, const std::vector<double>& values) {
  if (!values.empty()) statistics[name] = summarise(values);
}

void put(Statistics& statistics, const char* name, const std::optional<double>& value) {
  if (value) statistics[name] = summarise(std::array{*value});
}

/// Energy between two readings of telemetry. Either way is empty if readings lack it.
struct Energy {
  double begin_s = 0;
  double end_s = 0;
  std::optional<double> by_counter_j{};
  std::optional<double> integrated_j{};
  std::optional<double> refused_j{};  ///< by the counter, which contradicts the power

  std::optional<double> joules() const { return by_counter_j ? by_counter_j : integrated_j; }
};

/// The counter's energy from the first reading to the last; empty if it is missing, stands still or
/// wraps.
std::optional<double> counted_j(const std::vector<TelemetrySample>& readings) {
  const auto falls = [](const TelemetrySample& before, const TelemetrySample& after) {
    return before.reading.energy_j && after.reading.energy_j && *after.reading.energy_j < *before.reading.energy_j;
  };
  const auto& first = readings.front().reading.energy_j;
  const auto& last = readings.back().reading.energy_j;
  if (!first || !last || std::ranges::adjacent_find(readings, falls) != readings.end()) return std::nullopt;
  return *last > *first ? std::optional(*last - *first) : std::nullopt;
}

/// Whether a counter of energy and the power differ by more than means over a second explain.
bool is_contradiction(double counted_j, double integrated_j) {
  constexpr double kMostRatio = 3;
  return counted_j > kMostRatio * integrated_j || integrated_j > kMostRatio * counted_j;
}

/// The energy from the first of the refreshed readings after `begin_s` to the last one before
/// `end_s`. A power reading describes the time since the reading before it.
std::optional<Energy> energy_within(const Measurement& measurement, double begin_s, double end_s) {
  std::vector<TelemetrySample> readings;
  for (const TelemetrySample& sample : fresh(measurement.telemetry)) {
    const double s = sample.ns / kNsPerS;
    if (s >= begin_s && s <= end_s && (sample.reading.power_w || sample.reading.energy_j)) readings.push_back(sample);
  }
  if (readings.size() < kFewestReadings) return std::nullopt;
  Energy energy{.begin_s = readings.front().ns / kNsPerS, .end_s = readings.back().ns / kNsPerS};
  energy.by_counter_j = counted_j(readings);
  if (!std::ranges::all_of(readings, [](const TelemetrySample& sample) { return sample.reading.power_w.has_value(); }))
    return energy;
  double joules = 0;
  for (std::size_t i = 1; i < readings.size(); ++i)
    joules += *readings[i].reading.power_w * (readings[i].ns - readings[i - 1].ns) / kNsPerS;
  energy.integrated_j = joules;
  if (energy.by_counter_j && is_contradiction(*energy.by_counter_j, joules))
    energy.refused_j = std::exchange(energy.by_counter_j, {});
  return energy;
}

/// Operations of the load from its start to `s`; between two samples in proportion to the time.
double ops_until(const Measurement& measurement, double s) {
  double ops = 0;
  double begin = 0;
  for (const Sample& sample : measurement.samples) {
    const double end = *sample.end_ns / kNsPerS;
    const auto total = static_cast<double>(sample.load_ops.value_or(0));
    if (end > s) return ops + (total - ops) * (s - begin) / (end - begin);
    ops = total;
    begin = end;
  }
  return ops;
}

/// By the device-wide clock, else by the dispatch's time, which the ticks of all units cover.
std::optional<double> ticks_per_ns(const Measurement& measurement, const Sample& sample) {
  if (!sample.groups || sample.groups->ticks_per_ns) return sample.groups ? sample.groups->ticks_per_ns : std::nullopt;
  const auto ticks = counter_ticks(sample);
  const auto ns = timed_ns(measurement, sample);
  if (!sample.groups->units || !ticks || !ns || *ns <= 0) return std::nullopt;
  return *ticks / *ns;
}

}  // namespace

bool is_sustained(const Measurement& measurement) {
  return !measurement.samples.empty() &&
         std::ranges::all_of(measurement.samples, [](const Sample& sample) { return sample.end_ns.has_value(); });
}

LoadCurves load_curves(const Measurement& measurement) {
  LoadCurves curves;
  const auto yield = yield_of(measurement);
  if (!yield || !is_sustained(measurement)) return curves;
  const bool is_counted = measurement.clock_mhz && measurement.clock_mhz->provenance == Provenance::measured_in_kernel;
  for (const Sample& sample : measurement.samples) {
    const double s = *sample.end_ns / kNsPerS;
    if (const auto ns = timed_ns(measurement, sample); ns && *ns > 0)
      curves.rate.push_back({s, yield->of_op * static_cast<double>(sample.ops) / *ns});
    if (const auto rate = ticks_per_ns(measurement, sample); rate && is_counted) curves.clock_mhz.push_back({s, 1e3 * *rate});
  }
  for (const TelemetrySample& sample : fresh(measurement.telemetry)) {
    const auto add = [&](std::vector<TimedValue>& series, const std::optional<double>& value) {
      if (value) series.push_back({sample.ns / kNsPerS, *value});
    };
    if (!is_counted) add(curves.clock_mhz, sample.reading.clock_mhz);
    add(curves.power_w, sample.reading.power_w);
    add(curves.temperature_c, sample.reading.temperature_c);
  }
  return curves;
}

std::optional<EnergyContradiction> energy_contradiction(const Measurement& measurement) {
  if (!is_sustained(measurement)) return std::nullopt;
  const auto whole = energy_within(measurement, 0, *measurement.samples.back().end_ns / kNsPerS);
  if (!whole || !whole->refused_j) return std::nullopt;
  return EnergyContradiction{.counted_j = *whole->refused_j, .integrated_j = *whole->integrated_j};
}

// "Steady" is the last third of the load.
// - steady_gb_per_s, steady_gops_per_s: rate of the steady samples; both with work and participants
// - steady_mhz, steady_c: clock (the kernel's counter, else telemetry) and temperature
// - steady_w: energy between the first and the last steady reading, divided by the time
// - steady_after_s: settled_after() of the rate (median of five samples)
// - rate_constant_s, heat_constant_s: Settling::constant_s of rate and temperature
// - busy_share: the samples' own time as a share of the load; the rest is launches and checks
// - energy_j, integrated_j: from the first refresh of telemetry to the last, by the card's counter
//   and as power over time
// - pj_per_byte, pj_per_operation: steady energy, by the counter, else by power over time
// - gb_per_joule, gops_per_joule: work per energy, which is rate per watt
//
// A power reading describes the time since the previous refresh. The time of the first refresh
// began before the load, so it adds nothing. With fewer than five refreshes there is no energy.
Statistics sustained_statistics(const Measurement& measurement, SettlingFits fits) {
  Statistics statistics;
  const auto yield = yield_of(measurement);
  if (!yield || !is_sustained(measurement)) return statistics;
  const LoadCurves curves = load_curves(measurement);
  const double end_s = *measurement.samples.back().end_ns / kNsPerS;
  const double steady_s = kSteadyFrom * end_s;

  const std::vector<double> steady_rates = values_after(curves.rate, steady_s);
  put(statistics, yield->rate, steady_rates);
  if (measurement.work && measurement.participants) {
    const double ops = static_cast<double>(measurement.participants->dispatch) / yield->of_op;
    std::vector<double> steady_ops;
    for (const double rate : steady_rates) steady_ops.push_back(ops * rate);
    put(statistics, figures::kSteadyGopsPerS, steady_ops);
  }
  put(statistics, figures::kSteadyAfterS, settled_after(curves.rate));
  const auto put_constant = [&](const char* name, bool is_wanted, const std::vector<TimedValue>& series) {
    if (!is_wanted) return;
    if (const auto settling = fit_settling(series)) put(statistics, name, settling->constant_s);
  };
  put_constant(figures::kRateConstantS, fits.rate, curves.rate);
  put(statistics, figures::kSteadyMhz, values_after(curves.clock_mhz, steady_s));
  put(statistics, figures::kSteadyC, values_after(curves.temperature_c, steady_s));
  put_constant(figures::kHeatConstantS, fits.heat, curves.temperature_c);

  // Not all samples of a long load are kept, so their mean represents the others.
  double busy_ns = 0;
  double ops = 0;
  for (const Sample& sample : measurement.samples) {
    busy_ns += timed_ns(measurement, sample).value_or(0);
    ops += static_cast<double>(sample.ops);
  }
  put(statistics, figures::kBusyShare, busy_ns / ops * ops_until(measurement, end_s) / kNsPerS / end_s);

  if (const auto whole = energy_within(measurement, 0, end_s)) {
    put(statistics, figures::kEnergyJ, whole->by_counter_j);
    put(statistics, figures::kIntegratedJ, whole->integrated_j);
  }
  if (const auto steady = energy_within(measurement, steady_s, end_s)) {
    const double joules = steady->joules().value_or(0);
    const double amount = yield->of_op * (ops_until(measurement, steady->end_s) - ops_until(measurement, steady->begin_s));
    if (amount <= 0 || joules <= 0) return statistics;
    put(statistics, figures::kSteadyW, joules / (steady->end_s - steady->begin_s));
    put(statistics, yield->unit, 1e12 * joules / amount);
    put(statistics, yield->per_joule, amount / joules / 1e9);
  }
  return statistics;
}

}  // namespace percycle
