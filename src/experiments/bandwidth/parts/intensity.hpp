#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/experiment.hpp"

namespace percycle {

/// Invocations of a work-group, if a point names no other number.
inline constexpr std::uint32_t kIntensityGroup = 256;

/// Multiply-adds on words that one level of the memory hierarchy serves (kernel pair `intensity`).
struct Intensity {
  std::string level = "dram";  ///< l1, l2 or dram
  std::uint32_t fmas = 1;      ///< per loaded word: a power of two, at most 1024
  std::uint32_t group_size = kIntensityGroup;
  std::uint32_t groups_per_unit = 0;  ///< not of DRAM
  std::uint32_t rows = 0;             ///< of a tile; 0: as many as suit the multiply-adds
  std::uint64_t footprint = 0;        ///< of DRAM

  bool is_dram() const { return level == "dram"; }
};

/// Rows of a tile, if its multiply-adds are few and `rows` says nothing else.
inline constexpr std::uint32_t kMostTileRows = 4;

/// Bytes of the largest tile, which a work-group reads. The footprint is a multiple of it.
inline constexpr std::uint64_t kLargestIntensityTile = std::uint64_t{16} * 1024;

/// The largest footprint of DRAM that one buffer and one dispatch hold.
std::uint64_t most_intensity_bytes(const DeviceInfo& device);

/// Why this device cannot run these multiply-adds; empty if it can. Pure.
std::optional<std::string> intensity_unsupported(const DeviceInfo& device, const Intensity& config);

/// The trial: an operation is a multiply-add of each invocation, and every sum is checked after
/// each run. Throws DeviceError.
Trial intensity_trial(Device& device, const Intensity& config, std::uint64_t seed);

}  // namespace percycle
