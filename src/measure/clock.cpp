#include "measure/clock.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock_range.hpp"
#include "core/figures.hpp"
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

std::string_view source_of(const Sourced<double>& clock) { return to_string(clock.provenance); }

/// Whether two clocks may be the same one. A reported clock is a maximum.
bool agree(const Sourced<double>& left, const Sourced<double>& right) {
  constexpr double kMostRatio = 1.5;
  if (left.provenance == Provenance::reported) return agree(right, left);
  const bool is_limit = right.provenance == Provenance::reported;
  return left.value <= kMostRatio * right.value && (is_limit || right.value <= kMostRatio * left.value);
}

/// Whether the unit's counter and the time of the samples may belong to different intervals:
/// without a device-wide clock in the kernel, the time is that of the dispatch, of which some
/// kernels count a part. Then the cycles are right, and their rate is no argument against them.
bool may_count_a_part(const Measurement& point) {
  return std::ranges::none_of(point.samples, [](const Sample& sample) { return sample.groups || sample.clock.realtime_ns; });
}

void leave_out_impossible(CoreClock& clock, bool keeps_counter) {
  std::erase_if(clock.known_mhz, [&](const Sourced<double>& each) {
    if (is_possible_clock(each.value)) return false;
    if (keeps_counter && each.provenance == Provenance::measured_in_kernel) return false;
    clock.warnings.push_back(impossible_clock(source_of(each), each.value));
    return true;
  });
}

/// Leaves out the most trusted clock if at least two others agree against it; else only warns.
void resolve_contradiction(CoreClock& clock) {
  auto& known = clock.known_mhz;
  if (known.size() < 2) return;
  const Sourced<double> best = known.front();
  const auto contradicts = [&](const Sourced<double>& other) { return !agree(best, other); };
  if (std::none_of(known.begin() + 1, known.end(), contradicts)) return;
  const bool alone = known.size() > 2 && std::all_of(known.begin() + 1, known.end(), contradicts) && agree(known[1], known[2]);
  std::vector<std::string> stated;
  for (const auto& each : known) stated.push_back(fmt::format("{} {:.0f}", source_of(each), each.value));
  clock.warnings.push_back(fmt::format("the clocks contradict each other ({} {}); percycle uses the {} one",
                                       fmt::join(stated, ", "), unit_text::kMhz, source_of(alone ? known[1] : best)));
  if (alone) known.erase(known.begin());
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
  const bool keeps_counter = clock.counted && may_count_a_part(point);
  leave_out_impossible(clock, keeps_counter);
  if (!keeps_counter) resolve_contradiction(clock);
  return clock;
}

bool DeviceClock::needs_chain(const Measurement& point) const {
  const auto best = during(point).best();
  return !best || best->provenance >= Provenance::calibrated_chain;
}

}  // namespace percycle
