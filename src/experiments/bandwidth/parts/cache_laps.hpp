#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/experiment.hpp"

namespace percycle {

/// What kernel pair `cache_bandwidth` is told of one point: work-groups that read a region of memory lap after lap, 16 bytes a lane.
struct CacheLaps {
  bool coherent = false;        ///< loads that must see what other units write, so that no unit's own cache may answer them
  bool slices = false;          ///< every work-group has a slice of the region to itself; else all walk all of it
  std::uint64_t footprint = 0;  ///< bytes of the region: a multiple of what each group's lap must be, see cache_laps_unsupported
  std::uint32_t groups = 1;
  std::uint32_t group_size = 256;
  std::uint32_t unroll = 4;  ///< 4 or 8 loads of a lane per loop turn
  std::optional<std::uint32_t> subgroup_size{};

  std::uint64_t lap_bytes() const { return slices ? footprint / groups : footprint; }
};

/// Bytes up to which a work-group's subgroups may read the same rows at the same time: no cache of a unit is so small that it would not hold
/// them anyway. Beyond it each subgroup reads rows of its own, so that a group reads each line once per lap.
inline constexpr std::uint64_t kAlwaysInFirstLevel = std::uint64_t{16} * 1024;

/// Why this device cannot do this, or a lap is no whole number of tiles; decided before anything runs. Pure.
std::optional<std::string> cache_laps_unsupported(const DeviceInfo& device, const CacheLaps& what);

/// The runs: filled on the device, every lane's value checked after each run; a loop is a lap. Throws DeviceError.
Trial cache_laps_trial(Device& device, const CacheLaps& what, std::uint64_t seed);

}  // namespace percycle
