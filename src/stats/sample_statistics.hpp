#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/measurement.hpp"

namespace percycle {

/// By name, see Measurement::statistics.
using Statistics = std::map<std::string, Summary>;

/// Properties of a device that the statistics need in addition to the samples.
struct SampledDevice {
  bool is_cpu = false;
  std::optional<std::uint32_t> units{};  ///< number that the device reports
};

/// The constants of a sustained load that are fitted, which takes milliseconds each.
struct SettlingFits {
  bool rate = true;
  bool heat = true;
};

/// All statistics that follow from a measurement's samples, control samples, idle_ns, time_source,
/// clock_mhz, work and participants. Pure, so that they can be recomputed from a record.
Statistics statistics_of(const Measurement& measurement, const SampledDevice& device, SettlingFits fits = {});

/// For each series NAME whose rows fit the samples: the sum of each sample's numbers per operation,
/// as NAME_per_op.
Statistics series_statistics(const Measurement& measurement);

}  // namespace percycle
