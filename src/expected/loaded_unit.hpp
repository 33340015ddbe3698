#pragma once

#include <cstdint>
#include <functional>

#include "expected/loaded_latency.hpp"

namespace percycle {

// Constants of kernel pair `loaded_unit`, whose multiply-adds are those of `loaded_latency`.
inline constexpr std::uint32_t kLoaderUnroll = 8;      ///< vectors of a lane per tile
inline constexpr std::uint32_t kLoaderTiles = 2;       ///< tiles per turn
inline constexpr std::uint32_t kLoaderPauseSteps = 4;  ///< multiply-adds in a turn of a pause
/// Bytes that a lane reads in a turn.
inline constexpr std::uint64_t kLoaderTurnBytes = std::uint64_t{kLoaderTiles} * kLoaderUnroll * kVectorWords * 4;

/// The tiles that all loaders of kernel pair `loaded_unit` read: rows of so many lanes.
constexpr MoverShape loader_shape(std::uint32_t row_lanes, std::uint32_t tiles) {
  return {.lanes = row_lanes, .tiles = tiles, .unroll = kLoaderUnroll};
}

/// The sum of a lane after so many turns with pauses of `pause` turns each. `word(i)` is word i of
/// the data.
inline std::uint32_t loader_sum(const MoverShape& shape, std::uint32_t loader, std::uint64_t turns, std::uint64_t pause,
                                const std::function<std::uint32_t(std::uint64_t)>& word) {
  return read_sum(shape, 0, loader % shape.lanes, turns * kLoaderTiles, word) +
         multiply_add_chain(0, kPauseMultiply, kPauseAdd, turns * pause * kLoaderPauseSteps);
}

}  // namespace percycle
