#include "expected/cache_bandwidth.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "core/data_words.hpp"

namespace percycle::cache_bandwidth_test {
namespace {

WordSource hashed(const DataWords& data) {
  return [data](std::uint64_t first, std::span<std::uint32_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = data.word(first + i);
  };
}

/// Load by load, like the kernel.
std::uint32_t walked(const LapShape& shape, const DataWords& data, std::uint64_t first_word, std::uint32_t place,
                     std::uint64_t laps) {
  std::uint32_t sum[4] = {};
  const std::uint64_t first = place / shape.lanes * (shape.lanes * shape.unroll) + place % shape.lanes;
  for (std::uint64_t lap = 0; lap < laps; ++lap) {
    for (std::uint64_t tile = 0; tile < shape.tiles; ++tile) {
      for (std::uint32_t c = 0; c < 4; ++c) {
        std::uint32_t joined = 0;
        for (std::uint64_t row = 0; row < shape.unroll; ++row) {
          joined ^= data.word(first_word + (first + tile * shape.tile_lanes * shape.unroll + row * shape.lanes) * 4 + c);
        }
        sum[c] = sum[c] * 5 + joined;
      }
    }
  }
  return sum[0] + 3 * sum[1] + 5 * sum[2] + 7 * sum[3];
}

TEST_CASE("lap sums: the end of a walk lap by lap") {
  const DataWords data(11);
  for (const LapShape& shape : {LapShape{.lanes = 32, .unroll = 4, .tile_lanes = 64, .tiles = 1},
                                LapShape{.lanes = 32, .unroll = 8, .tile_lanes = 96, .tiles = 3},
                                LapShape{.lanes = 64, .unroll = 4, .tile_lanes = 64, .tiles = 5}}) {
    for (const std::uint64_t first_word : {0, 4096}) {
      const LapSums sums(shape, hashed(data), first_word);
      for (const std::uint32_t lane : {0u, 1u, 31u, shape.lanes, shape.tile_lanes - 1}) {
        for (const std::uint64_t laps : {0, 1, 2, 7}) {
          CHECK(sums.values(laps).at(lane % shape.tile_lanes) == walked(shape, data, first_word, lane % shape.tile_lanes, laps));
        }
      }
    }
  }
}

TEST_CASE("lap sums: parts of a lap, one appended to the other, are the whole lap") {
  const DataWords data(5);
  LapShape shape{.lanes = 32, .unroll = 4, .tile_lanes = 64, .tiles = 7};
  const LapSums whole(shape, hashed(data), 128);
  shape.tiles = 3;
  LapSums joined(shape, hashed(data), 128);
  shape.tiles = 4;
  joined.append(LapSums(shape, hashed(data), 128 + 3 * shape.tile_words()));
  for (const std::uint64_t laps : {1, 2, 9}) CHECK(joined.values(laps) == whole.values(laps));
}

TEST_CASE("lap sums: a lap too few or too many shows in every lane") {
  const LapSums sums({.lanes = 32, .unroll = 4, .tile_lanes = 32, .tiles = 2}, hashed(DataWords(3)), 0);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    CHECK(sums.values(100).at(lane) != sums.values(99).at(lane));
    CHECK(sums.values(100).at(lane) != sums.values(101).at(lane));
  }
}

}  // namespace
}  // namespace percycle::cache_bandwidth_test
