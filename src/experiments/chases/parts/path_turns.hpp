#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/trial.hpp"

namespace percycle {

/// Two chains in memories of their own, walked by one invocation through two paths in turns (kernel pair `sharing`).
struct PathTurns {
  struct Side {
    std::string path;
    std::uint64_t bytes = 0;  ///< of the chain; a multiple of the stride, at least twice
    std::uint64_t stride_bytes = 128;
  };
  Side first;   ///< path "texture" or "constant"
  Side second;  ///< path "global-index"
};

/// Why this device cannot do it; decided before anything runs. Pure.
std::optional<std::string> path_turns_unsupported(const DeviceInfo& device, const PathTurns& turns);

/// The runs: 31 loads of each chain per loop turn after a warm-up lap, both ends checked. An operation is a load of either. Throws DeviceError.
Trial path_turns_trial(Device& device, const PathTurns& turns, std::uint64_t seed);

}  // namespace percycle
