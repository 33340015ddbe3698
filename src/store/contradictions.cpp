#include "store/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "stats/clock_readings.hpp"
#include "stats/sample_statistics.hpp"

namespace percycle {
namespace {

// Far above the rounding of sums in another order, far below any visible difference.
constexpr double kRounding = 1e-9;

[[noreturn]] void fail(std::string_view statistic, std::string_view number, double found, double made) {
  throw std::invalid_argument(
      fmt::format("measurement.statistics.{}.{}: {}, but the samples give {}", statistic, number, found, made));
}

void check(const std::string& name, const Summary& found, const Summary& made, double size) {
  if (found.n != made.n) fail(name, "n", static_cast<double>(found.n.value_or(0)), static_cast<double>(made.n.value_or(0)));
  const std::array<std::pair<std::string_view, std::pair<double, double>>, 4> numbers{{
      {"median", {found.median, made.median}},
      {"mad", {found.mad.value_or(0), made.mad.value_or(0)}},
      {"min", {found.min.value_or(0), made.min.value_or(0)}},
      {"max", {found.max.value_or(0), made.max.value_or(0)}},
  }};
  for (const auto& [number, values] : numbers) {
    if (std::abs(values.first - values.second) > kRounding * size) fail(name, number, values.first, values.second);
  }
}

void check_order(const std::string& place, double min, double median, double max) {
  if (min > median) throw std::invalid_argument(fmt::format("{}: minimum {} above median {}", place, min, median));
  if (median > max) throw std::invalid_argument(fmt::format("{}: maximum {} below median {}", place, max, median));
}

void check_groups(const std::string& list, const std::vector<Sample>& samples) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i].groups || !samples[i].groups->ticks) continue;
    const auto& ticks = *samples[i].groups->ticks;
    check_order(fmt::format("measurement.{}[{}].groups.ticks", list, i), ticks.min, ticks.median, ticks.max);
  }
}

void check_statistics(const Header& header, const Measurement& measurement) {
  const DeviceInfo& device = header.device;
  // Only a stated constant is checked, and its fit takes longer than all other statistics.
  const SettlingFits fits{.rate = measurement.statistics.contains(figures::kRateConstantS),
                          .heat = measurement.statistics.contains(figures::kHeatConstantS)};
  Statistics made = statistics_of(
      measurement,
      {.is_cpu = device.type == DeviceType::cpu, .units = device.units ? std::optional(device.units->value) : std::nullopt},
      fits);
  made.merge(series_statistics(measurement));
  // A net value is a difference: it is as exact as the larger of the two values.
  const auto size_of = [&](const std::string& name) {
    const auto summary = made.find(name);
    if (summary == made.end()) return 0.0;
    return std::max(std::abs(summary->second.max.value_or(0)), std::abs(summary->second.min.value_or(0)));
  };
  for (const auto& [name, found] : measurement.statistics) {
    const auto summary = made.find(name);
    if (summary == made.end())
      throw std::invalid_argument(fmt::format("measurement.statistics.{}: it does not follow from the samples", name));
    const std::string gross = name.starts_with("net_") ? name.substr(4) : name;
    check(name, found, summary->second, std::max(size_of(name), size_of(gross)));
  }
}

void check_clock(const std::string& place, double found, const std::optional<double>& made) {
  if (!made) throw std::invalid_argument(fmt::format("{}: {}, but nothing in the measurement gives it", place, found));
  if (std::abs(found - *made) > kRounding * *made)
    throw std::invalid_argument(fmt::format("{}: {}, but the measurement gives {}", place, found, *made));
}

/// Versions differ in the readings that they count as fresh, but none goes beyond all readings.
void check_telemetry(const std::string& place, double mhz, const std::vector<TelemetrySample>& telemetry) {
  const auto is_read = [&](const auto& compares) {
    return std::ranges::any_of(telemetry, [&](const TelemetrySample& sample) {
      return sample.reading.clock_mhz && compares(*sample.reading.clock_mhz, mhz);
    });
  };
  if (!is_read(std::less_equal<>()) || !is_read(std::greater_equal<>()))
    throw std::invalid_argument(fmt::format("{}: {} is not within the readings of the telemetry", place, mhz));
}

/// A clock follows from the samples, the telemetry, the chain or the header, by its source.
void check_clocks(const Header& header, const Measurement& measurement) {
  const auto rate = counter_ticks_per_ns(measurement, measurement.time_source);
  const auto counter_mhz = rate ? std::optional(*rate * 1e3) : std::nullopt;
  if (measurement.counter_mhz) check_clock("measurement.counter_mhz", *measurement.counter_mhz, counter_mhz);
  for (std::size_t i = 0; i < measurement.clocks_mhz.size(); ++i) {
    const auto& [mhz, provenance] = measurement.clocks_mhz[i];
    const std::string place = fmt::format("measurement.clocks_mhz[{}]", i);
    if (provenance == Provenance::measured_in_kernel) check_clock(place, mhz, counter_mhz);
    if (provenance == Provenance::telemetry) check_telemetry(place, mhz, measurement.telemetry);
    if (provenance == Provenance::calibrated_chain)
      check_clock(place, mhz, measurement.alu_chain ? chain_mhz(*measurement.alu_chain) : std::nullopt);
    if (provenance == Provenance::reported)
      check_clock(place, mhz, header.device.clock_mhz ? std::optional(header.device.clock_mhz->value) : std::nullopt);
  }
}

/// Data that a kernel read or wrote were in the memory of the device, or in one of its buffers.
void check_footprint(const Header& header, const Point& point) {
  const auto found = point.parameters.find("footprint");
  const auto* bytes = found == point.parameters.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  const std::uint64_t most = std::max(header.device.memory_bytes.value_or(0), header.device.max_allocation_bytes.value_or(0));
  if (bytes != nullptr && most > 0 && static_cast<std::uint64_t>(*bytes) > most)
    throw std::invalid_argument(
        fmt::format("parameters.footprint: {} is more than the device's memory ({} bytes)", *bytes, most));
}

}  // namespace

void check_contradictions(const Header& header, const PointResult& result) {
  if (!result.measurement) return;
  const Measurement& measurement = *result.measurement;
  for (const auto& [name, summary] : measurement.statistics) {
    check_order("measurement.statistics." + name, summary.min.value_or(summary.median), summary.median,
                summary.max.value_or(summary.median));
  }
  if (is_published(measurement)) return;
  check_groups("samples", measurement.samples);
  check_groups("control_samples", measurement.control_samples);
  if (measurement.verified_samples > measurement.samples.size())
    throw std::invalid_argument("measurement.verified_samples: more than the number of samples");
  check_footprint(header, result.point);
  check_clocks(header, measurement);
  check_statistics(header, measurement);
}

}  // namespace percycle
