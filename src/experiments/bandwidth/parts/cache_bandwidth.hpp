#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/experiment.hpp"

namespace percycle {

/// Work-groups that read a region of memory lap after lap, 16 bytes per lane (kernel pair
/// `cache_bandwidth`).
struct CacheLaps {
  bool coherent = false;        ///< loads see other units' writes: no own cache serves them
  bool slices = false;          ///< each work-group walks its own slice, else all of it
  std::uint64_t footprint = 0;  ///< bytes of the region; a lap must be a whole number of tiles
  std::uint32_t groups = 1;
  std::uint32_t group_size = 256;
  std::uint32_t unroll = 4;  ///< loads of a lane per loop turn: 4 or 8
  std::optional<std::uint32_t> subgroup_size{};

  std::uint64_t lap_bytes() const { return slices ? footprint / groups : footprint; }
};

/// Up to this size subgroups of a work-group may read the same rows at the same time: every cache
/// of a unit holds them anyway. Above it, a group reads each line once per lap.
inline constexpr std::uint64_t kAlwaysInFirstLevel = std::uint64_t{16} * 1024;

/// Why this device cannot run these laps, or why a lap is not a whole number of tiles. Pure.
std::optional<std::string> cache_laps_unsupported(const DeviceInfo& device, const CacheLaps& config);

/// The trial: the device fills the region, a loop is a lap, and every lane's value is checked after
/// each run. Throws DeviceError.
Trial cache_laps_trial(Device& device, const CacheLaps& config, std::uint64_t seed);

}  // namespace percycle
