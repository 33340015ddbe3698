#include "measure/clock.hpp"

#include <string>

#include "core/timed_sample.hpp"
#include "measure/counter.hpp"
#include "measure/time_source.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

/// Rate of the counter in one sample by this time source, in ticks per nanosecond.
std::optional<double> rate_by(const std::string& time_source, double idle_ns, const Sample& sample) {
  if (sample.groups && time_source == kInKernelClock) return sample.groups->ticks_per_ns;
  // If groups may have run one after the other, a single group's ticks do not cover the dispatch.
  if (sample.groups && !sample.groups->units) return std::nullopt;
  const auto ticks = counter_ticks(sample);
  const auto ns = timed_ns(time_source, idle_ns, sample);
  if (!ticks || !ns || *ns <= 0) return std::nullopt;
  return *ticks / *ns;
}

/// The median rate of the counter over the samples; empty if most samples lack it or no counter
/// ticked. The ticks count even if a few samples have no time.
std::optional<double> rate_during(const Measurement& point) {
  const TimeSource source = choose_time_source(point.samples);
  std::vector<double> rates;
  for (const auto& sample : point.samples) {
    if (const auto rate = rate_by(source.name, point.idle_ns.value_or(0), sample)) rates.push_back(*rate);
  }
  if (rates.empty() || 2 * rates.size() <= point.samples.size()) return std::nullopt;
  const double rate = median(rates);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

std::optional<double> telemetry_mhz(const std::vector<TelemetrySample>& telemetry) {
  std::vector<double> told;
  for (const auto& sample : fresh(telemetry)) {
    if (sample.reading.clock_mhz) told.push_back(*sample.reading.clock_mhz);
  }
  return told.empty() ? std::nullopt : std::optional(median(told));
}

std::optional<double> chain_mhz(const AluChainRuns& chain) {
  double cycles = 0;
  double ns = 0;
  for (const auto& run : chain.runs) {
    cycles += static_cast<double>(run.ops) * chain.cycles_per_op;
    ns += run.ns;
  }
  return ns > 0 ? std::optional(cycles / ns * 1e3) : std::nullopt;
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

CoreClock DeviceClock::during(const Measurement& point) const {
  CoreClock clock;
  if (const auto rate = rate_during(point)) {
    std::vector<double> rates = counter_rates_;
    rates.push_back(*rate);
    clock.counted = classify_counter(median(rates), *device_) == CounterKind::cycles;
    if (clock.counted) {
      clock.known_mhz.push_back({*rate * 1e3, Provenance::measured_in_kernel});
    } else {
      clock.counter_mhz = *rate * 1e3;
    }
  }
  if (const auto told = telemetry_mhz(point.telemetry)) clock.known_mhz.push_back({*told, Provenance::telemetry});
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
