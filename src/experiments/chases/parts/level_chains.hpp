#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// A dense chain with one node per line.
struct LevelChain {
  std::uint64_t bytes = 0;
  std::uint64_t stride_bytes = 128;
};

/// One chain for each level in the latency points of a path, first level first. It fills 0.7 of the
/// level, so that two do not fit. Empty if there is no level.
std::vector<LevelChain> level_chains(std::span<const PointResult> done, const std::string& path);

}  // namespace percycle
