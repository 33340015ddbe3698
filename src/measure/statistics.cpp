#include "measure/statistics.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/timed_sample.hpp"
#include "measure/time_source.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

using Value = std::function<std::optional<double>(const Sample&)>;

/// `value` of all samples; empty when any sample lacks it.
std::vector<double> values_of(const std::vector<Sample>& samples, const Value& value) {
  std::vector<double> values;
  for (const auto& sample : samples) {
    const auto each = value(sample);
    if (!each) return {};
    values.push_back(*each);
  }
  return values;
}

/// The summary of `value` over the samples, absent when any sample lacks it.
std::optional<Summary> over(const std::vector<Sample>& samples, const Value& value) {
  const auto values = values_of(samples, value);
  if (values.empty()) return std::nullopt;
  return summarise(values);
}

/// The same over the tenth of the samples in which it is least, one at least.
std::optional<Summary> over_fastest(const std::vector<Sample>& samples, const Value& value) {
  auto values = values_of(samples, value);
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return summarise(std::span(values).first((values.size() + 9) / 10));
}

Value per_op(const Value& value) {
  return [value](const Sample& sample) -> std::optional<double> {
    const auto each = value(sample);
    if (!each || sample.ops == 0) return std::nullopt;
    return *each / static_cast<double>(sample.ops);
  };
}

Value scaled(const Value& value, double factor) {
  return [value, factor](const Sample& sample) -> std::optional<double> {
    const auto each = value(sample);
    if (!each) return std::nullopt;
    return *each * factor;
  };
}

void put(Measurement& measurement, const std::string& name, const std::optional<Summary>& summary) {
  if (summary) measurement.statistics[name] = *summary;
}

/// What is left of each sample's quantity when the control's median is taken off.
void put_net(Measurement& measurement, const std::string& unit) {
  const auto raw = measurement.statistics.find(unit + "_per_op");
  const auto control = measurement.statistics.find("control_" + unit + "_per_op");
  if (raw == measurement.statistics.end() || control == measurement.statistics.end()) return;
  Summary net = raw->second;
  for (double* value : {&net.median, &net.min.value(), &net.max.value()}) *value -= control->second.median;
  measurement.statistics["net_" + unit + "_per_op"] = net;
}

/// How many units a dispatch of these groups kept busy: those whose numbers it noted, else one with a single group, else all that the device
/// reports, when there were groups for all of them.
std::optional<double> units_used(const Sample& sample, const DeviceInfo& device) {
  if (!sample.groups) return std::nullopt;
  if (sample.groups->units) return static_cast<double>(*sample.groups->units);
  if (sample.groups->groups == 1) return 1;
  if (!device.units || sample.groups->groups < device.units->value) return std::nullopt;
  return static_cast<double>(device.units->value);
}

/// What one operation of a lane comes to: bytes or operations.
struct Amount {
  double of_dispatch;
  double of_group;
  const char* per_s;           ///< the statistic of 1e9 of it per second
  const char* per_unit_cycle;  ///< of it per unit and cycle
};

/// What `amount` and `time` make of the samples; clock_mhz is known by then if it ever is.
void derive_rate(Measurement& measurement, const DeviceInfo& device, const Value& time, const Amount& amount) {
  const auto& samples = measurement.samples;
  const Value per_ns = [&](const Sample& s) -> std::optional<double> {
    const auto ns = time(s);
    if (!ns || *ns <= 0) return std::nullopt;
    return amount.of_dispatch * static_cast<double>(s.ops) / *ns;
  };
  put(measurement, amount.per_s, over(samples, per_ns));
  put(measurement, "units", over(samples, [&](const Sample& s) { return units_used(s, device); }));
  put(measurement, "groups_at_once",
      over(samples, [](const Sample& s) { return s.groups ? s.groups->groups_at_once : std::nullopt; }));

  const auto& clock = measurement.clock_mhz;
  if (!clock) return;
  const bool counted = counted_by_units(measurement);
  put(measurement, amount.per_unit_cycle, over(samples, [&](const Sample& s) -> std::optional<double> {
        if (counted) return amount.of_group * static_cast<double>(s.ops) * *s.groups->groups_per_tick;
        const auto rate = per_ns(s);
        const auto units = units_used(s, device);
        if (!rate || !units) return std::nullopt;
        return *rate / (clock->value / 1e3) / *units;
      }));
}

}  // namespace

