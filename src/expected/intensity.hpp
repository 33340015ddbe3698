#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>

namespace percycle {

/// The multiply-adds of kernel pair `intensity`.
struct IntensityShape {
  std::uint32_t tile_lanes = 32;  ///< vectors of a row
  std::uint32_t unroll = 4;       ///< rows of a tile
  std::uint32_t fmas = 1;         ///< of each loaded word

  std::uint32_t tile_words() const { return 4 * unroll * tile_lanes; }
  std::uint32_t fmas_of_lane() const { return 4 * unroll * fmas; }  ///< in a turn
  /// The bits of a word's two addends. All sums are then whole numbers of at most 2^24, which are
  /// exact in every order and with every rounding.
  std::uint32_t addend_mask() const { return std::min(0x3fffu, (1u << 23u) / std::bit_ceil(unroll * fmas) - 1); }
};

/// Words after which one of the two addends of the data repeats.
inline constexpr std::uint32_t kIntensityPeriod = 1u << 20u;

/// Word `index` of the data as a whole number: one addend that repeats and one of its
/// tile.
std::uint32_t intensity_element(const IntensityShape& shape, std::uint32_t salt, std::uint64_t index);

/// Element `index` of a tile.
using TileElement = std::function<std::uint32_t(std::uint32_t index)>;

/// The four sums of a lane after a turn.
std::array<std::uint32_t, 4> intensity_sums(const IntensityShape& shape, const TileElement& element, std::uint32_t lane);

/// The end value of a lane after `turns` turns with these sums: x -> 5 x + sum in each channel, on
/// the words of floating-point numbers; then folded with the factors 1, 3, 5 and 7.
std::uint32_t intensity_end(const std::array<std::uint32_t, 4>& sums, std::uint64_t turns);

/// The value that a work-group of LEVEL_DRAM adds for its tile: the sums of all lanes, with the
/// same factors.
std::uint32_t intensity_tile_sum(const IntensityShape& shape, const TileElement& element);

}  // namespace percycle
