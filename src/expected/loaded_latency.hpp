#pragma once

#include <cstdint>
#include <functional>

#include "expected/multiply_add.hpp"

namespace percycle {

// Constants of kernel pair `loaded_latency`.
// Factor and summand: Numerical Recipes, 3rd edition, section 7.1.4.
inline constexpr std::uint32_t kPauseMultiply = 1664525;
inline constexpr std::uint32_t kPauseAdd = 1013904223;
inline constexpr std::uint32_t kPauseSteps = 32;  ///< multiply-adds in a turn of a pause
inline constexpr std::uint32_t kMoverUnroll = 4;  ///< vectors of a lane per tile
inline constexpr std::uint32_t kVectorWords = 4;

/// The slice of a work-group of kernel pair `loaded_latency` that moves data. `loaded_unit` has one
/// slice for all its loaders.
struct MoverShape {
  std::uint32_t lanes = 1;
  std::uint32_t tiles = 1;
  std::uint32_t unroll = kMoverUnroll;  ///< vectors of a lane per tile

  /// The first word of a lane's vector `row` of a tile, from the begin of mover 0's slice.
  std::uint64_t word(std::uint32_t mover, std::uint32_t tile, std::uint32_t row, std::uint32_t lane) const {
    return ((std::uint64_t{mover} * tiles + tile) * unroll * lanes + std::uint64_t{row} * lanes + lane) * kVectorWords;
  }
  std::uint64_t tile_bytes() const { return std::uint64_t{lanes} * unroll * kVectorWords * sizeof(std::uint32_t); }
};

/// A lane's value after pauses with so many turns in all.
constexpr std::uint32_t paused(std::uint64_t turns) {
  return multiply_add_chain(0, kPauseMultiply, kPauseAdd, turns * kPauseSteps);
}

/// The sum of a lane that read for so many turns: x -> 5 x + tile per turn and channel, where
/// `tile` is the exclusive or of the lane's vectors. Channels are folded with the factors 1, 3, 5
/// and 7. `word(i)` is word i of the data.
std::uint32_t read_sum(const MoverShape& shape, std::uint32_t mover, std::uint32_t lane, std::uint64_t turns,
                       const std::function<std::uint32_t(std::uint64_t)>& word);

/// The word that a lane writes into channel `channel` of vector `row` in turn `turn`. `seed`:
/// lowbias32(number of the lane among those of all movers ^ salt).
constexpr std::uint32_t written_word(std::uint32_t seed, std::uint32_t turn, std::uint32_t row, std::uint32_t channel) {
  return (2 * channel + 1) * (seed + (turn * kMoverUnroll + row) * kPauseMultiply);
}

}  // namespace percycle
