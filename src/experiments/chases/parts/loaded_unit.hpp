#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expected/loaded_unit.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// A walk in local memory or in the first cache, beside other subgroups of its work-group (loaders)
/// that read the same level (kernel pair `loaded_unit`).
struct LoadedUnit {
  bool in_local = false;   ///< else in the first cache
  std::uint32_t load = 0;  ///< about the percent of the time that loaders read; 0: there are none
  std::uint64_t chain_bytes = 0;
  std::uint64_t stride_bytes = 128;
  std::uint64_t footprint = 0;   ///< bytes that all loaders read
  std::uint32_t group_size = 0;  ///< lanes that may walk and loaders
};

/// Invocations of a work-group: the largest subgroup, whose first lane walks, and up to eight more.
std::uint32_t loaded_unit_group(const DeviceInfo& device);

/// Bytes that all loaders read: one tile.
std::uint64_t loader_footprint(const DeviceInfo& device);

/// Why this device cannot run this walk; decided before anything runs. Pure.
std::optional<std::string> loaded_unit_unsupported(const DeviceInfo& device, const LoadedUnit& unit);

/// The trial: a walk of 31 loads per loop turn. The host checks its end and the sum of every
/// loader. Throws DeviceError.
Trial loaded_unit_trial(Device& device, const LoadedUnit& unit, std::uint64_t seed);

}  // namespace percycle
