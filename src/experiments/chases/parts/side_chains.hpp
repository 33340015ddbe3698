#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/trial.hpp"

namespace percycle {

/// Chains side by side in one buffer, walked at the same time (kernel pair `private_caches`).
///
/// All lanes of a subgroup follow one chain in lockstep. Subgroup s of the first work-group walks a chain of its own if bit s of `walking` is
/// set, and subgroup 0, which must be among them, is timed. With two work-groups, all subgroups of the second walk one more chain, evenly
/// spread along it: a chase as fast as the timed one could lose every race for a shared cache, and the timed one would see nothing of it.
/// No API lets the host choose a work-group's unit. On an idle GPU two work-groups of one dispatch go to two units, on a CPU to two threads.
struct SideChains {
  std::string path = "global-index";  ///< or "texture": paths with 32-bit indices
  std::uint64_t chain_bytes = 0;      ///< of each chain; a multiple of the stride, at least twice
  std::uint64_t stride_bytes = 128;
  std::uint32_t walking = 1;
  std::uint32_t groups = 1;  ///< 1 or 2
};

/// What a work-group of side chains is made of.
struct GroupShape {
  std::uint32_t subgroup_size = 1;
  std::uint32_t subgroups = 1;  ///< 8, or what the largest work-group holds
};

/// One lane alone where the device does not report a subgroup size.
GroupShape side_group(const DeviceInfo& device);

/// Why this device cannot walk these chains; decided before anything runs. Pure.
std::optional<std::string> side_chains_unsupported(const DeviceInfo& device, const SideChains& chains);

/// The runs: 31 loads per walker and loop turn after a warm-up lap, the end of every lane of every subgroup checked. Throws DeviceError.
Trial side_chains_trial(Device& device, const SideChains& chains, std::uint64_t seed);

}  // namespace percycle
