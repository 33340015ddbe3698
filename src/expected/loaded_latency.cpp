#include "expected/loaded_latency.hpp"

namespace percycle {

std::uint32_t read_sum(const MoverShape& shape, std::uint32_t mover, std::uint32_t lane, std::uint64_t turns,
                       const std::function<std::uint32_t(std::uint64_t)>& word) {
  constexpr std::uint32_t kMultiply = 5;
  const auto rest = static_cast<std::uint32_t>(turns % shape.tiles);
  std::uint32_t folded = 0;
  for (std::uint32_t channel = 0; channel < kVectorWords; ++channel) {
    // A lap from 0, and the tiles of the lap that has begun.
    std::uint32_t lap = 0;
    std::uint32_t part = 0;
    for (std::uint32_t tile = 0; tile < shape.tiles; ++tile) {
      std::uint32_t joined = 0;
      for (std::uint32_t row = 0; row < shape.unroll; ++row) joined ^= word(shape.word(mover, tile, row, lane) + channel);
      lap = lap * kMultiply + joined;
      if (tile + 1 == rest) part = lap;
    }
    const std::uint32_t lap_factor = multiply_add_chain(1, kMultiply, 0, shape.tiles);
    const std::uint32_t laps = multiply_add_chain(0, lap_factor, lap, turns / shape.tiles);
    folded += (2 * channel + 1) * (laps * multiply_add_chain(1, kMultiply, 0, rest) + part);
  }
  return folded;
}

}  // namespace percycle