void derive_statistics(Measurement& measurement, const DeviceClock& device_clock) {
  if (measurement.samples.empty()) throw std::invalid_argument("a measurement without samples has no statistics");
  const auto& samples = measurement.samples;
  const DeviceInfo& device = device_clock.device();
  TimeSource source = choose_time_source(samples);
  measurement.time_source = source.name;
  std::ranges::move(source.warnings, std::back_inserter(measurement.warnings));
  const bool by_kernel = source.name == kInKernelClock;
  const bool by_device = source.name == kDeviceTimer;

  const Value time = [&](const Sample& s) { return timed_ns(measurement, s); };
  // The control kernel has no warm-up: what an idle dispatch of it takes is far below its samples.
  const Value control_time = [&](const Sample& s) -> std::optional<double> {
    if (by_kernel) return in_kernel_ns(s);
    return by_device && s.timing.device_ns ? *s.timing.device_ns : s.timing.host_ns;
  };
  const auto is_longer_than_idle = [&](const Sample& s) {
    return (by_device ? *s.timing.device_ns : s.timing.host_ns) > measurement.idle_ns.value_or(0);
  };
  if (!by_kernel && !std::all_of(samples.begin(), samples.end(), is_longer_than_idle)) {
    measurement.warnings.push_back("a sample was no longer than an idle dispatch: too short to tell");
  }

  // Other programs share a CPU's cores and caches. They only ever add to a walk's time, and often to that of most samples.
  const auto put_with_fastest = [&](const std::string& name, const Value& value) {
    put(measurement, name, over(samples, value));
    if (device.type == DeviceType::cpu) put(measurement, "fastest_" + name, over_fastest(samples, value));
  };
  put_with_fastest("ns_per_op", per_op(time));
  put(measurement, "device_ns_per_op", over(samples, per_op([](const Sample& s) { return s.timing.device_ns; })));
  put(measurement, "control_ns_per_op", over(measurement.control_samples, per_op(control_time)));

  CoreClock clock = device_clock.during(measurement);
  measurement.clock_mhz = clock.best();
  measurement.counter_mhz = clock.counter_mhz;
  measurement.clocks_mhz = std::move(clock.known_mhz);
  if (clock.counted) {
    put_with_fastest("cycles_per_op", per_op(DeviceClock::counter_ticks));
    put(measurement, "control_cycles_per_op", over(measurement.control_samples, per_op(DeviceClock::counter_ticks)));
  } else if (measurement.clock_mhz) {
    const double cycles_per_ns = measurement.clock_mhz->value / 1e3;
    put_with_fastest("cycles_per_op", per_op(scaled(time, cycles_per_ns)));
    put(measurement, "control_cycles_per_op", over(measurement.control_samples, per_op(scaled(control_time, cycles_per_ns))));
  }
  put_net(measurement, "ns");
  put_net(measurement, "cycles");
  if (const auto net = measurement.statistics.find("net_ns_per_op");
      net != measurement.statistics.end() && net->second.median < 0)
    measurement.warnings.push_back(
        "the control takes longer than what it is the control of: the two overlap, and net is no latency");
  if (const auto& work = measurement.work) {
    derive_rate(measurement, device, time,
                {static_cast<double>(work->bytes_per_op), static_cast<double>(work->group_bytes_per_op), "gb_per_s",
                 "bytes_per_unit_cycle"});
  }
  if (const auto& lanes = measurement.participants) {
    derive_rate(measurement, device, time,
                {static_cast<double>(lanes->dispatch), static_cast<double>(lanes->group), "gops_per_s", "ops_per_unit_cycle"});
  }
}

void derive_series_sum(Measurement& measurement, const std::string& name) {
  const auto rows = measurement.series.find(name);
  if (rows == measurement.series.end() || rows->second.size() != measurement.samples.size()) return;
  std::vector<double> per_op;
  for (std::size_t i = 0; i < measurement.samples.size(); ++i) {
    const auto& row = rows->second[i];
    const std::uint64_t ops = measurement.samples[i].ops;
    if (ops == 0) return;
    per_op.push_back(std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(ops));
  }
  measurement.statistics[name + "_per_op"] = summarise(per_op);
}

}  // namespace percycle
