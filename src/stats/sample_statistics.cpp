#include "stats/sample_statistics.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "core/timed_sample.hpp"
#include "stats/summary.hpp"
#include "stats/sustained_statistics.hpp"

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

/// The summary over the tenth of the samples with the lowest values, at least one.
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

void put(Statistics& statistics, const std::string& name, const std::optional<Summary>& summary) {
  if (summary) statistics[name] = *summary;
}

/// Puts each sample's quantity minus the control median. `share`: operations that the control
/// does, too; the rest of the time belongs to the operations it lacks.
void put_net(Statistics& statistics, const std::string& unit, double share) {
  const auto raw = statistics.find(unit + "_per_op");
  const auto control = statistics.find("control_" + unit + "_per_op");
  if (raw == statistics.end() || control == statistics.end()) return;
  Summary net = raw->second;
  const double of_control = (share > 0 ? share : 1) * control->second.median;
  for (double* value : {&net.median, &net.min.value(), &net.max.value()}) *value = (*value - of_control) / (1 - share);
  *net.mad /= 1 - share;
  statistics["net_" + unit + "_per_op"] = net;
}

/// Units that a dispatch of these groups kept busy: the units it noted; else 1 for a single group;
/// else all units that the device reports, if there were groups for all.
std::optional<double> units_used(const Sample& sample, const SampledDevice& device) {
  if (!sample.groups) return std::nullopt;
  if (sample.groups->units) return static_cast<double>(*sample.groups->units);
  if (sample.groups->groups == 1) return 1;
  if (!device.units || sample.groups->groups < *device.units) return std::nullopt;
  return static_cast<double>(*device.units);
}

/// The yield of one operation of a lane: bytes or operations.
struct Amount {
  double of_dispatch;
  double of_group;
  const char* per_s;           ///< statistic: 1e9 of it per second
  const char* per_unit_cycle;  ///< statistic: per unit and cycle
};

/// Puts the rates that follow from `amount` and `time`.
void put_rate(Statistics& statistics, const Measurement& measurement, const SampledDevice& device, const Value& time,
              const Amount& amount) {
  const auto& samples = measurement.samples;
  const Value per_ns = [&](const Sample& s) -> std::optional<double> {
    const auto ns = time(s);
    if (!ns || *ns <= 0) return std::nullopt;
    return amount.of_dispatch * static_cast<double>(s.ops) / *ns;
  };
  put(statistics, amount.per_s, over(samples, per_ns));
  put(statistics, "units", over(samples, [&](const Sample& s) { return units_used(s, device); }));
  put(statistics, figures::kGroupsAtOnce,
      over(samples, [](const Sample& s) { return s.groups ? s.groups->groups_at_once : std::nullopt; }));

  const auto& clock = measurement.clock_mhz;
  if (!clock) return;
  const bool counted = counted_by_units(measurement);
  put(statistics, amount.per_unit_cycle, over(samples, [&](const Sample& s) -> std::optional<double> {
        if (counted) return amount.of_group * static_cast<double>(s.ops) * *s.groups->groups_per_tick;
        const auto rate = per_ns(s);
        const auto units = units_used(s, device);
        if (!rate || !units) return std::nullopt;
        return *rate / (clock->value / 1e3) / *units;
      }));
}

/// Puts the rates of the data that other work-groups moved during the timed part.
void put_traffic(Statistics& statistics, const Measurement& measurement, const Value& time) {
  const Value per_ns = [&](const Sample& s) -> std::optional<double> {
    const auto ns = time(s);
    if (!s.traffic || !ns || *ns <= 0) return std::nullopt;
    return static_cast<double>(s.traffic->bytes) / *ns;
  };
  put(statistics, figures::kTrafficGbPerS, over(measurement.samples, per_ns));
  if (!measurement.clock_mhz) return;
  const double cycles_per_ns = measurement.clock_mhz->value / 1e3;
  put(statistics, figures::kTrafficBytesPerUnitCycle, over(measurement.samples, [&](const Sample& s) -> std::optional<double> {
        const auto rate = per_ns(s);
        if (!rate || s.traffic->groups == 0) return std::nullopt;
        return *rate / cycles_per_ns / static_cast<double>(s.traffic->groups);
      }));
}

