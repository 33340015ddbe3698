#pragma once

#include <cstdint>

namespace percycle {

/// The rows that a work-group of kernel pair `stores` writes lap after lap: tiles of `tile_lanes`
/// lanes, each of which writes `unroll` rows of a tile in a turn of the loop.
struct StoreShape {
  std::uint32_t channels = 4;      ///< words of an element: 1, 2 or 4
  std::uint32_t lanes = 32;        ///< lanes per row
  std::uint32_t unroll = 4;        ///< rows that a lane writes per tile
  std::uint32_t tile_lanes = 256;  ///< lanes that share a tile; a multiple of `lanes`
  std::uint64_t tiles = 1;

  std::uint64_t elements() const { return std::uint64_t{tile_lanes} * unroll * tiles; }

  /// Word `channel` of the vector that a lane of a work-group writes in a turn; in the turn after
  /// the last one it shows how many there were.
  std::uint32_t written(std::uint32_t salt, std::uint32_t group, std::uint32_t place, std::uint32_t channel,
                        std::uint64_t turn) const;

  /// Word `channel` of an element of the group's region after so many whole laps, at least one.
  std::uint32_t left(std::uint32_t salt, std::uint32_t group, std::uint64_t element, std::uint32_t channel,
                     std::uint64_t laps) const;
};

}  // namespace percycle
