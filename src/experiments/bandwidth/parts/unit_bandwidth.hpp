#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"

namespace percycle {

inline constexpr std::uint32_t kMostStride = 64;  ///< fewer than a chase's rows, so that each lane begins at a word of its own

inline constexpr std::uint32_t kMostPasses = 16;  ///< turns to a pass of the loop that the kernels' sources can write out

inline constexpr std::uint32_t kUnitsWhenUnknown = 32;  ///< where a device does not say how many units it has

/// The units of the device; where it does not say, kUnitsWhenUnknown, few on a CPU.
std::uint32_t all_units(const DeviceInfo& device);

/// What kernel pair `unit_bandwidth` is told of one point: a region that every subgroup of every work-group reads over and over.
struct UnitBandwidth {
  std::string path = "global";  ///< global, texture or local
  std::string form = "plain";   ///< plain, masked (not local) or chase (local only)
  std::uint32_t width = 16;     ///< bytes per lane and load: 4, 8 or 16
  std::uint64_t rows = 8;       ///< of the region; a row is an element for each of row_lanes() lanes
  std::uint32_t stride = 1;     ///< elements from one lane's to the next one's; at most kMostStride
  std::uint32_t group_size = 256;
  std::uint32_t groups_per_unit = 2;
  std::uint32_t unroll = 8;  ///< rows to a loop turn: 4, 8, 16 or 32, divides `rows`
  std::uint32_t loads =
      32;  ///< of a lane in one pass of the loop, `unroll` times a power of two up to kMostPasses; of no meaning for a chase
  std::optional<std::uint32_t> subgroup_size{};
};

/// Lanes of a row: the largest subgroup, so that one load of one subgroup is one row, within 32 to 64.
std::uint32_t row_lanes(const DeviceInfo& device);

/// Elements from the first to the last that a lane reads.
std::uint64_t region_elements(const DeviceInfo& device, const UnitBandwidth& what);

/// Work-groups of the dispatch: one for a chase. Where the device does not say how many units it has, as if it had 32.
std::uint32_t group_count(const DeviceInfo& device, const UnitBandwidth& what);

/// Why this device cannot do this; decided before anything runs. Pure.
std::optional<std::string> unit_bandwidth_unsupported(const DeviceInfo& device, const UnitBandwidth& what);

/// The runs: filled on the device, a lap of warm-up in each, every lane's value checked after each run. Throws DeviceError.
Trial unit_bandwidth_trial(Device& device, const UnitBandwidth& what, std::uint64_t seed);

/// A work-group size and how many such groups a unit gets.
struct DispatchShape {
  std::uint32_t group_size = 0;
  std::uint32_t groups_per_unit = 0;
};

/// Those of `shapes` that the device can do, with subgroups of the size that is required; where it can do none, its largest work-group alone.
std::vector<DispatchShape> possible_shapes(const DeviceInfo& device, std::vector<DispatchShape> shapes,
                                           std::optional<std::uint32_t> subgroup_size = std::nullopt);

/// `rows` and its halves that a loop turn can hold: at most 32 and at least 4, the `most` largest.
std::vector<std::uint32_t> possible_unrolls(std::uint64_t rows, std::size_t most);

}  // namespace percycle
