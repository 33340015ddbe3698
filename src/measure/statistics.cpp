#include "measure/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "core/figures.hpp"
#include "core/timed_sample.hpp"
#include "measure/time_source.hpp"
#include "stats/energy_bound.hpp"
#include "stats/sample_statistics.hpp"

namespace percycle {
namespace {

SampledDevice sampled(const DeviceInfo& device) {
  return {.is_cpu = device.type == DeviceType::cpu, .units = device.units ? std::optional(device.units->value) : std::nullopt};
}

}  // namespace

bool is_too_short(const Measurement& measurement) {
  const TimeSource source = choose_time_source(measurement.samples);
  return !std::all_of(measurement.samples.begin(), measurement.samples.end(), [&](const Sample& sample) {
    return timed_ns(source.name, measurement.idle_ns.value_or(0), sample).value_or(0) > 0;
  });
}

void derive_statistics(Measurement& measurement, const DeviceClock& device_clock) {
  if (measurement.samples.empty()) throw std::invalid_argument("a measurement without samples has no statistics");
  TimeSource source = choose_time_source(measurement.samples);
  measurement.time_source = source.name;
  std::ranges::move(source.warnings, std::back_inserter(measurement.warnings));
  CoreClock clock = device_clock.during(measurement);
  measurement.clock_mhz = clock.best();
  std::ranges::move(clock.warnings, std::back_inserter(measurement.warnings));
  measurement.counter_mhz = clock.counter_mhz;
  measurement.clocks_mhz = std::move(clock.known_mhz);
  if (!clock.counted && !measurement.telemetry.empty() && fresh(measurement.telemetry).empty())
    measurement.warnings.emplace_back("telemetry did not change during the samples, so it gives no clock");
  measurement.statistics = statistics_of(measurement, sampled(device_clock.device()));
  if (std::string warning = energy_warning(measurement); !warning.empty()) measurement.warnings.push_back(std::move(warning));

  // A counter or timer that stood still gives no measurement; the others do.
  std::erase_if(measurement.statistics, [&](const auto& statistic) {
    const auto& [name, summary] = statistic;
    if (!figure_called(name).is_positive || summary.median > 0) return false;
    measurement.warnings.push_back(fmt::format("the samples give {} for {}, so percycle left it out", summary.median, name));
    return true;
  });
  if (is_too_short(measurement)) {
    measurement.warnings.push_back("a sample took no longer than an idle dispatch, so it gives no time");
    // Values from the unit's own counter do not depend on the idle time.
    std::erase_if(measurement.statistics, [&](const auto& statistic) {
      const std::string& name = statistic.first;
      const bool by_time = name == figures::kNsPerOp || name == figures::kFastestNsPerOp || name == figures::kNetNsPerOp;
      return by_time || (!clock.counted && name.ends_with(figures::kCyclesPerOp));
    });
  }
  if (const auto net = measurement.statistics.find(figures::kNetNsPerOp);
      net != measurement.statistics.end() && net->second.median < 0)
    measurement.warnings.push_back("the control kernel ran longer than the timed kernel, so the net value is not a latency");
}

void derive_series_sum(Measurement& measurement, const std::string& name) {
  auto sums = series_statistics(measurement);
  if (const auto sum = sums.find(name + "_per_op"); sum != sums.end()) measurement.statistics.insert(*sum);
}

}  // namespace percycle
