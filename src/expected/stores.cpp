#include "expected/stores.hpp"

#include "core/data_words.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kStep = 0x9e3779b9u;  // from turn to turn, in each channel

}  // namespace

std::uint32_t StoreShape::written(std::uint32_t salt, std::uint32_t group, std::uint32_t place, std::uint32_t channel,
                                  std::uint64_t turn) const {
  return lowbias32((group * tile_lanes + place) ^ salt) * (2 * channel + 1) + static_cast<std::uint32_t>(turn) * kStep;
}

std::uint32_t StoreShape::left(std::uint32_t salt, std::uint32_t group, std::uint64_t element, std::uint32_t channel,
                               std::uint64_t laps) const {
  const std::uint64_t of_tile = std::uint64_t{tile_lanes} * unroll;
  const std::uint64_t block = element % of_tile / (std::uint64_t{lanes} * unroll);
  const auto place = static_cast<std::uint32_t>(block * lanes + element % lanes);
  return written(salt, group, place, channel, (laps - 1) * tiles + element / of_tile);
}

}  // namespace percycle
