#include "report/bandwidth_limit.hpp"

#include <algorithm>
#include <string>

#include "core/figures.hpp"
#include "limits/architecture.hpp"
#include "presentation/configuration.hpp"
#include "report/integer_mix.hpp"

namespace percycle {
namespace {

/// Whether a dispatch that does not note its groups' clocks uses the whole device: a pass through
/// memory begins a work-group for every few KiB. A transfer uses no unit.
bool takes_all_units(const PointResult& result, std::uint32_t units) {
  if (!presentation_of(result.point.experiment).takes_all_units) return false;
  const auto& work = result.measurement->work;
  if (!work) return result.measurement->participants.has_value();
  return work->group_bytes_per_op > 0 && work->bytes_per_op / work->group_bytes_per_op >= units;
}

/// The units that contributed.
std::optional<Sourced<std::uint32_t>> units_of(const PointResult& result, const Header& header) {
  const Measurement& measurement = *result.measurement;
  if (header.published()) return header.device.units;
  const auto used = statistic_median(measurement, "units");
  if (!used) {
    const auto units = unit_count(header.device, architecture_named(header.architecture)).count;
    return units && takes_all_units(result, units->value) ? units : std::nullopt;
  }
  const auto& samples = measurement.samples;
  if (std::all_of(samples.begin(), samples.end(), [](const Sample& s) { return s.groups && s.groups->units; })) {
    return Sourced<std::uint32_t>{static_cast<std::uint32_t>(*used), Provenance::measured_in_kernel};
  }
  return unit_count(header.device, architecture_named(header.architecture)).count;
}

}  // namespace

DeviceLimits limits_of_device(const LimitsCatalogue& catalogue, const Header& header) {
  if (header.published()) return find_limits_called(catalogue, header.device.name).value_or(DeviceLimits{});
  if (header.simulated()) return find_limits(catalogue, header.device);
  return find_device_limits(catalogue, header.architecture, header.device);
}

std::vector<Limit> limits_of(const Point& point, const DeviceLimits& device_limits) {
  std::vector<Limit> limits;
  for (const LimitRule& rule : presentation_of(point.experiment).limits) {
    if (!has_words(point.parameters, rule.only) || point.parameters.contains(rule.without)) continue;
    std::uint32_t texel_bytes = 0;
    if (!rule.texel_bytes.empty()) {
      if (!point.parameters.contains(rule.texel_bytes)) continue;
      texel_bytes = static_cast<std::uint32_t>(integer(point.parameters, rule.texel_bytes));
    }
    double share = 1;
    if (const auto& [requested, moved] = rule.moved; !requested.empty()) {
      if (!point.parameters.contains(requested) || !point.parameters.contains(moved)) continue;
      share = static_cast<double>(integer(point.parameters, requested)) / static_cast<double>(integer(point.parameters, moved));
    }
    if (const Limit* limit = device_limits.find(rule.quantity, texel_bytes)) {
      limits.push_back(*limit);
      limits.back().value *= share * rule.ops_per_result;
    }
  }
  return limits;
}

NormalizedBandwidth hold_against_limit(const PointResult& result, const Header& header, const DeviceLimits& device_limits) {
  if (!result.measurement) return {};
  const Measurement& measurement = *result.measurement;
  MeasuredBandwidth measured;
  const auto& statistics = measurement.statistics;
  const bool is_bandwidth = statistics.contains(figures::kGbPerS) || statistics.contains(figures::kBytesPerUnitCycle);
  const Figure rate = figure_called(is_bandwidth ? figures::kGbPerS : figures::kGopsPerS);
  measured.gb_s = statistic_median(measurement, rate.name);
  // A printed figure is the document's own, whatever its derivation.
  if (header.published() || counted_by_units(measurement))
    measured.in_kernel_bytes_per_unit_cycle = statistic_median(measurement, rate.in_cycles);
  if (!measured.gb_s && !header.published()) return {};
  measured.clock_mhz = measurement.clock_mhz;
  measured.units = units_of(result, header);

  NormalizedBandwidth closest = normalize(measured);
  const auto mix = integer_mix(measurement);
  for (Limit& limit : limits_of(result.point, device_limits)) {
    if (mix && limit.quantity == Quantity::int32) {
      std::optional<Limit> of_mix = limit_of_mix(limit, *mix, device_limits);
      if (!of_mix) continue;
      limit = *std::move(of_mix);
    }
    measured.limit = std::move(limit);
    NormalizedBandwidth against = normalize(measured);
    if (!closest.limit_provenance || against.efficiency > closest.efficiency) closest = std::move(against);
  }
  return closest;
}

}  // namespace percycle
