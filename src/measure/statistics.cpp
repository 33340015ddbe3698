#include "measure/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "measure/counter.hpp"
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
  for (double* value : {&net.median, &net.min, &net.max}) *value -= control->second.median;
  measurement.statistics["net_" + unit + "_per_op"] = net;
}

}  // namespace

bool device_timer_sane(const Timing& timing) {
  return timing.device_ns && *timing.device_ns > 0 && *timing.device_ns <= timing.host_ns * 1.02 + 1e4;
}

double trusted_ns(const Timing& timing) { return device_timer_sane(timing) ? *timing.device_ns : timing.host_ns; }

void derive_statistics(Measurement& measurement, const DeviceInfo& device) {
  if (measurement.samples.empty()) throw std::invalid_argument("a measurement without samples has no statistics");
  const auto& samples = measurement.samples;
  const auto all = [&](const auto& test) { return std::all_of(samples.begin(), samples.end(), test); };
  const double idle = measurement.idle_ns.value_or(0);

  // A device timer that runs past the host's, or an in-kernel clock that runs past the dispatch, cannot be right.
  const bool device_timer = all([](const Sample& s) { return s.timing.device_ns && *s.timing.device_ns > 0; });
  const bool use_device_timer = all([](const Sample& s) { return device_timer_sane(s.timing); });
  if (device_timer && !use_device_timer) measurement.warnings.push_back("the device timer says more than the host's: not used");
  const auto whole = [&](const Sample& s) { return use_device_timer ? *s.timing.device_ns : s.timing.host_ns; };

  const bool realtime = all([](const Sample& s) { return s.clock.realtime_ns && *s.clock.realtime_ns > 0; });
  const bool realtime_sane = realtime && all([&](const Sample& s) { return *s.clock.realtime_ns <= whole(s) * 1.02 + 1e4; });
  if (realtime && !realtime_sane)
    measurement.warnings.push_back("the in-kernel clock says more than the whole dispatch: not used");

  const Value time = [&](const Sample& s) -> std::optional<double> {
    return realtime_sane ? *s.clock.realtime_ns : std::max(whole(s) - idle, 0.0);
  };
  // The control kernel has no warm-up: what an idle dispatch of it takes is far below its samples.
  const Value control_time = [&](const Sample& s) -> std::optional<double> {
    if (realtime_sane) return s.clock.realtime_ns;
    return use_device_timer && s.timing.device_ns ? *s.timing.device_ns : s.timing.host_ns;
  };
  measurement.time_source = realtime_sane ? "in-kernel clock" : use_device_timer ? "device timer" : "host timer";
  if (!realtime_sane && !all([&](const Sample& s) { return whole(s) > idle; })) {
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

  const Value ticks = [](const Sample& s) -> std::optional<double> {
    if (!s.clock.ticks) return std::nullopt;
    return static_cast<double>(*s.clock.ticks);
  };
  const auto rate = over(samples, [&](const Sample& s) -> std::optional<double> {
    const auto count = ticks(s);
    const auto ns = time(s);
    if (!count || !ns || *ns <= 0) return std::nullopt;
    return *count / *ns;
  });
  if (rate && rate->median > 0 && classify_counter(rate->median, device) == CounterKind::cycles) {
    measurement.clock_mhz = Sourced<double>{rate->median * 1e3, Provenance::measured_in_kernel};
    put_with_fastest("cycles_per_op", per_op(ticks));
    put(measurement, "control_cycles_per_op", over(measurement.control_samples, per_op(ticks)));
  } else {
    if (rate && rate->median > 0) measurement.counter_mhz = rate->median * 1e3;
    if (device.clock_mhz) {
      measurement.clock_mhz = device.clock_mhz;
      const double cycles_per_ns = device.clock_mhz->value / 1e3;
      put_with_fastest("cycles_per_op", per_op(scaled(time, cycles_per_ns)));
      put(measurement, "control_cycles_per_op", over(measurement.control_samples, per_op(scaled(control_time, cycles_per_ns))));
    }
  }
  put_net(measurement, "ns");
  put_net(measurement, "cycles");
}

}  // namespace percycle
