#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// A dense chain of whole nodes, one to a line.
struct LevelChain {
  std::uint64_t bytes = 0;
  std::uint64_t stride_bytes = 128;
};

/// For each level that the latency points of a path show, first level first, the chain that fits it alone and does not beside another of
/// its size: 0.7 of it. Empty where no level was found.
std::vector<LevelChain> level_chains(std::span<const PointResult> done, const std::string& path);

}  // namespace percycle
