#include "expected/intensity.hpp"

#include <bit>

#include "core/data_words.hpp"

namespace percycle {
namespace {

/// 1 + 5 + 25 + ... with `terms` terms, modulo 2^32.
std::uint32_t geometric_sum(std::uint64_t terms) {
  std::uint32_t sum = 0;
  std::uint32_t part = 1;    // the sum of 1, 2, 4, ... terms
  std::uint32_t factor = 5;  // 5 to the power of as many
  for (; terms > 0; terms >>= 1u) {
    if ((terms & 1u) != 0) sum = sum * factor + part;
    part += part * factor;
    factor *= factor;
  }
  return sum;
}

}  // namespace

std::uint32_t intensity_element(const IntensityShape& shape, std::uint32_t salt, std::uint64_t index) {
  const auto word = static_cast<std::uint32_t>(index);
  const std::uint32_t tile = word / shape.tile_words();
  const std::uint32_t mask = shape.addend_mask();
  return (lowbias32((word & (kIntensityPeriod - 1)) ^ salt) & mask) + (lowbias32(tile ^ ~salt) & mask);
}

std::array<std::uint32_t, 4> intensity_sums(const IntensityShape& shape, const TileElement& element, std::uint32_t lane) {
  std::array<std::uint32_t, 4> sums{};
  for (std::uint32_t row = 0; row < shape.unroll; ++row) {
    for (std::uint32_t channel = 0; channel < 4; ++channel)
      sums[channel] += shape.fmas * element(4 * (row * shape.tile_lanes + lane) + channel);
  }
  return sums;
}

std::uint32_t intensity_end(const std::array<std::uint32_t, 4>& sums, std::uint64_t turns) {
  const std::uint32_t times = geometric_sum(turns);
  std::uint32_t end = 0;
  for (std::uint32_t channel = 0; channel < 4; ++channel)
    end += (2 * channel + 1) * times * std::bit_cast<std::uint32_t>(static_cast<float>(sums[channel]));
  return end;
}

std::uint32_t intensity_tile_sum(const IntensityShape& shape, const TileElement& element) {
  std::uint32_t sum = 0;
  for (std::uint32_t word = 0; word < shape.tile_words(); ++word) sum += (2 * (word % 4) + 1) * shape.fmas * element(word);
  return sum;
}

}  // namespace percycle