/// Puts the share of the launches' own times that both together take, and the ratio of their times.
void put_pair(Statistics& statistics, const Measurement& measurement) {
  put(statistics, figures::kOverlap, over(measurement.samples, [](const Sample& s) -> std::optional<double> {
        if (!s.pair || s.pair->both_ns <= 0) return std::nullopt;
        return 2 * s.pair->alone_ns / s.pair->both_ns;
      }));
  put(statistics, figures::kFairness, over(measurement.samples, [](const Sample& s) -> std::optional<double> {
        if (!s.pair || !s.pair->first_ns || !s.pair->second_ns) return std::nullopt;
        const auto [less, more] = std::minmax(*s.pair->first_ns, *s.pair->second_ns);
        return less / more;
      }));
}

/// The sum of each sample's row, per operation; empty if a sample has no row or no operations.
std::optional<Summary> series_sum(const Measurement& measurement, const std::vector<std::vector<double>>& rows) {
  if (rows.size() != measurement.samples.size()) return std::nullopt;
  std::vector<double> per_op;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t ops = measurement.samples[i].ops;
    if (ops == 0) return std::nullopt;
    per_op.push_back(std::accumulate(rows[i].begin(), rows[i].end(), 0.0) / static_cast<double>(ops));
  }
  if (per_op.empty()) return std::nullopt;
  return summarise(per_op);
}

}  // namespace

Statistics statistics_of(const Measurement& measurement, const SampledDevice& device, SettlingFits fits) {
  Statistics statistics;
  const auto& samples = measurement.samples;
  const bool by_kernel = measurement.time_source == kInKernelClock;
  const bool by_device = measurement.time_source == kDeviceTimer;
  const Value time = [&](const Sample& s) { return timed_ns(measurement, s); };
  // The control kernel has no warm-up: an idle dispatch of it takes far less time than its samples.
  const Value control_time = [&](const Sample& s) -> std::optional<double> {
    if (by_kernel) return in_kernel_ns(s);
    return by_device && s.timing.device_ns ? *s.timing.device_ns : s.timing.host_ns;
  };
  // Other programs share a CPU's cores and caches. They only add time to a walk, often in most
  // samples.
  const auto put_with_fastest = [&](const std::string& name, const Value& value) {
    put(statistics, name, over(samples, value));
    if (device.is_cpu) put(statistics, "fastest_" + name, over_fastest(samples, value));
  };
  put_with_fastest(figures::kNsPerOp, per_op(time));
  put(statistics, figures::kDeviceNsPerOp, over(samples, per_op([](const Sample& s) { return s.timing.device_ns; })));
  put(statistics, figures::kControlNsPerOp, over(measurement.control_samples, per_op(control_time)));

  if (const auto& clock = measurement.clock_mhz) {
    const bool counted = clock->provenance == Provenance::measured_in_kernel;
    const double cycles_per_ns = clock->value / 1e3;
    const bool has_ticks = counted && counter_ticks(samples.front());
    put_with_fastest(figures::kCyclesPerOp, has_ticks ? per_op(counter_ticks) : per_op(scaled(time, cycles_per_ns)));
    put(statistics, figures::kControlCyclesPerOp,
        over(measurement.control_samples, counted ? per_op(counter_ticks) : per_op(scaled(control_time, cycles_per_ns))));
  }
  for (const char* unit : {"ns", "cycles"}) put_net(statistics, unit, measurement.control_share.value_or(0));
  if (const auto& work = measurement.work) {
    put_rate(statistics, measurement, device, time,
             {static_cast<double>(work->bytes_per_op), static_cast<double>(work->group_bytes_per_op), figures::kGbPerS,
              figures::kBytesPerUnitCycle});
  }
  if (const auto& lanes = measurement.participants) {
    put_rate(
        statistics, measurement, device, time,
        {static_cast<double>(lanes->dispatch), static_cast<double>(lanes->group), figures::kGopsPerS, figures::kOpsPerUnitCycle});
  }
  put_traffic(statistics, measurement, time);
  put_pair(statistics, measurement);
  // Without work, the groups themselves are counted.
  if (!measurement.work && !measurement.participants) {
    put(statistics, figures::kMostAtOnce, over(samples, [](const Sample& s) -> std::optional<double> {
          if (!s.groups || !s.groups->most_at_once) return std::nullopt;
          return static_cast<double>(*s.groups->most_at_once);
        }));
  }
  statistics.merge(sustained_statistics(measurement, fits));
  return statistics;
}

Statistics series_statistics(const Measurement& measurement) {
  Statistics statistics;
  for (const auto& [name, rows] : measurement.series) put(statistics, name + "_per_op", series_sum(measurement, rows));
  return statistics;
}

}  // namespace percycle
