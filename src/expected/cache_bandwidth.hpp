#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace percycle {

/// The reads of one work-group of kernel pair `cache_bandwidth` in a lap.
struct LapShape {
  std::uint32_t lanes = 32;        ///< lanes per row
  std::uint32_t unroll = 4;        ///< rows that a lane reads per tile
  std::uint32_t tile_lanes = 256;  ///< lanes that share a tile; a multiple of `lanes`
  std::uint64_t tiles = 1;

  std::uint64_t tile_words() const { return std::uint64_t{tile_lanes} * unroll * 4; }
};

/// Copies words `first`, `first` + 1, ... of the region. Several threads may call it.
using WordSource = std::function<void(std::uint64_t first, std::span<std::uint32_t> words)>;

/// The end value of each lane of a work-group in closed form: x -> 5 x + turn per tile in each of
/// the four 32-bit channels, where `turn` is the exclusive or of the lane's rows; laps repeat this;
/// then the channels are folded with the factors 1, 3, 5 and 7.
class LapSums {
 public:
  /// The group's lap begins at `first_word` of the region.
  LapSums(const LapShape& shape, const WordSource& words, std::uint64_t first_word);

  /// Goes on with the tiles that follow, of a lap with the same lanes.
  void append(const LapSums& later);

  /// The value of each of tile_lanes lanes after `laps` laps.
  std::vector<std::uint32_t> values(std::uint64_t laps) const;

 private:
  std::uint32_t lap_factor_;              ///< 5 to the power of the tiles
  std::vector<std::uint32_t> after_lap_;  ///< the result of one lap from 0, by lane and channel
};

}  // namespace percycle
