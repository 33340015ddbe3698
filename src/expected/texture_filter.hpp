#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "expected/texture_bandwidth.hpp"

namespace percycle {

/// The factors with which a lane of kernel pair `texture_filter` adds up its channels.
inline constexpr std::array<double, 4> kChannelFactors{1, 3, 5, 7};

/// The sum of those of so many channels.
inline double channel_factors(std::uint32_t channels) {
  double sum = 0;
  for (std::uint32_t channel = 0; channel < channels; ++channel) sum += kChannelFactors.at(channel);
  return sum;
}

/// A lane of kernel pair `texture_filter` adds this to its sum in one turn. `channel(i)` is channel
/// i of the image, a number. The blocks have stride 1.
template <typename ChannelAt>
double filtered_sum(const TexelBlocks& blocks, std::uint32_t lane, bool is_linear, const ChannelAt& channel) {
  constexpr std::uint32_t kLast = TexelBlocks::kSide - 1;
  const auto at = [&](std::uint32_t column, std::uint32_t row, std::uint32_t c) {
    const std::uint64_t texel = std::uint64_t{std::min(row, kLast)} * TexelBlocks::kSide + std::min(column, kLast);
    return static_cast<double>(channel(texel * blocks.channels + c));
  };
  double sum = 0;
  for (std::uint32_t load = 0; load < blocks.loads(); ++load) {
    const std::uint32_t texel = blocks.texel(lane, load);
    const std::uint32_t x = texel % TexelBlocks::kSide;
    const std::uint32_t y = texel / TexelBlocks::kSide;
    for (std::uint32_t c = 0; c < blocks.channels; ++c) {
      const double value = is_linear ? (at(x, y, c) + at(x + 1, y, c) + at(x, y + 1, c) + at(x + 1, y + 1, c)) / 4 : at(x, y, c);
      sum += kChannelFactors.at(c) * value;
    }
  }
  return sum;
}

}  // namespace percycle
