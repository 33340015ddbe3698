#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace percycle {

/// What one work-group of kernel pair `cache_bandwidth` reads in a lap.
struct LapShape {
  std::uint32_t lanes = 32;        ///< of a row
  std::uint32_t unroll = 4;        ///< rows that a lane reads of each tile
  std::uint32_t tile_lanes = 256;  ///< lanes that share a tile; a multiple of `lanes`
  std::uint64_t tiles = 1;

  std::uint64_t tile_words() const { return std::uint64_t{tile_lanes} * unroll * 4; }
};

/// Copies words `first`, `first` + 1, ... of the region.
using WordSource = std::function<void(std::uint64_t first, std::span<std::uint32_t> words)>;

/// What each lane of a work-group ends with, in closed form: x -> 5 x + turn for each tile in each of the four 32-bit channels, `turn` being
/// the exclusive or of the lane's rows; laps repeat that; then the channels folded as 1, 3, 5 and 7 times theirs.
class LapSums {
 public:
  /// `first_word` is where the group's lap begins in the region.
  LapSums(const LapShape& shape, const WordSource& words, std::uint64_t first_word);

  /// Of lane `lane` of tile_lanes after so many laps.
  std::uint32_t value(std::uint32_t lane, std::uint64_t laps) const;

 private:
  std::uint32_t lap_factor_;              ///< 5 to the power of the tiles
  std::vector<std::uint32_t> after_lap_;  ///< what one lap makes of 0, by lane and channel
};

}  // namespace percycle
