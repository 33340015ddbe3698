#include "report/bandwidth_limit.hpp"

#include <algorithm>
#include <string>

#include "limits/architecture.hpp"

namespace percycle {
namespace {

std::optional<double> median(const Measurement& measurement, const std::string& name) {
  const auto found = measurement.statistics.find(name);
  return found == measurement.statistics.end() ? std::nullopt : std::optional(found->second.median);
}

/// Whether a dispatch that notes no clocks of its groups took all of the device: passes through memory begin a work-group for every few KiB. A
/// transfer takes none of it.
bool takes_all_units(const PointResult& result, std::uint32_t units) {
  const auto& work = result.measurement->work;
  return result.point.experiment == "dram-bandwidth" && work && work->group_bytes_per_op > 0 &&
         work->bytes_per_op / work->group_bytes_per_op >= units;
}

/// The units that took part.
std::optional<Sourced<std::uint32_t>> units_of(const PointResult& result, const Header& header) {
  const Measurement& measurement = *result.measurement;
  if (header.published()) return header.device.units;
  const auto used = median(measurement, "units");
  if (!used) {
    const auto all = unit_count(header.device, architecture_named(header.architecture)).count;
    return all && takes_all_units(result, all->value) ? all : std::nullopt;
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
  return find_limits(catalogue, header.architecture, {header.device.name});
}

std::vector<Limit> limits_of(const Point& point, const DeviceLimits& known) {
  std::vector<Limit> limits;
  const auto add = [&](Quantity quantity, std::uint32_t texel_bytes = 0) {
    if (const Limit* limit = known.find(quantity, texel_bytes)) limits.push_back(*limit);
  };
  if (point.experiment == "l1-bandwidth") {
    if (has_word(point.parameters, "path", "texture") && point.parameters.contains("width")) {
      add(Quantity::texel, static_cast<std::uint32_t>(integer(point.parameters, "width")));
    } else if (has_word(point.parameters, "path", "global")) {
      add(Quantity::load);
    }
  } else if (point.experiment == "local-bandwidth") {
    add(Quantity::local);
  } else if (point.experiment == "cache-bandwidth") {
    // Wherever the data of private slices lies, all of it comes through the L2. What all units sweep together comes from their own caches, too: no
    // unit takes more of it than its load path delivers.
    if (has_word(point.parameters, "mode", "private")) {
      add(Quantity::l2);
      add(Quantity::l2_device);
    } else if (has_word(point.parameters, "mode", "shared")) {
      add(Quantity::load);
    }
  } else if (point.experiment == "dram-bandwidth") {
    add(Quantity::memory);
  }
  return limits;
}

NormalizedBandwidth hold_against_limit(const PointResult& result, const Header& header, const DeviceLimits& known) {
  if (!result.measurement) return {};
  const Measurement& measurement = *result.measurement;
  MeasuredBandwidth measured;
  measured.gb_s = median(measurement, "gb_per_s");
  // What a document prints is its own, however it came by it.
  if (header.published() || counted_by_units(measurement))
    measured.in_kernel_bytes_per_unit_cycle = median(measurement, "bytes_per_unit_cycle");
  if (!measured.gb_s && !header.published()) return {};
  measured.clock_mhz = measurement.clock_mhz;
  measured.units = units_of(result, header);

  NormalizedBandwidth closest = normalize(measured);
  for (Limit& limit : limits_of(result.point, known)) {
    measured.limit = std::move(limit);
    NormalizedBandwidth against = normalize(measured);
    if (!closest.limit_provenance || against.efficiency > closest.efficiency) closest = std::move(against);
  }
  return closest;
}

}  // namespace percycle
