#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle {

/// Largest stride: below a chase's rows, so that each lane starts at its own word.
inline constexpr std::uint32_t kMostStride = 64;

/// Most turns per pass of the loop that the kernels' sources can unroll.
inline constexpr std::uint32_t kMostPasses = 16;

/// Assumed number of units of a device that does not report it.
inline constexpr std::uint32_t kUnitsWhenUnknown = 32;

/// The number of units. If it is unknown: kUnitsWhenUnknown, or 4 on a CPU.
std::uint32_t all_units(const DeviceInfo& device);

/// A region that every subgroup of every work-group reads repeatedly (kernel pair
/// `unit_bandwidth`).
struct UnitBandwidth {
  std::string path = "global";  ///< global, texture or local
  std::string form = "plain";   ///< plain, masked (not local) or chase (local only)
  std::uint32_t width = 16;     ///< bytes per lane and load: 4, 8 or 16
  /// 32; texels with four channels also 16 (8 bytes) or 8 (4 bytes).
  std::uint32_t channel_bits = 32;
  /// A channel of 16 or 8 bits is a half or a fraction of 255, which the kernel gets as a float.
  bool float_channels = false;
  std::uint64_t rows = 8;    ///< rows of the region: one element for each of row_lanes() lanes
  std::uint32_t stride = 1;  ///< elements between neighbouring lanes; at most kMostStride
  std::uint32_t group_size = 256;
  std::uint32_t groups_per_unit = 2;
  std::optional<std::uint32_t> groups{};  ///< empty: groups_per_unit on every unit
  std::uint32_t unroll = 8;               ///< rows per loop turn: 4, 8, 16 or 32; divides `rows`
  /// Loads of a lane per pass of the loop: `unroll` times a power of two up to kMostPasses. Unused
  /// in a chase.
  std::uint32_t loads = 32;
  std::optional<std::uint32_t> subgroup_size{};
};

/// Lanes of a row: the largest subgroup, clamped to 32 to 64. One load of a subgroup is then one
/// row.
std::uint32_t row_lanes(const DeviceInfo& device);

/// Elements of the region, from the first to the last that any lane reads.
std::uint64_t region_elements(const DeviceInfo& device, const UnitBandwidth& config);

/// Work-groups of the dispatch; one for a chase. An unknown number of units counts as
/// kUnitsWhenUnknown.
std::uint32_t group_count(const DeviceInfo& device, const UnitBandwidth& config);

/// Why this device cannot read this region; empty if it can. Pure.
std::optional<std::string> unit_bandwidth_unsupported(const DeviceInfo& device, const UnitBandwidth& config);

/// The trial: the device fills the region, each run starts with a lap of warm-up, and every lane's
/// value is checked after it. Throws DeviceError.
Trial unit_bandwidth_trial(Device& device, const UnitBandwidth& config, std::uint64_t seed);

/// A work-group size and the number of work-groups per unit.
struct DispatchShape {
  std::uint32_t group_size = 0;
  std::uint32_t groups_per_unit = 0;
};

/// The shapes that the device supports with the required subgroup size; if there are none, its
/// largest work-group.
std::vector<DispatchShape> possible_shapes(const DeviceInfo& device, std::vector<DispatchShape> shapes,
                                           std::optional<std::uint32_t> subgroup_size = std::nullopt);

/// The shapes that the preset `full` tries: small to large groups, few to many in a unit.
std::vector<DispatchShape> full_shapes();

/// possible_shapes() for a point's subgroup size, as the parameters `group_size` and
/// `groups_per_unit` of a search.
Axis shape_axis(const DeviceInfo& device, std::vector<DispatchShape> shapes);

/// The `most` largest of 32, 16, 8 and 4 that divide `rows`.
std::vector<std::uint32_t> possible_unrolls(std::uint64_t rows, std::size_t most);

}  // namespace percycle
