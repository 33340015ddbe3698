#include "expected/cache_bandwidth.hpp"

#include "expected/multiply_add.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kMultiply = 5;
constexpr std::uint32_t kChannels = 4;

}  // namespace

LapSums::LapSums(const LapShape& shape, const WordSource& words, std::uint64_t first_word)
    : lap_factor_(multiply_add_chain(1, kMultiply, 0, shape.tiles)), after_lap_(std::size_t{shape.tile_lanes} * kChannels) {
  const std::size_t row_words = std::size_t{shape.lanes} * kChannels;
  std::vector<std::uint32_t> tile(shape.tile_words());
  for (std::uint64_t number = 0; number < shape.tiles; ++number) {
    words(first_word + number * tile.size(), tile);
    for (std::size_t block = 0; block < shape.tile_lanes / shape.lanes; ++block) {
      const std::uint32_t* rows = tile.data() + block * row_words * shape.unroll;
      std::uint32_t* sums = after_lap_.data() + block * row_words;
      for (std::size_t i = 0; i < row_words; ++i) {
        std::uint32_t joined = 0;
        for (std::size_t row = 0; row < shape.unroll; ++row) joined ^= rows[row * row_words + i];
        sums[i] = sums[i] * kMultiply + joined;
      }
    }
  }
}

void LapSums::append(const LapSums& later) {
  for (std::size_t i = 0; i < after_lap_.size(); ++i) after_lap_[i] = after_lap_[i] * later.lap_factor_ + later.after_lap_[i];
  lap_factor_ *= later.lap_factor_;
}

std::vector<std::uint32_t> LapSums::values(std::uint64_t laps) const {
  // Laps from 0 are linear in the result of the first one.
  const std::uint32_t factor = multiply_add_chain(0, lap_factor_, 1, laps);
  std::vector<std::uint32_t> all(after_lap_.size() / kChannels);
  for (std::size_t lane = 0; lane < all.size(); ++lane) {
    for (std::uint32_t channel = 0; channel < kChannels; ++channel)
      all[lane] += (2 * channel + 1) * factor * after_lap_[lane * kChannels + channel];
  }
  return all;
}

}  // namespace percycle
