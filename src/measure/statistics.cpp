#include "measure/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/timed_sample.hpp"
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
  for (double* value : {&net.median, &net.min.value(), &net.max.value()}) *value -= control->second.median;
  measurement.statistics["net_" + unit + "_per_op"] = net;
}

/// The core clocks there are, most trusted first; `counted` by the units' own counter.
std::vector<Sourced<double>> known_clocks(const Measurement& measurement, std::optional<double> counted,
                                          const DeviceInfo& device) {
  std::vector<Sourced<double>> clocks;
  if (counted) clocks.push_back({*counted, Provenance::measured_in_kernel});
  std::vector<double> told;
  for (const auto& sample : measurement.telemetry) {
    if (sample.reading.clock_mhz) told.push_back(*sample.reading.clock_mhz);
  }
  if (!told.empty()) clocks.push_back({median(told), Provenance::telemetry});
  if (measurement.alu_chain) {
    double cycles = 0;
    double ns = 0;
    for (const auto& run : measurement.alu_chain->runs) {
      cycles += static_cast<double>(run.ops) * measurement.alu_chain->cycles_per_op;
      ns += run.ns;
    }
    if (ns > 0) clocks.push_back({cycles / ns * 1e3, Provenance::calibrated_chain});
  }
  if (device.clock_mhz) clocks.push_back(*device.clock_mhz);
  return clocks;
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

bool device_timer_sane(const Timing& timing) {
  return timing.device_ns && *timing.device_ns > 0 && *timing.device_ns <= timing.host_ns * 1.02 + 1e4;
}

double trusted_ns(const Timing& timing) { return device_timer_sane(timing) ? *timing.device_ns : timing.host_ns; }

void derive_statistics(Measurement& measurement, const DeviceInfo& device, std::span<const double> rates) {
  if (measurement.samples.empty()) throw std::invalid_argument("a measurement without samples has no statistics");
  const auto& samples = measurement.samples;
  const auto all = [&](const auto& test) { return std::all_of(samples.begin(), samples.end(), test); };
  const double idle = measurement.idle_ns.value_or(0);

  // A device timer that runs past the host's, or an in-kernel clock that runs past the dispatch, cannot be right.
  const bool device_timer = all([](const Sample& s) { return s.timing.device_ns && *s.timing.device_ns > 0; });
  const bool use_device_timer = all([](const Sample& s) { return device_timer_sane(s.timing); });
  if (device_timer && !use_device_timer) measurement.warnings.push_back("the device timer says more than the host's: not used");
  const auto whole = [&](const Sample& s) { return use_device_timer ? *s.timing.device_ns : s.timing.host_ns; };

  const bool realtime = all([](const Sample& s) { return in_kernel_ns(s).value_or(0) > 0; });
  const bool realtime_sane = realtime && all([&](const Sample& s) { return *in_kernel_ns(s) <= whole(s) * 1.02 + 1e4; });
  if (realtime && !realtime_sane)
    measurement.warnings.push_back("the in-kernel clock says more than the whole dispatch: not used");

  // The control kernel has no warm-up: what an idle dispatch of it takes is far below its samples.
  const Value control_time = [&](const Sample& s) -> std::optional<double> {
    if (realtime_sane) return in_kernel_ns(s);
    return use_device_timer && s.timing.device_ns ? *s.timing.device_ns : s.timing.host_ns;
  };
  measurement.time_source = realtime_sane ? "in-kernel clock" : use_device_timer ? "device timer" : "host timer";
  const Value time = [&](const Sample& s) { return timed_ns(measurement, s); };
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
    if (s.groups && s.groups->ticks) return s.groups->ticks->median;
    if (!s.clock.ticks) return std::nullopt;
    return static_cast<double>(*s.clock.ticks);
  };
  const auto rate = over(samples, [&](const Sample& s) -> std::optional<double> {
    if (s.groups && realtime_sane) return s.groups->ticks_per_ns;
    // Of groups that may have run one after the other, a single one's ticks are no measure of the dispatch's time.
    if (s.groups && !s.groups->units) return std::nullopt;
    const auto count = ticks(s);
    const auto ns = time(s);
    if (!count || !ns || *ns <= 0) return std::nullopt;
    return *count / *ns;
  });
  const auto usual = [&] {
    std::vector<double> points(rates.begin(), rates.end());
    points.push_back(rate->median);
    return median(points);
  };
  const bool has_cycles = rate && rate->median > 0 && classify_counter(usual(), device) == CounterKind::cycles;
  if (rate && rate->median > 0 && !has_cycles) measurement.counter_mhz = rate->median * 1e3;
  measurement.clocks_mhz = known_clocks(measurement, has_cycles ? std::optional(rate->median * 1e3) : std::nullopt, device);
  if (!measurement.clocks_mhz.empty()) measurement.clock_mhz = measurement.clocks_mhz.front();
  if (has_cycles) {
    put_with_fastest("cycles_per_op", per_op(ticks));
    put(measurement, "control_cycles_per_op", over(measurement.control_samples, per_op(ticks)));
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

std::optional<double> counter_rate(const Measurement& measurement) {
  if (measurement.counter_mhz) return *measurement.counter_mhz / 1e3;
  const auto& clock = measurement.clock_mhz;
  return clock && clock->provenance == Provenance::measured_in_kernel ? std::optional(clock->value / 1e3) : std::nullopt;
}

}  // namespace percycle
