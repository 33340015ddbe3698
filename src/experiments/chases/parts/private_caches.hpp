#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/trial.hpp"

namespace percycle {

/// Chains in one buffer, or in constants, walked at the same time (kernel pair `private_caches`):
/// subgroup s of work-group 0 walks its own if bit s of `walking` is set. Subgroup 0 must walk and
/// is timed. A second work-group, on another unit, walks one more chain. The kernel explains why.
struct SideChains {
  std::string path = "global-index";  ///< or "texture", "constant": paths with 32-bit indices
  std::uint64_t chain_bytes = 0;      ///< a multiple of the stride, at least twice
  std::uint64_t stride_bytes = 128;
  std::uint32_t walking = 1;
  std::uint32_t groups = 1;  ///< 1 or 2
};

/// The subgroups of a work-group of side chains.
struct GroupShape {
  std::uint32_t subgroup_size = 1;
  std::uint32_t subgroups = 1;  ///< 8, or as many as the largest work-group holds
};

/// The shape for this device; one lane if it does not report a subgroup size.
GroupShape side_group(const DeviceInfo& device);

/// Why this device cannot walk these chains; decided before anything runs. Pure.
std::optional<std::string> side_chains_unsupported(const DeviceInfo& device, const SideChains& chains);

/// The trial: 31 loads per walker and loop turn after a warm-up lap, and a check of every lane's
/// end. Throws DeviceError.
Trial side_chains_trial(Device& device, const SideChains& chains, std::uint64_t seed);

}  // namespace percycle
