#include "measure/clock.hpp"

#include <vector>

#include "measure/counter.hpp"
#include "measure/time_source.hpp"
#include "stats/clock_readings.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

std::optional<double> telemetry_mhz(const std::vector<TelemetrySample>& telemetry) {
  std::vector<double> readings;
  for (const auto& sample : fresh(telemetry)) {
    if (sample.reading.clock_mhz) readings.push_back(*sample.reading.clock_mhz);
  }
  return readings.empty() ? std::nullopt : std::optional(median(readings));
}

}  // namespace

std::optional<Sourced<double>> CoreClock::best() const {
  return known_mhz.empty() ? std::nullopt : std::optional(known_mhz.front());
}

double DeviceClock::counter_rate(const Sample& sample) {
  if (sample.groups) return sample.groups->ticks_per_ns.value_or(0);
  const auto& clock = sample.clock;
  return clock.ticks && clock.realtime_ns && *clock.realtime_ns > 0 ? static_cast<double>(*clock.ticks) / *clock.realtime_ns : 0;
}

void DeviceClock::observe(const Sample& sample) {
  const double rate = counter_rate(sample);
  if (rate > fastest_ && classify_counter(rate, *device_) == CounterKind::cycles) fastest_ = rate;
}

void DeviceClock::observe(const Measurement& finished) {
  const auto& clock = finished.clock_mhz;
  if (finished.counter_mhz) {
    counter_rates_.push_back(*finished.counter_mhz / 1e3);
  } else if (clock && clock->provenance == Provenance::measured_in_kernel) {
    counter_rates_.push_back(clock->value / 1e3);
  }
}

// In order of trust: the unit's counter if it counts cycles, the median of the telemetry that is
// fresh(), the dependent-ALU chain, the reported clock. The median rate of all points decides
// whether the counter counts cycles, so that single points do not disagree near a threshold.
CoreClock DeviceClock::during(const Measurement& point) const {
  CoreClock clock;
  if (const auto rate = counter_ticks_per_ns(point, choose_time_source(point.samples).name)) {
    std::vector<double> rates = counter_rates_;
    rates.push_back(*rate);
    clock.counted = classify_counter(median(rates), *device_) == CounterKind::cycles;
    if (clock.counted) {
      clock.known_mhz.push_back({*rate * 1e3, Provenance::measured_in_kernel});
    } else {
      clock.counter_mhz = *rate * 1e3;
    }
  }
  if (const auto mhz = telemetry_mhz(point.telemetry)) clock.known_mhz.push_back({*mhz, Provenance::telemetry});
  if (point.alu_chain) {
    if (const auto mhz = chain_mhz(*point.alu_chain)) clock.known_mhz.push_back({*mhz, Provenance::calibrated_chain});
  }
  if (device_->clock_mhz) clock.known_mhz.push_back(*device_->clock_mhz);
  return clock;
}

bool DeviceClock::needs_chain(const Measurement& point) const {
  const auto best = during(point).best();
  return !best || best->provenance >= Provenance::calibrated_chain;
}

}  // namespace percycle
