#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/trial.hpp"

namespace percycle {

/// Two chains in separate memories. One invocation walks them in turns, each through its path
/// (kernel pair `sharing`).
struct PathTurns {
  struct TurnSide {
    std::string path;
    std::uint64_t bytes = 0;  ///< bytes of the chain: a multiple of the stride, at least twice
    std::uint64_t stride_bytes = 128;
  };
  TurnSide first;   ///< path "texture" or "constant"
  TurnSide second;  ///< path "global-index"
};

/// Why this device cannot walk these chains; decided before anything runs. Pure.
std::optional<std::string> path_turns_unsupported(const DeviceInfo& device, const PathTurns& turns);

/// The trial: 31 loads of each chain per loop turn after a warm-up lap, and a check of both ends.
/// An operation is a load of either chain. Throws DeviceError.
Trial path_turns_trial(Device& device, const PathTurns& turns, std::uint64_t seed);

}  // namespace percycle
