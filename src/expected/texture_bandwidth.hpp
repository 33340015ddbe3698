#pragma once

#include <cstdint>

#include "expected/unit_bandwidth.hpp"

namespace percycle {

/// The texels that the lanes of kernel pair `texture_bandwidth` read: an image of 32 x 32 used
/// texels, `stride` columns apart, in blocks of 32. Each 32 lanes read a block per load.
struct TexelBlocks {
  static constexpr std::uint32_t kSide = 32;

  std::uint32_t block_width = kSide;  ///< texels of a block's row: a power of two up to kSide
  std::uint32_t stride = 1;           ///< columns from one used texel to the next
  std::uint32_t lanes = 32;           ///< 32; 64: their halves begin half of the blocks apart
  std::uint32_t channels = 1;         ///< of a texel

  std::uint32_t image_width() const { return kSide * stride; }
  std::uint32_t texels() const { return image_width() * kSide; }
  /// Loads of a lane per turn. In one turn the lanes read every used texel once.
  std::uint32_t loads() const { return kSide * kSide / lanes; }

  /// The texel that a lane reads by load `load` of a turn, counted row by row.
  std::uint32_t texel(std::uint32_t lane, std::uint32_t load) const {
    const std::uint32_t blocks_of_row = kSide / block_width;
    const std::uint32_t block = lane / kSide * loads() + load;
    const std::uint32_t place = lane % kSide;
    const std::uint32_t column = block % blocks_of_row * block_width + place % block_width;
    const std::uint32_t row = block / blocks_of_row * (kSide / block_width) + place / block_width;
    return row * image_width() + column * stride;
  }

  /// The end value of each lane. `channel(i)` is channel i of the image.
  template <typename ChannelAt>
  SweepSum sums(const ChannelAt& channel) const {
    const SweepShape shape{.channels = channels, .lanes = lanes, .stride = 1, .rows = loads(), .unroll = loads()};
    return SweepSum(shape, [&](std::uint64_t index) {
      const auto element = static_cast<std::uint32_t>(index / channels);
      return channel(std::uint64_t{texel(element % lanes, element / lanes)} * channels + index % channels);
    });
  }
};

}  // namespace percycle
